"""Which faults are to be served now, how often each could have been, and the log of what began and ended."""

import json
import threading

FILE, LOG = "faults.json", "faults.log"


class BadFaults(ValueError):
    """The harness's file cannot be understood; the message says why."""


class Desk:
    """Reads the harness's file. Whenever that changes, another episode has begun and all counters are new."""

    def __init__(self, folder, kinds):
        self._file, self._log = folder / FILE, folder / LOG
        self._kinds = kinds
        self._text = ""
        self._faults = ()
        self._lock = threading.RLock()

    def faults(self):
        """The faults of the episode, none without a file. Raises `BadFaults`."""
        with self._lock:
            text = self._read()  # in here, or a straggler could put an older text back
            if text != self._text:
                self._faults = self._made(text) if text else ()
                self._text = text
            return self._faults

    def note(self, **line):
        """One more line in the log."""
        with self._lock, self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def current(self, text):
        """Whether the episode of the file `text` still goes on."""
        return self._read() == text

    def _read(self):
        try:
            return self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise BadFaults(f"{FILE} cannot be read: {error}") from error

    def _made(self, text):
        """The faults that the file names, in the order in which they act on a request."""
        try:
            asked = json.loads(text)["faults"]
            unknown = {fault["kind"] for fault in asked} - set(self._kinds)
            if unknown:
                raise BadFaults(f"{FILE} names a fault that this shop does not know: {', '.join(sorted(unknown))}")
            made = [
                self._kinds[fault["kind"]](
                    number,
                    onset=int(fault["onset"]),
                    lasts=int(fault["lasts"]),
                    seconds=float(fault["seconds"]),
                    note=self.note,
                    lock=self._lock,
                    current=lambda: self.current(text),
                )
                for number, fault in enumerate(asked, start=1)
            ]
        except BadFaults:
            raise
        except (ValueError, TypeError, LookupError) as error:
            raise BadFaults(f"{FILE} is damaged: {type(error).__name__}: {error}") from error
        order = list(self._kinds)
        return tuple(sorted(made, key=lambda fault: order.index(fault.kind)))
