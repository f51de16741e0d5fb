"""Reads every skill of every repository of the corpus with real clients and compares each byte with the
disk. Prints, per client, how many things were equal on each surface.

The argument is JSON: {"roots": the repositories in the order in which they are served}, and how they are
reached: {"program": the skilltender, "home": an empty folder} serves each by itself over stdio,
{"url", "token"} has all of them over HTTP.
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
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


class Official:
    """The official client, `mcp`."""

    def __init__(self, reach, mode):
        self.client = mcp.Client(self.transport(reach), mode=mode)

    @staticmethod
    def transport(reach):
        if "url" in reach:
            http = create_mcp_http_client(headers=bearer(reach))
            return streamable_http_client(reach["url"], http_client=http)
        return mcp.StdioServerParameters(**reach)

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

    def __init__(self, reach, mode):
        extensions = [fastmcp.skills.SkillsClientExtension()] if mode == "auto" else None
        self.client = fastmcp.Client(self.transport(reach), mode=mode, extensions=extensions)
        self.extended = mode == "auto"

    @staticmethod
    def transport(reach):
        if "url" in reach:
            return StreamableHttpTransport(reach["url"], headers=bearer(reach))
        return StdioTransport(**reach, keep_alive=False)

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


def bearer(reach):
    return {"Authorization": f"Bearer {reach['token']}"}


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


def on_disk(uri, folders):
    """The file behind a `skill://` URI: below the folder of the skill whose path the URI begins with."""
    path = unquote(uri.removeprefix("skill://"))
    skill = max((skill for skill in folders if path.startswith(f"{skill}/")), key=len)
    return folders[skill] / path[len(skill) + 1 :]


async def compare(client, roots, counts):
    """Everything that these repositories serve to one client."""
    listed = {record["id"] for record in await client.tool("list_skills", {})}
    index = json.loads(await client.read("resource://catalog/skills_index"))
    counts["list_skills"] += len(listed)
    places = {}
    # Some are in the catalog but not in list_skills: those that are hidden from models.
    for skill_id in sorted(listed | {record["id"] for record in index}):
        skill = await client.tool("get_skill", {"id": skill_id})
        path = pathlib.Path(skill["path"])
        assert path.parent.name == skill_id, path
        assert is_body(skill["content"], path.read_bytes()), path
        places[skill_id] = path.parent
        counts["get_skill"] += 1
    # Several repositories have skills with the same path, so a skill's folder is the one from `get_skill`.
    folders = {
        str(place.relative_to(root)): place for root in roots for place in places.values() if place.is_relative_to(root)
    }
    assert len(folders) == len(places), "two skills with one path"
    served = await client.uris()
    assert len(served) == len(set(served)), "listed twice"
    for uri in served:
        scheme, _, path = uri.partition("://")
        if scheme == "skill" and uri != "skill://index.json":
            assert await client.read(uri) == on_disk(uri, folders).read_bytes(), uri
            counts["skill://"] += 1
        elif path.startswith("skills/") and path.endswith("/document"):
            assert await client.read(uri) == (places[path.split("/")[1]] / "SKILL.md").read_bytes(), uri
            counts["resource://skills/{id}/document"] += 1
    for skill in await client.skills():
        for file in skill["resources"]:
            raw = on_disk(file["uri"], folders).read_bytes()
            assert file["size"] == len(raw) and file["digest"] == "sha256:" + hashlib.sha256(raw).hexdigest(), file
            counts["skills/list files"] += 1
        counts["skills/list"] += 1


def ways(target, roots):
    """How the clients reach which repositories: one connection each."""
    if "url" in target:
        return [({"url": target["url"], "token": target["token"]}, roots)]
    env = {"HOME": target["home"], "PATH": os.environ["PATH"]}
    command = target["program"]
    return [({"command": command, "args": ["mcp", "--skills-dir", str(root)], "env": env}, [root]) for root in roots]


async def main(target):
    roots = [pathlib.Path(root) for root in target["roots"]]
    all_counts = {}
    for name, kind, mode in [
        ("mcp auto", Official, "auto"),
        ("mcp legacy", Official, "legacy"),
        ("fastmcp auto", FastMcp, "auto"),
        ("fastmcp legacy", FastMcp, "legacy"),
    ]:
        counts = Counter()
        for reach, served in ways(target, roots):
            client = kind(reach, mode)
            async with client.client:
                await compare(client, served, counts)
        all_counts[name] = counts
    return all_counts


print(json.dumps(asyncio.run(main(json.loads(sys.argv[1])))))
