"""For all tests."""

import signal

from hypothesis import settings

# How long an example takes says something of the machine's load, and nothing of the code.
settings.register_profile("refute", deadline=None)
settings.load_profile("refute")

# A shell starts what it puts into the background deaf to Ctrl-C, and the programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
