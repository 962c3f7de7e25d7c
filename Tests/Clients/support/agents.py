"""An agent: the official client of the Model Context Protocol, over both transports."""

import asyncio
import json
import uuid

from mcp import Client, StdioServerParameters
from support.server import Server, binary


class Agent:
    """A connected client. Each has a project of its own."""

    def __init__(self, client: Client):
        self.client = client
        self.project = f"demo-{uuid.uuid4().hex[:10]}"
        self.calls = 0

    async def text(self, tool: str, **arguments) -> str:
        return (await self.call(tool, arguments)).content[0].text

    async def use(self, tool: str, **arguments) -> dict:
        """The answer of a call that must succeed."""
        result = await self.call(tool, arguments)
        assert not result.is_error, result.content[0].text
        return json.loads(result.content[0].text)

    async def fail(self, tool: str, **arguments) -> str:
        """The words of a call that must fail, and say what to do next."""
        result = await self.call(tool, arguments)
        assert result.is_error, result.content[0].text
        assert "\nNext: " in result.content[0].text, result.content[0].text
        return result.content[0].text

    async def call(self, tool: str, arguments: dict):
        self.calls += 1
        return await self.client.call_tool(tool, {"project": self.project, **arguments})


def connection(server: Server, transport: str):
    """What the client connects to."""
    if transport == "http":
        return server.addresses["console"] + "/mcp"
    return StdioServerParameters(
        command=binary(), args=["mcp"], env={"HEARTH_CONSOLE_URL": server.addresses["console"]}
    )


def converse(server: Server, transport: str, story, mode: str = "auto") -> None:
    """Runs the story with an agent."""

    async def run() -> None:
        async with Client(connection(server, transport), mode=mode) as client:
            await story(Agent(client))

    asyncio.run(asyncio.wait_for(run(), 120))
