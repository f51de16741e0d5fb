"""Runs a command at a terminal of its own, types an answer at each question, and prints what was seen as JSON.

The argument is JSON: {"command": [...], "env": {...}, "answers": [[question, answer], ...]}. A question is waited for
before its answer is typed.
"""

import json
import os
import pty
import sys

target = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execve(target["command"][0], target["command"], target["env"])
seen, at = b"", 0
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
        question, answer = waiting.pop(0)
        at = seen.index(question, at) + len(question)
        os.write(terminal, answer + b"\n")
_, status = os.waitpid(child, 0)
left = [question.decode() for question, _ in waiting]
print(json.dumps({"seen": seen.decode(errors="replace"), "code": os.waitstatus_to_exitcode(status), "left": left}))
