"""Which addresses a session's tabs may open, and which hosts its pages may talk to."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from refute._errors import UserError

ANY = "*"
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
HARMLESS = ("about", "chrome-error")
"""Schemes of documents that reach nothing: the empty page, and the one that says why another did not open."""


def canonical_host(text: str) -> str:
    """The one spelling of a host, as browsers write it; empty for what is no host.

    Lower case, names in their ASCII form, without a final dot; every way to write an IPv4 address (one number, octal,
    hexadecimal, fewer parts, mapped into IPv6) becomes four decimal numbers; IPv6 addresses are compressed and keep
    their brackets.
    """
    host = unquote(text).strip().lower().translate(_DOTS)
    if host.startswith("["):
        return _ipv6(host)
    try:
        host = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        return ""
    host = host.removesuffix(".")
    if not re.fullmatch(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", host) or len(host) > 253:
        return ""
    last = host.rpartition(".")[2]
    return _ipv4(host) if last.isdecimal() or re.fullmatch(r"0x[0-9a-f]*", last) else host


_DOTS = str.maketrans("。．｡", "...")  # which names may be written with, too


def _ipv6(host: str) -> str:
    try:
        address = ipaddress.IPv6Address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return ""
    if address.scope_id or not host.endswith("]"):
        return ""
    return str(address.ipv4_mapped) if address.ipv4_mapped else f"[{address.compressed}]"


def _ipv4(host: str) -> str:
    """By the rules of the URL standard: one to four numbers, the last of which fills what is left."""
    parts = host.split(".")
    numbers = [_number(part) for part in parts]
    if len(parts) > 4 or None in numbers:
        return ""
    *heads, tail = [n for n in numbers if n is not None]
    if any(n > 255 for n in heads) or tail >= 256 ** (4 - len(heads)):
        return ""
    return str(ipaddress.IPv4Address(tail + sum(n << (24 - 8 * i) for i, n in enumerate(heads))))


def _number(part: str) -> int | None:
    base = 16 if part.startswith("0x") else 8 if len(part) > 1 and part.startswith("0") else 10
    digits = part[2:] if base == 16 else part
    try:
        return int(digits, base) if digits.isalnum() else (0 if base == 16 and not digits else None)
    except ValueError:
        return None


def address_of(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address. The host is empty when there is none, or none that can be made out."""
    try:
        parts = urlsplit(url.replace("\\", "/") if url[:5].lower().startswith(("http", "ws")) else url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url.partition(":")[0].lower(), "", None
    bracketed = f"[{host}]" if ":" in host else host
    return parts.scheme, canonical_host(bracketed) if host else "", port or PORTS.get(parts.scheme)


@dataclass(frozen=True)
class _Pattern:
    host: str
    below: bool
    port: int | None

    @classmethod
    def read(cls, text: str) -> _Pattern:
        """``shop.example``, ``*.shop.example``, either with ``:PORT``; ``*`` for every host. Raises `UserError`."""
        found = re.fullmatch(r"(\*\.)?(\[[^\]]*\]|[^:/@*\s\[\]]+|\*)(?::(\d{1,5}))?", text.strip())
        host = ANY if found and found[2] == ANY else canonical_host(found[2]) if found else ""
        if found is None or not host or (found[1] and (host == ANY or _is_address(host))):
            raise UserError(
                f"{text!r} names no host: write shop.example, *.shop.example for all hosts below it, "
                "127.0.0.1 or [::1], each with :PORT if only one port is meant, or * for every host"
            )
        return cls(host=host, below=bool(found[1]), port=int(found[3]) if found[3] else None)

    def matches(self, host: str, port: int | None) -> bool:
        if self.port is not None and self.port != port:
            return False
        return self.host == ANY or (host.endswith(f".{self.host}") if self.below else host == self.host)


def _is_address(host: str) -> bool:
    return host.startswith("[") or host.rpartition(".")[2].isdecimal()


@dataclass(frozen=True)
class Policy:
    """What a session may reach.

    `hosts`: which hosts a tab may show documents of: ``shop.example`` (this host), ``*.shop.example`` (every host below
    it), ``*`` (any), each with ``:PORT`` if only one port is meant. Other schemes than http and https are denied.
    `embeds`: whether pages may embed from any host (pictures, scripts, frames, requests, sockets); False = everything
    that leaves the browser goes to `hosts` only. `files`: whether a tab may show files of this machine.

    Raises `UserError` for a pattern that names no host.
    """

    hosts: tuple[str, ...] = ()
    embeds: bool = True
    files: bool = False
    _patterns: tuple[_Pattern, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_patterns", tuple(_Pattern.read(text) for text in self.hosts))

    @classmethod
    def of_site(cls, url: str, *more: str, embeds: bool = True) -> Policy:
        """The site that `url` belongs to, and the hosts `more`.

        The site is the host, all hosts below it, and, for ``www.shop.example``, ``shop.example`` with all below it.
        For an address on this machine's disk: files.
        """
        scheme, host, _ = address_of(url)
        if scheme == "file":
            return cls(hosts=more, embeds=embeds, files=True)
        if not host:
            raise UserError(f"{url!r} is no address of a site: it has no host")
        base = host.removeprefix("www.") if host.count(".") > 1 else host
        site = (base,) if _is_address(base) else (base, f"*.{base}")
        return cls(hosts=(*site, *more), embeds=embeds)

    def allows(self, host: str, port: int | None) -> bool:
        """Whether this host may be talked to as a page's own; any spelling of it."""
        name = canonical_host(host)
        return bool(name) and any(p.matches(name, port) for p in self._patterns)

    def allows_page(self, url: str) -> bool:
        """Whether a tab may show this address."""
        scheme, host, port = address_of(url)
        if scheme in ("http", "https"):
            return bool(host) and self.allows(host, port)
        return scheme in HARMLESS or (scheme == "file" and self.files)
