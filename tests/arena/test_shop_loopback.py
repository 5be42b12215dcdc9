"""Nothing leaves this machine: neither the shop's process nor the browser that visits it ever asks another host.

Both are watched where bytes go out, not by what pages say: the shop by Python's audit of its sockets, the browser by
the log of its network stack.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.arena.visitor import Visitor, rows

import refute.arena.shop
from refute.arena.shop import ShopInstance, ShopOracle, ShopWorld, load_tasks
from refute.browser import BrowserHost, Done, Session, _flags

APPLICATION = Path(refute.arena.shop.__file__).parent / "site"
LEAVING = {
    "a connection": "socket.create_connection(('192.0.2.1', 80), timeout=1)",
    "a connection by IPv6": "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 80))",
    "a connection without an exception": "socket.socket().connect_ex(('192.0.2.1', 80))",
    "a datagram": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    "a name": "socket.getaddrinfo('shop.example', 80)",
    "an old way to ask for a name": "socket.gethostbyname('shop.example')",
    "a page": "urllib.request.urlopen('http://192.0.2.1/', timeout=1)",
    "listening to the network": "socket.socket().bind(('0.0.0.0', 0))",
    "another program": "subprocess.run(['true'])",
    "another thread": "in_a_thread(lambda: socket.create_connection(('192.0.2.1', 80), timeout=1))",
}
STAYING = {
    "a connection": "socket.create_connection(server.getsockname())",
    "a name": "socket.getaddrinfo('localhost', 80)",
}
TRY = """
import concurrent.futures, json, socket, subprocess, sys, urllib.request
from loopback import keep_to_loopback

def in_a_thread(what):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        pool.submit(what).result()

keep_to_loopback()
server = socket.create_server(("127.0.0.1", 0))
found = {}
for name, attempt in json.loads(sys.argv[1]).items():
    try:
        eval(attempt)
    except Exception as error:
        found[name] = type(error).__name__
    else:
        found[name] = "done"
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("attempts", "end"), [(LEAVING, "LeftLoopback"), (STAYING, "done")], ids=["leaving", "staying"]
)
def test_the_shops_process_reaches_this_machine_only(attempts: dict[str, str], end: str) -> None:
    command = [sys.executable, "-c", TRY, json.dumps(attempts)]
    done = subprocess.run(command, cwd=APPLICATION, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == dict.fromkeys(attempts, end)
    assert done.stderr.count("loopback refused") == (len(attempts) if end != "done" else 0)


async def test_no_request_of_customers_and_staff_leaves_loopback(
    instance: ShopInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "net.json"
    monkeypatch.setattr(_flags, "ARGS", (*_flags.ARGS, f"--log-net-log={log}"))
    order = rows(instance.database, "select number from order_order order by id limit 1")[0][0]
    async with BrowserHost(loopback_only=True) as host:
        async with await host.session(storage_state=instance.storage_state("emma")) as session:
            await buy(session, instance)
            await look(session, instance, "/accounts/orders/", f"/accounts/orders/{order}/", "/accounts/wishlists/")
        async with await host.session(storage_state=instance.storage_state("admin")) as session:
            pages = ("", "catalogue/", "orders/", f"orders/{order}/", "reviews/", "vouchers/", "users/", "reports/")
            await look(session, instance, *(f"/dashboard/{page}" for page in pages))
    visitor = Visitor(instance)
    await visitor.get("/password-reset/")
    await visitor.post("/password-reset/", email="liam@juniper.test")
    assert reached(log) == {instance.origin.removeprefix("http://")}
    assert "loopback refused" not in (instance.database.parent / "site.log").read_text(encoding="utf-8")


def reached(log: Path) -> set[str]:
    """The addresses (``host:port``) that Chromium opened a connection or sent a datagram to, by its log of the network.

    It connects sockets for datagrams that it never sends, to find out which protocols there are: these do not count.
    """
    record = json.loads(log.read_text(encoding="utf-8"))
    names = {number: name for name, number in record["constants"]["logEventTypes"].items()}
    found: set[str] = set()
    datagrams: dict[int, str] = {}
    for event in record["events"]:
        name, given, source = names[event["type"]], event.get("params", {}), event["source"]["id"]
        if name == "TCP_CONNECT_ATTEMPT" and "address" in given:
            found.add(given["address"])
        elif name == "UDP_CONNECT" and "address" in given:
            datagrams[source] = given["address"]
        elif name == "UDP_BYTES_SENT":
            found.add(given.get("address") or datagrams.get(source, "unknown"))
    return found


async def buy(session: Session, instance: ShopInstance) -> None:
    """Order something, from the first page to the thanks."""
    task = next(task for task in load_tasks() if task.id == "buy-one.headphones")
    world = instance.world()
    assert isinstance(world, ShopWorld)
    oracle = ShopOracle(task, world)
    await session.goto(instance.origin + "/")
    page = await session.observe()
    for _ in range(40):
        action = oracle.next_action(page, oracle.active(()))
        if isinstance(action, Done):
            break
        _, page = await session.step(action)
    assert len(world.done().orders) == 1


async def look(session: Session, instance: ShopInstance, *paths: str) -> None:
    """Open each page and wait until it is at rest."""
    for path in paths:
        await session.goto(instance.origin + path)
        await session.observe()
