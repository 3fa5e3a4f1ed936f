"""Hosts outside of the cluster: names that end in ``.rehearsal``. Each process that looks one up serves it itself."""

from __future__ import annotations

import functools
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from program_report import report_replacement

SERVER = "vllm.rehearsal"
"""A server that another release installed; all other hosts are the Hub."""


def address_of(host: str) -> tuple[str, int]:
    """Where it answers, whatever the port."""
    if host == SERVER:
        import completions

        return served("vllm", completions.Server, completions.Handler)
    import model_hub

    return served("huggingface.co", ThreadingHTTPServer, model_hub.Handler)


@functools.cache
def served(replaced: str, kind: type[ThreadingHTTPServer], handler: type[BaseHTTPRequestHandler]) -> tuple[str, int]:
    """Address and port of this process's server, which starts at the first look-up."""
    report_replacement(replaced)
    server = kind((os.environ["REHEARSAL_ADDRESS"], 0), handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 1}, daemon=True).start()
    return str(server.server_address[0]), server.server_address[1]
