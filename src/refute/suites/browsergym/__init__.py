"""BrowserGym's task packages, in a child process with an environment of its own."""

from refute.suites.browsergym._packages import PACKAGES, Package, package
from refute.suites.browsergym._process import BrowserGymProcess
from refute.suites.browsergym._suite import browsergym_suite, prepare

__all__ = ["PACKAGES", "BrowserGymProcess", "Package", "browsergym_suite", "package", "prepare"]
