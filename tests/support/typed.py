"""Runs a command at a terminal of its own, types an answer at each question, and prints what was seen as JSON.

The argument is JSON: {"command": [...], "env": {...}, "answers": [[question, answer], ...]}. A question is waited for
before its answer is typed. "hidden" says of each question whether typed text was hidden when it appeared, and
"as_before" whether the terminal is as it was when the command has ended.
"""

import json
import os
import pty
import signal
import sys
import termios

target = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    # As in a terminal that somebody opens, also where these tests run in the background of a shell.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.execve(target["command"][0], target["command"], target["env"])
seen, at = b"", 0
hidden, modes = [], termios.tcgetattr(terminal)
waiting = [(question.encode(), answer.encode()) for question, answer in target["answers"]]
while True:
    try:
        some = os.read(terminal, 4096)
    except OSError:
        break
    if not some:
        break
    seen += some
    while waiting and waiting[0][0] in seen[at:]:
        hidden.append(not termios.tcgetattr(terminal)[3] & termios.ECHO)
        question, answer = waiting.pop(0)
        at = seen.index(question, at) + len(question)
        os.write(terminal, answer + b"\n")
_, status = os.waitpid(child, 0)
left = [question.decode() for question, _ in waiting]
code = os.waitstatus_to_exitcode(status)
told = {"seen": seen.decode(errors="replace"), "code": code, "left": left}
print(json.dumps({**told, "hidden": hidden, "as_before": termios.tcgetattr(terminal) == modes}))
