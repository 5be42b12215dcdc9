"""Who has an account, how passwords are kept, and the sessions that exist from the start."""

import hashlib
import json
from pathlib import Path

from django.contrib.auth.hashers import PBKDF2PasswordHasher

ACCOUNTS = json.loads((Path(__file__).parent / "accounts.json").read_text(encoding="utf-8"))


class QuickHasher(PBKDF2PasswordHasher):
    """PBKDF2 with few rounds: these passwords are public, and signing in should not take a second."""

    algorithm = "pbkdf2_sha256"
    iterations = 1_000


def session_key(name):
    """The key of the session in which `name` is signed in from the start; the launcher derives the same one."""
    return hashlib.sha256(f"juniper-lane:{name}".encode()).hexdigest()[:32]
