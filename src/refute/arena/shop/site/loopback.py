"""The shop keeps to this machine: its process may talk to loopback addresses only, whatever asks for more."""

import ipaddress
import sys

SENDING = ("socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg")
"""Audit events of Python's sockets whose second argument is an address; they come before anything is sent."""
RESOLVING = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
"""Audit events that name a host first: asking for an address is talking already."""
LEAVING = ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system")
"""Audit events of programs whose sockets nobody here would see."""


class LeftLoopback(Exception):
    """Something tried to reach another machine."""


def keep_to_loopback():
    """From now on, refuse what would leave this machine, in every thread and until the process ends."""
    sys.addaudithook(_audit)


def _audit(event, arguments):
    if event in SENDING:
        address = arguments[1]
        if isinstance(address, tuple) and not is_loopback(address[0]):
            _refuse(event, address[0])
    elif event in RESOLVING:
        if not is_loopback(arguments[0]):
            _refuse(event, arguments[0])
    elif event == "socket.getnameinfo":
        if not is_loopback(arguments[0][0]):
            _refuse(event, arguments[0][0])
    elif event in LEAVING:
        _refuse(event, arguments[0] if arguments else "")


def _refuse(event, what):
    print(f"ERROR loopback refused {event} {what!r}", file=sys.stderr, flush=True)
    raise LeftLoopback(f"the shop keeps to this machine: {event} {what!r} was refused")


def is_loopback(host):
    """Whether `host` (a name, an address, or None for this machine) is reached without a network."""
    if host in (None, "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else host).is_loopback
    except ValueError:
        return False
