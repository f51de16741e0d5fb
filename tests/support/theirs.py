"""Uses what another server has beside tools with the official Python client: its prompts, its resources, and its questions to
a person. Prints what it got as JSON.

The argument is JSON: {"mode": "auto" or "legacy", "command", "args", "env"}.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

asked = []


async def answer(context, params):
    asked.append(params.message)
    return ElicitResult(action="accept", content={"name": "Ada", "check": True})


async def visit(target):
    server = StdioServerParameters(command=target["command"], args=target["args"], env=target["env"])
    async with Client(server, mode=target["mode"], elicitation_callback=answer) as client:
        prompts = await client.list_prompts()
        prompt = await client.get_prompt("everything__args-prompt", {"city": "Paris", "state": "Texas"})
        resources = await client.list_resources()
        templates = await client.list_resource_templates()
        read = await client.read_resource("demo://resource/dynamic/text/7")
        elicited = await client.call_tool("everything__trigger-elicitation-request", {})
        return {
            "prompts": [prompt.name for prompt in prompts.prompts],
            "prompt": prompt.messages[0].content.text,
            "resources": [str(resource.uri) for resource in resources.resources],
            "templates": [template.uri_template for template in templates.resource_templates],
            "read": read.contents[0].text,
            "asked": asked,
            "said": [block.text for block in elicited.content],
        }


print(json.dumps(asyncio.run(visit(json.loads(sys.argv[1])))))
