"""Values that an agent may use and nobody is shown: passwords, codes, keys.

A task or an action says ``<secret:NAME>``. The value takes its place when it is typed into a page of a host that it is
for, and wherever a page says it again, the placeholder takes the place of the value before the text leaves this room.
"""

from __future__ import annotations

import html
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, quote_plus

from refute._errors import UserError
from refute.browser._policy import Policy, address_of

PREFIX = "REFUTE_SECRET_"
"""Of the environment variables that hold secrets."""
SHORTEST = 4
"""Characters: less could not be told from other text of a page."""
PLACEHOLDER = re.compile(r"<secret:([A-Za-z_][A-Za-z0-9_]*)>")
TELLING = 40
"""Characters of a longer value that are as good as all of it, cut off or not."""
BETWEEN = r"[\s\u00ad\u200b-\u200d\u2060]*"
"""What a page may put between two characters without changing how they read."""


class SecretRefused(Exception):
    """A secret that may not be typed here; the message holds its name and never its value."""


@dataclass(frozen=True, kw_only=True)
class Secret:
    """One value, and the hosts that it is for (patterns as in `Policy`).

    Raises `UserError` for a value that is too short to be recognised again, or without any host.
    """

    name: str
    value: str = field(repr=False)
    hosts: tuple[str, ...]

    def __post_init__(self) -> None:
        if PLACEHOLDER.fullmatch(f"<secret:{self.name}>") is None:
            raise UserError(f"{self.name!r} cannot name a secret: use letters, digits and underscores")
        if len(re.sub(r"\s", "", self.value)) < SHORTEST:
            raise UserError(f"secret {self.name} has fewer than {SHORTEST} characters: it could not be kept hidden")
        if not self.hosts:
            raise UserError(f"secret {self.name} is for no host: say which under `hosts`")
        Policy(hosts=self.hosts)


class Secrets:
    """The secrets of one session."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._secrets = {secret.name: secret for secret in secrets}
        self._policies = {name: Policy(hosts=secret.hosts) for name, secret in self._secrets.items()}
        self._names = sorted(self._secrets, key=lambda name: -len(self._secrets[name].value))
        patterns = [f"({_pattern(self._secrets[name].value)})" for name in self._names]
        self._shown = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def __repr__(self) -> str:
        return f"Secrets({', '.join(self._secrets)})"

    @property
    def spellings(self) -> tuple[str, ...]:
        """What must not be seen on a page, for those who cover it up."""
        return tuple(text for secret in self._secrets.values() for text in (secret.value, *_spelled(secret.value)))

    def require(self, text: str) -> None:
        """Raises `UserError` when `text` names a secret that is not here."""
        for name in PLACEHOLDER.findall(text):
            if name not in self._secrets:
                raise UserError(
                    f"the task names the secret {name}, and there is none: set {PREFIX}{name} to a value that is for "
                    "the site of the run, or give a file with its value and hosts (--secrets)"
                )

    def reveal(self, text: str, url: str) -> str:
        """`text` as it is typed into a document at `url`. Raises `SecretRefused` for the wrong host or a wrong name."""

        def value(found: re.Match[str]) -> str:
            name = found[1]
            if name not in self._secrets:
                known = ", ".join(self._secrets) or "none"
                raise SecretRefused(f"there is no secret {name}; there is: {known}")
            scheme, host, port = address_of(url)
            if scheme not in ("http", "https") or not self._policies[name].allows(host, port):
                raise SecretRefused(f"secret {name} may not be typed into a page of {host or scheme or 'this kind'}")
            return self._secrets[name].value

        return PLACEHOLDER.sub(value, text)

    def redact(self, text: str) -> str:
        """`text` with every value in it replaced by its placeholder, however it is spelled or cut off."""
        if self._shown is None:
            return text
        return self._shown.sub(lambda found: f"<secret:{self._names[(found.lastindex or 1) - 1]}>", text)


def _pattern(value: str) -> str:
    """Finds `value` in what a page shows: as it is, in an address, in markup, in a program's text, or cut off."""
    plain = [character for character in value if not character.isspace()]
    sizes = range(min(len(plain) - 1, TELLING), SHORTEST - 1, -1)
    heads = [_run(plain[:size]) + (BETWEEN + "…" if size < TELLING else "") for size in sizes]
    tails = [("…" + BETWEEN if size < TELLING else "") + _run(plain[-size:]) for size in sizes]
    return "|".join([_run(plain), *(re.escape(text) for text in _spelled(value)), *heads, *tails])


def _spelled(value: str) -> list[str]:
    """Other ways to write `value`, the longest first."""
    quoted = {repr(value)[1:-1], value.replace("\\", "\\\\").replace('"', '\\"')}
    texts = {quote(value, safe=""), quote(value), quote_plus(value), html.escape(value), *quoted}
    return sorted(texts - {value}, key=len, reverse=True)


def _run(characters: Sequence[str]) -> str:
    return BETWEEN.join(_character(character) for character in characters)


def _character(character: str) -> str:
    """What may stand for a character: the walker writes ' for ", and names of files hold no character of a path."""
    if character in "\"'":
        return "[\"'_]"
    return f"[{re.escape(character)}_]" if character in "<>:/\\|?*~" else re.escape(character)


def secret_names(text: str) -> frozenset[str]:
    """The names of the secrets that `text` calls for."""
    return frozenset(PLACEHOLDER.findall(text))


def read_secrets(
    file: Path | None = None,
    *,
    names: Collection[str] | None = None,
    hosts: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Secrets:
    """The secrets of `file` (TOML), and those in variables ``REFUTE_SECRET_NAME``, which are for `hosts`.

    The file has a table for each secret, with `hosts` and either `value` or `variable` (an environment variable that
    holds the value). It goes before the environment. Without `hosts` the environment is not looked at. `names`: only
    these, and the others are not even looked at (None = all). Raises `UserError`; no message holds a value.
    """
    env = os.environ if environment is None else environment
    found = {secret.name: secret for secret in _read_file(file, env, names)} if file is not None else {}
    for variable, value in env.items():
        name = variable.removeprefix(PREFIX)
        wanted = name != variable and (names is None or name in names)
        if wanted and name not in found and value and hosts:
            found[name] = Secret(name=name, value=value, hosts=hosts)
    return Secrets(found.values())


def _read_file(file: Path, env: Mapping[str, str], names: Collection[str] | None) -> list[Secret]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise UserError(f"{file} is no TOML; it holds a table for each secret, with `value` and `hosts`") from None
    return [_secret(file, name, table, env) for name, table in tables.items() if names is None or name in names]


def _secret(file: Path, name: str, table: Any, env: Mapping[str, str]) -> Secret:
    entries = cast("dict[str, Any]", table) if isinstance(table, dict) else {}
    value, variable, hosts = entries.get("value"), entries.get("variable"), entries.get("hosts")
    if set(entries) - {"value", "variable", "hosts"} or (value is None) == (variable is None):
        raise UserError(f"{file}: [{name}] needs `hosts`, and either `value` or `variable`, and nothing else")
    names = cast("list[Any]", hosts) if isinstance(hosts, list) else []
    if not names or not all(isinstance(host, str) for host in names):
        raise UserError(f'{file}: [{name}] needs `hosts`, for example hosts = ["shop.example"]')
    text = env.get(str(variable), "") if value is None else value
    if not isinstance(text, str) or not text:
        where = f"the variable {variable} is empty" if value is None else "its `value` is no text"
        raise UserError(f"{file}: [{name}] has no value: {where}")
    return Secret(name=name, value=text, hosts=tuple(names))
