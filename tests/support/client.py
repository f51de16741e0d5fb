"""Does what an agent would with the official Python client, and prints what it got as JSON.

The argument is JSON: {"mode": "auto" or "legacy", and either "command" and "args" and "env", or
"url" and "token"}.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def transport(target):
    if "command" in target:
        return StdioServerParameters(command=target["command"], args=target["args"], env=target.get("env"))
    headers = {"Authorization": f"Bearer {target['token']}"}
    return streamable_http_client(target["url"], http_client=httpx2.AsyncClient(headers=headers))


async def visit(target):
    async with Client(transport(target), mode=target["mode"]) as client:
        tools = await client.list_tools()
        listed = await client.call_tool("list_skills", {})
        got = await client.call_tool("get_skill", {"id": "tea"})
        resources = await client.list_resources()
        read = await client.read_resource("skill://tea/references/water.md")
        prompt = await client.get_prompt("init-skills")
        return {
            "protocol": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "skills": json.loads(listed.content[0].text),
            "skill": json.loads(got.content[0].text),
            "resources": [str(resource.uri) for resource in resources.resources],
            "reference": read.contents[0].text,
            "prompt": prompt.messages[0].content.text,
        }


print(json.dumps(asyncio.run(visit(json.loads(sys.argv[1])))))
