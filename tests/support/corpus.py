"""Reads every skill of every repository of the corpus with real clients, over stdio, and compares each
byte with the disk. Prints, per client, how many things were equal on each surface.

The argument is JSON: {"program": the skilltender, "corpus": the folder of repositories, "home": an empty folder}.
"""

import asyncio
import base64
import hashlib
import json
import os
import pathlib
import sys
from collections import Counter
from urllib.parse import unquote

import fastmcp
import fastmcp.skills
import mcp
from fastmcp.client.transports import StdioTransport


class Official:
    """The official client, `mcp`."""

    def __init__(self, program, arguments, env, mode):
        self.client = mcp.Client(mcp.StdioServerParameters(command=program, args=arguments, env=env), mode=mode)

    async def tool(self, name, arguments):
        return json.loads((await self.client.call_tool(name, arguments)).content[0].text)

    async def uris(self):
        cursor, uris = None, []
        while True:
            page = await self.client.list_resources(cursor=cursor)
            uris += [str(resource.uri) for resource in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                return uris

    async def read(self, uri):
        return content((await self.client.read_resource(uri)).contents[0])

    async def skills(self):
        return []  # The extension is not known to it.


class FastMcp(Official):
    """FastMCP's client, which knows the skills extension of 2026-07-28."""

    def __init__(self, program, arguments, env, mode):
        transport = StdioTransport(program, arguments, env=env, keep_alive=False)
        extensions = [fastmcp.skills.SkillsClientExtension()] if mode == "auto" else None
        self.client = fastmcp.Client(transport, mode=mode, extensions=extensions)
        self.extended = mode == "auto"

    async def tool(self, name, arguments):
        return json.loads((await self.client.call_tool(name, arguments)).content[0].text)

    async def uris(self):
        return [str(resource.uri) for resource in await self.client.list_resources()]

    async def read(self, uri):
        return content((await self.client.read_resource(uri))[0])

    async def skills(self):
        if not self.extended:
            return []
        return [skill.model_dump(mode="json", by_alias=True) for skill in await self.client.list_skills()]


def content(contents):
    """The bytes of one resource."""
    text = getattr(contents, "text", None)
    return base64.b64decode(contents.blob) if text is None else text.encode()


def is_body(content, file):
    """Whether this is the file without its frontmatter and the blank lines behind that."""
    text = file.decode("utf-8", "replace")
    if not text.endswith(content) or content[:1] in ("\n", "\r"):
        return False
    fence = text[: len(text) - len(content)].rstrip()
    return fence.endswith("---")


async def compare(client, root, counts):
    """Everything that one repository serves to one client."""
    listed = {record["id"] for record in await client.tool("list_skills", {})}
    index = json.loads(await client.read("resource://catalog/skills_index"))
    counts["list_skills"] += len(listed)
    places = {}
    # Some are in the catalog and not in list_skills: those that models are not told of.
    for skill_id in sorted(listed | {record["id"] for record in index}):
        skill = await client.tool("get_skill", {"id": skill_id})
        path = pathlib.Path(skill["path"])
        assert path.parent.name == skill_id, path
        assert is_body(skill["content"], path.read_bytes()), path
        places[skill_id] = path.parent
        counts["get_skill"] += 1
    served = await client.uris()
    assert len(served) == len(set(served)), "listed twice"
    for uri in served:
        scheme, _, path = uri.partition("://")
        if scheme == "skill" and uri != "skill://index.json":
            assert await client.read(uri) == (root / unquote(path)).read_bytes(), uri
            counts["skill://"] += 1
        elif path.startswith("skills/") and path.endswith("/document"):
            assert await client.read(uri) == (places[path.split("/")[1]] / "SKILL.md").read_bytes(), uri
            counts["resource://skills/{id}/document"] += 1
    for skill in await client.skills():
        for file in skill["resources"]:
            raw = (root / unquote(file["uri"].removeprefix("skill://"))).read_bytes()
            assert file["size"] == len(raw) and file["digest"] == "sha256:" + hashlib.sha256(raw).hexdigest(), file
            counts["skills/list files"] += 1
        counts["skills/list"] += 1


async def main(target):
    env = {"HOME": target["home"], "PATH": os.environ["PATH"]}
    roots = sorted(path for path in pathlib.Path(target["corpus"]).iterdir() if path.is_dir())
    all_counts = {}
    for name, kind, mode in [
        ("mcp auto", Official, "auto"),
        ("mcp legacy", Official, "legacy"),
        ("fastmcp auto", FastMcp, "auto"),
        ("fastmcp legacy", FastMcp, "legacy"),
    ]:
        counts = Counter()
        for root in roots:
            client = kind(target["program"], ["mcp", "--skills-dir", str(root)], env, mode)
            async with client.client:
                await compare(client, root, counts)
        all_counts[name] = counts
    return {"repositories": len(roots), "counts": all_counts}


print(json.dumps(asyncio.run(main(json.loads(sys.argv[1])))))
