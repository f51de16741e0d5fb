"""Lists the tools with the official Python client, calls one of them, and prints both as JSON.

The argument is JSON: {"mode": "auto" or "legacy", "command", "args", "env", "tool", and "arguments" if it takes any}.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def visit(target):
    server = StdioServerParameters(command=target["command"], args=target["args"], env=target["env"])
    async with Client(server, mode=target["mode"]) as client:
        tools = await client.list_tools()
        called = await client.call_tool(target["tool"], target.get("arguments", {}))
        return {
            "tools": [tool.name for tool in tools.tools],
            "error": called.is_error,
            "text": called.content[0].text,
        }


print(json.dumps(asyncio.run(visit(json.loads(sys.argv[1])))))
