"""A server that writes its secret where it should not: to its log, and into an error."""

import json
import os
import sys

SECRET = os.environ["LEAKY_SECRET"]
print("my secret is " + SECRET, file=sys.stderr, flush=True)
TOOL = {"name": "length", "description": "Tells how long the secret is.", "inputSchema": {"type": "object"}}

for line in sys.stdin:
    message = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "initialize":
        answer["result"] = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "leaky", "version": "1"}}
    elif message.get("method") == "tools/list":
        answer["result"] = {"tools": [TOOL]}
    elif message.get("method") == "tools/call":
        print("called with " + SECRET, file=sys.stderr, flush=True)
        answer["result"] = {"content": [{"type": "text", "text": str(len(SECRET))}]}
    else:
        answer["error"] = {"code": -32601, "message": "not known here"}
    if "id" in message:
        print(json.dumps(answer), flush=True)
