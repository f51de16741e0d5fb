"""An MCP server that wants its person to sign in, with the official SDK's own OAuth. Its port is its argument.

Everybody who comes to sign in is let in. What the tests ask of it stands below /test: the tokens that it gave out, how long
the next ones last, and that all of them are void from now on.
"""

import secrets
import sys
import time

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthToken
from starlette.responses import JSONResponse

PORT = int(sys.argv[1])
HERE = f"http://127.0.0.1:{PORT}"


class Door:
    def __init__(self):
        self.clients, self.codes, self.access, self.refresh = {}, {}, {}, {}
        self.given, self.lasts, self.renewed, self.revoked, self.says_no = [], 3600, 0, 0, False

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        back = str(params.redirect_uri)
        if self.says_no:
            return construct_redirect_uri(back, error="access_denied", state=params.state)
        code = AuthorizationCode(
            code="code-canary-" + secrets.token_hex(20),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        self.given.append(code.code)
        return construct_redirect_uri(back, code=code.code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.give(client, authorization_code.scopes, authorization_code.resource)

    def give(self, client, scopes, resource):
        # As long as tokens of real servers, so that one keychain entry cannot hold both.
        access, refresh = (kind + "-canary-" + secrets.token_hex(800) for kind in ("access", "refresh"))
        until = int(time.time()) + self.lasts
        self.access[access] = AccessToken(
            token=access, client_id=client.client_id, scopes=scopes, expires_at=until, resource=resource
        )
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=client.client_id, scopes=scopes, resource=resource)
        self.given += [access, refresh]
        return OAuthToken(
            access_token=access,
            token_type="Bearer",
            expires_in=self.lasts,
            refresh_token=refresh,
            scope=" ".join(scopes),
        )

    async def load_refresh_token(self, client, refresh_token):
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        self.renewed += 1
        # Each refresh token is valid for one renewal, which voids the earlier access token.
        del self.refresh[refresh_token.token]
        self.access.clear()
        return self.give(client, scopes, refresh_token.resource)

    async def load_access_token(self, token):
        known = self.access.get(token)
        return known if known and known.expires_at > time.time() else None

    async def revoke_token(self, token):
        self.revoked += 1
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)


door = Door()
mcp = MCPServer(
    "tearoom",
    auth_server_provider=door,
    auth=AuthSettings(
        issuer_url=HERE,
        resource_server_url=f"{HERE}/mcp",
        required_scopes=["tea"],
        validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=["tea", "cake"], default_scopes=["tea"]
        ),
        revocation_options=RevocationOptions(enabled=True),
    ),
    log_level="ERROR",
)


@mcp.tool()
def pour(tea: str) -> str:
    """Pours a tea for whoever is signed in."""
    return f"a cup of {tea}"


@mcp.custom_route("/test", methods=["POST"])
async def test(request):
    asked = await request.json()
    door.lasts = asked.get("lasts", door.lasts)
    door.says_no = asked.get("saysNo", door.says_no)
    if "access" in asked.get("void", []):
        door.access.clear()
    if "refresh" in asked.get("void", []):
        door.refresh.clear()
    clients = [client.model_dump(mode="json") for client in door.clients.values()]
    return JSONResponse(
        {"given": door.given, "renewed": door.renewed, "revoked": door.revoked, "clients": clients}
    )


@mcp.tool()
def bake() -> str:
    """Bakes a cake for whoever may have one."""
    return "a cake"


class Kitchen:
    """Lets nobody bake who did not ask for cake when they signed in."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["path"] != "/mcp" or scope["method"] != "POST":
            return await self.app(scope, receive, send)
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        token = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
        known = door.access.get(token)
        if b'"tools/call"' in body and b'"bake"' in body and known and "cake" not in known.scopes:
            wanted = {"www-authenticate": 'Bearer error="insufficient_scope", scope="tea cake"'}
            return await JSONResponse({"error": "insufficient_scope"}, 403, wanted)(scope, receive, send)
        given = [{"type": "http.request", "body": body, "more_body": False}]
        await self.app(scope, lambda: self.again(given, receive), send)

    async def again(self, given, receive):
        return given.pop() if given else await receive()


uvicorn.run(Kitchen(mcp.streamable_http_app()), host="127.0.0.1", port=PORT, log_level="error")
