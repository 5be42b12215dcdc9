"""A host is the same host however it is written, and what is not plainly an allowed one is denied."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import UserError
from refute.browser import BrowserHost, Policy
from refute.browser._policy import address_of

from .site import Site

LOCAL = Policy(hosts=("127.0.0.1", "[::1]", "localhost"))
SHOP = Policy(hosts=("shop.example", "*.shop.example"))

labels = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
names = st.lists(labels, min_size=1, max_size=4).map(".".join)
addresses = st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address)


@st.composite
def spelled(draw: st.DrawFn, address: ipaddress.IPv4Address) -> str:
    """One of the many ways to write an IPv4 address in a URL."""
    count = draw(st.integers(1, 4))
    number, parts = int(address), list[int]()
    for i in range(count - 1):
        parts.append((number >> (24 - 8 * i)) & 255)
    parts.append(number & (2 ** (8 * (5 - count)) - 1))
    text = ".".join(draw(st.sampled_from((str(p), hex(p), f"0{p:o}", f"0x{p:010X}"))) for p in parts)
    return text + draw(st.sampled_from(("", ".")))


@given(addresses.flatmap(lambda a: st.tuples(st.just(a), spelled(a))))
def test_every_spelling_of_an_address_is_that_address(case: tuple[ipaddress.IPv4Address, str]) -> None:
    address, text = case
    policy = Policy(hosts=(str(address),))
    assert policy.allows_page(f"http://{text}/")
    assert policy.allows_page(f"http://[::ffff:{address}]:8080/")
    assert not Policy(hosts=(str(address + 1 if int(address) < 2**32 - 1 else address - 1),)).allows_page(
        f"http://{text}/"
    )


@given(names, names)
def test_a_name_matches_itself_and_hosts_below_it_only_where_that_is_said(name: str, other: str) -> None:
    exact, below = Policy(hosts=(name,)), Policy(hosts=(f"*.{name}",))
    assert exact.allows_page(f"https://{name.upper()}./x")
    assert exact.allows_page(f"https://{other}/") == (other == name)
    assert not exact.allows_page(f"https://{other}.{name}/")
    assert below.allows_page(f"https://{other}.{name}/")
    assert not below.allows_page(f"https://{name}/")
    assert not below.allows_page(f"https://x{name}/")
    assert not below.allows_page(f"https://{name}.evil.test/")


@given(st.text(max_size=40))
def test_no_text_is_too_odd_to_be_judged(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}/@shop.example"):
        if SHOP.allows_page(url):
            assert "shop.example" in url.lower() or "about" in url.lower() or not url.isascii()


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://2130706433/", True),
        ("http://0x7f.1:81/", True),
        ("http://017700000001/", True),
        ("http://127.1", True),
        ("http://[::1]:8000/", True),
        ("http://[0:0:0:0:0:0:0:1]/", True),
        ("http://[::ffff:7f00:1]/", True),
        ("http://LocalHost./", True),
        ("http://user:pw@localhost/", True),
        ("http://localhost@evil.test/", False),
        ("http://evil.test\\@localhost/", False),
        ("http://127.0.0.1.evil.test/", False),
        ("http://127.0.0.1.2/", False),
        ("http://256.0.0.1/", False),
        ("http://[::2]/", False),
        ("http://[fe80::1%25lo]/", False),
        ("http:///localhost/", False),
        ("http://", False),
        ("ftp://localhost/", False),
        ("data:text/html,localhost", False),
        ("blob:http://localhost/1", False),
        ("javascript:localhost", False),
        ("about:blank", True),
    ],
)
def test_the_forms_that_are_used_to_get_around_lists(url: str, allowed: bool) -> None:
    assert LOCAL.allows_page(url) is allowed


def test_a_port_counts_where_it_is_given() -> None:
    policy = Policy(hosts=("shop.example:8443", "[::1]:80", "*:9000"))
    allowed = ["https://shop.example:8443/", "http://[::1]/", "http://other.test:9000/"]
    denied = ["https://shop.example/", "http://[::1]:81/", "https://other.test/"]
    assert [policy.allows_page(url) for url in allowed + denied] == [True] * 3 + [False] * 3


def test_a_site_is_its_host_with_all_below_it() -> None:
    site = Policy.of_site("https://www.shop.example/basket?x=1", "pay.example:443")
    allowed = ["https://shop.example/", "http://www.shop.example:8080/", "https://img.eu.shop.example/"]
    denied = ["https://example/", "https://pay.example:8443/", "https://shop.example.evil.test/"]
    assert [site.allows_page(url) for url in [*allowed, "https://pay.example/", *denied]] == [True] * 4 + [False] * 3
    here = Policy.of_site("http://127.0.0.1:8000/")
    assert (here.allows_page("http://127.1:9/"), here.allows_page("http://localhost/")) == (True, False)
    disk = Policy.of_site("file:///tmp/a.html")
    assert (disk.allows_page("file:///tmp/b.html"), disk.allows_page("http://shop.example/")) == (True, False)
    assert not site.allows_page("file:///tmp/a.html")
    with pytest.raises(UserError, match="no host"):
        Policy.of_site("shop.example")


ODD = """2130706433 0x7f.1 0x 1.2.3 00.0x.1 1.2.3.4.5 [::ffff:1.2.3.4] [2001:DB8::1] a%2Eb EXAMPLE.test. a..b 09.1
    bücher.example a。b a@b@c a:b@c:80 a\\b 4294967296 a.0x1 [::1 a_b.test x:99999 %00 a%20b"""


async def test_hosts_are_spelled_as_chromium_spells_them(site: Site, host: BrowserHost) -> None:
    urls = [f"http://{text}/" for text in ODD.split()]
    site.serve("""<p id=p></p><script>p.textContent = location.hash.slice(1).split('|').map(text => {
        try { return new URL(decodeURIComponent(text)).hostname } catch { return 'none' } }).join(' ')</script>""")
    async with await host.session() as session:
        await session.goto(site.url("/#" + "|".join(quote(url, safe="") for url in urls)))
        theirs = (await session.observe()).text.split(" ")
    ours = [address_of(url)[1] for url in urls]
    assert len(theirs) == len(urls)
    for url, host_here, host_there in zip(urls, ours, theirs, strict=True):
        # what cannot be made out here is denied, and so may be anything there
        assert (url, host_here) in ((url, ""), (url, _plain(host_there)))
    assert {there for here, there in zip(ours, theirs, strict=True) if not here} == {"none", "a..b", "a%20b"}


def _plain(host: str) -> str:
    """Without what may differ: the final dot, and IPv4 mapped into IPv6."""
    mapped = ipaddress.IPv6Address(host[1:-1]).ipv4_mapped if host.startswith("[") else None
    return str(mapped) if mapped else host.removesuffix(".")
