"""The way out of a session that may reach some hosts only: a SOCKS 5 proxy of our own (RFC 1928).

Whatever a browser sends, by whatever means (redirects, sockets, workers, beacons, requests ahead of time), goes out
through it, name unresolved. So it decides by the name, and nothing is resolved or connected that may not be reached.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from contextlib import suppress

from refute.browser._policy import Policy

CONNECT = 20.0
CHUNK = 65536
GRANTED, NOT_ALLOWED, UNREACHABLE, NO_SUCH_COMMAND = b"\x00", b"\x02", b"\x04", b"\x07"
LOOPBACK = "127.0.0.1"


class Proxy:
    """Listens on a port of this machine for one session. `on_refused` is called with ``host:port``."""

    def __init__(self, policy: Policy, server: asyncio.Server | None = None) -> None:
        self._policy = policy
        self._server = server
        self._open: set[asyncio.StreamWriter] = set()
        self.on_refused: Callable[[str], None] = lambda where: None

    @classmethod
    async def open(cls, policy: Policy) -> Proxy:
        """Listen on a free port."""
        proxy = cls(policy)
        proxy._server = await asyncio.start_server(proxy._serve, LOOPBACK, 0)
        return proxy

    @property
    def address(self) -> str:
        """For Playwright's ``proxy`` setting."""
        port = self._server.sockets[0].getsockname()[1] if self._server is not None and self._server.sockets else 0
        return f"socks5://{LOOPBACK}:{port}"

    async def close(self) -> None:
        """Listen no more, and cut what is open."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._open):
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            await self._carry(reader, writer)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, UnicodeDecodeError):
            pass  # the browser or the server hung up, or what came was no SOCKS
        finally:
            self._open.discard(writer)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(CONNECT):
            _, methods = await reader.readexactly(2)
            await reader.readexactly(methods)
            writer.write(
                b"\x05\x00"
            )  # no login: it is a port of this machine, and reaches no more than the policy says
            _, command, _, kind = await reader.readexactly(4)
            host = await _host(reader, kind)
            port = int.from_bytes(await reader.readexactly(2), "big")
        if command != 1:
            await _reply(writer, NO_SUCH_COMMAND)
            return
        if not self._policy.allows(host, port):
            self.on_refused(f"{host}:{port}")
            await _reply(writer, NOT_ALLOWED)
            return
        try:
            async with asyncio.timeout(CONNECT):
                far_reader, far_writer = await asyncio.open_connection(_reachable(host), port)
        except (OSError, TimeoutError):
            await _reply(writer, UNREACHABLE)
            return
        self._open.add(far_writer)
        try:
            await _reply(writer, GRANTED)
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            self._open.discard(far_writer)
            far_writer.close()


async def _host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == 3:
        return (await reader.readexactly((await reader.readexactly(1))[0])).decode("ascii")
    if kind == 1:
        return str(ipaddress.IPv4Address(await reader.readexactly(4)))
    return f"[{ipaddress.IPv6Address(await reader.readexactly(16))}]"


def _reachable(host: str) -> str:
    """What to connect to. Every name below ``localhost`` is this machine, as it is for a browser (RFC 6761)."""
    return LOOPBACK if host == "localhost" or host.endswith(".localhost") else host.strip("[]")


async def _reply(writer: asyncio.StreamWriter, code: bytes) -> None:
    writer.write(b"\x05" + code + b"\x00\x01" + bytes(6))
    await writer.drain()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
