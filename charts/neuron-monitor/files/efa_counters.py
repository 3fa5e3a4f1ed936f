"""Publishes the hardware counters of a node's EFA devices, as text for Prometheus.

Reads ``/sys/class/infiniband/<device>/ports/<port>/hw_counters/<counter>`` anew for each request; every counter that
the driver has becomes ``efa_<counter>_total``. A node without EFA devices publishes ``efa_devices 0``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DEVICES = Path("/sys/class/infiniband")
NOT_COUNTED = frozenset({"lifespan"})
"""A setting of the kernel beside the counters: for how many milliseconds it keeps what it read."""


def readings(devices: Path) -> Iterator[tuple[str, str, str, int]]:
    """Counter, device, port, value; nothing for a counter that the driver will not tell."""
    for file in sorted(devices.glob("*/ports/*/hw_counters/*")):
        if file.name in NOT_COUNTED:
            continue
        try:
            value = int(file.read_text())
        except (OSError, ValueError):  # gone with its device, or not supported by this one
            continue
        port = file.parent.parent
        yield file.name, port.parent.parent.name, port.name, value


def page(devices: Path = DEVICES) -> str:
    """All counters, grouped by name as the text format wants them."""
    found = [entry.name for entry in devices.iterdir()] if devices.is_dir() else []
    lines = ["# TYPE efa_devices gauge", f"efa_devices {len(found)}"]
    named: dict[str, list[str]] = {}
    for counter, device, port, value in readings(devices):
        named.setdefault(counter, []).append(f'efa_{counter}_total{{device="{device}",port="{port}"}} {value}')
    for counter in sorted(named):
        lines += [f"# TYPE efa_{counter}_total counter", *named[counter]]
    return "\n".join(lines) + "\n"


class Metrics(BaseHTTPRequestHandler):
    """Answers every path with the page."""

    def do_GET(self) -> None:
        body = page().encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """A reading every few seconds is no news."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--port", type=int, required=True)
    ThreadingHTTPServer(("", arguments.parse_args().port), Metrics).serve_forever()


if __name__ == "__main__":
    main()
