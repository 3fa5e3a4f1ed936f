#!/usr/bin/env python3
"""In the place of neuron-monitor and its Prometheus exporter: reads its configuration, and answers at its port.

As the first process of its container it does not hear SIGTERM, which a shell would not pass on either: the kubelet ends
it after the grace period.
"""

from __future__ import annotations

import argparse
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from program_report import report_replacement

PAGE = b"# TYPE rehearsal_without_metrics gauge\nrehearsal_without_metrics 1\n"


class Metrics(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # noqa: N802  the name that http.server looks for
        self.send_response(200)
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        """Nothing: probes would fill the log."""


def main() -> int:
    report_replacement("neuron-monitor")
    parser = argparse.ArgumentParser(prog="neuron-monitor")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--neuron-monitor-config", type=Path, required=True)
    given = parser.parse_args()
    json.loads(given.neuron_monitor_config.read_text(encoding="utf-8"))
    ThreadingHTTPServer(("0.0.0.0", given.port), Metrics).serve_forever(poll_interval=1)  # noqa: S104  the pod's own
    return 0


if __name__ == "__main__":
    sys.exit(main())
