"""A server of one tool over stdio, which tells what its environment holds: of its secret only a digest."""

import hashlib
import json
import os
import sys

print("the cellar is open", file=sys.stderr, flush=True)
TOOL = {"name": "count", "description": "Counts the tea in the cellar.", "inputSchema": {"type": "object"}}


def environment():
    digest = hashlib.sha256(os.environ.get("TOKEN", "").encode()).hexdigest()
    return {
        "region": os.environ.get("REGION"),
        "token": digest,
        "process": os.getpid(),
        "foreign": os.environ.get("CANARY"),
    }


for line in sys.stdin:
    message = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "cellar", "version": "1"}
        answer["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    elif message.get("method") == "tools/list":
        answer["result"] = {"tools": [TOOL]}
    elif message.get("method") == "tools/call":
        answer["result"] = {"content": [{"type": "text", "text": json.dumps(environment())}]}
    else:
        answer["error"] = {"code": -32601, "message": "not known here"}
    if "id" in message:
        print(json.dumps(answer), flush=True)
