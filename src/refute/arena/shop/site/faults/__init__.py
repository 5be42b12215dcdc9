"""Faults that the shop serves on purpose, when the harness asks for them: ``faults.Faults`` is the middleware.

The harness writes ``faults.json`` into the data folder before an episode and reads ``faults.log`` from there. Without
that file every page is what it would be without this package.
"""

from faults.middleware import Faults

__all__ = ["Faults"]
