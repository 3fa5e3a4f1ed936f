"""A client of a Service: a request every few seconds, each to the next endpoint."""

from __future__ import annotations

import http.client
import itertools
import signal
import sys
import threading
import time
from pathlib import Path

from program_report import report

INTERVAL_SECONDS, TIMEOUT_SECONDS = 10, 120
FOLDER = Path("/run/endpoints")


class Totals:
    """Counts from the first answer on. An outage is reported when it begins and when it ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.sent = self.failed = 0
        self._is_out = True

    def count(self, why: str | None) -> None:
        with self._lock:
            if self.sent == 0 and why is not None:
                return
            self.sent += 1
            self.failed += why is not None
            if (why is not None) != self._is_out:
                self._is_out = why is not None
                report("RequestsFail", why=why) if why else report("RequestsSucceed")


def request(address: str, port: int, totals: Totals) -> None:
    try:
        connection = http.client.HTTPConnection(address, port, timeout=TIMEOUT_SECONDS)
        connection.request("GET", "/v1/completions")
        status = connection.getresponse().status
        connection.close()
        totals.count(None if status == http.HTTPStatus.OK else f"status {status}")
    except (OSError, http.client.HTTPException) as problem:
        totals.count(f"{type(problem).__name__}")


def main() -> int:
    totals, ended = Totals(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    for number in itertools.count():
        if ended.is_set():
            break
        endpoints = (FOLDER / sys.argv[1]).read_text(encoding="ascii").splitlines()
        if endpoints:
            address, port = endpoints[number % len(endpoints)].split()
            threading.Thread(target=request, args=(address, int(port), totals)).start()
        else:
            totals.count("no endpoint")
        time.sleep(INTERVAL_SECONDS)
    report("Requests", sent=totals.sent, failed=totals.failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
