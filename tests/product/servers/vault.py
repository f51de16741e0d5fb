"""A FastMCP server over HTTP that answers nobody without its key: port and place of the key are its arguments."""

import os
import sys

from fastmcp import FastMCP
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse

KEY = os.environ["VAULT_KEY"]


class Door:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        headers = dict(scope.get("headers", []))
        if scope["type"] == "http" and headers.get(b"authorization") != f"Bearer {KEY}".encode():
            return await PlainTextResponse("no", status_code=401)(scope, receive, send)
        return await self.app(scope, receive, send)


mcp = FastMCP("vault")


@mcp.tool
def blend(tea: str) -> str:
    """Tells the secret blend of a tea."""
    return f"{tea}: three parts oolong, one part fog"


mcp.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    show_banner=False,
    log_level="error",
    middleware=[Middleware(Door)],
)
