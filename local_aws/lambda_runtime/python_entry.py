"""Runs the handler of a function of Python once. It is a script of its own: it imports nothing but Python's library.

Argument: the folder of the invocation, which has the request and gets the answer.
"""

from __future__ import annotations

import http.client
import importlib
import json
import logging
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


class Context:
    """The context object. Source: https://docs.aws.amazon.com/lambda/latest/dg/python-context.html"""

    def __init__(self, request: dict[str, Any]) -> None:
        self.aws_request_id = request["requestId"]
        self.invoked_function_arn = request["arn"]
        self.function_name = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
        self.function_version = os.environ["AWS_LAMBDA_FUNCTION_VERSION"]
        self.memory_limit_in_mb = os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]
        self.log_group_name = os.environ["AWS_LAMBDA_LOG_GROUP_NAME"]
        self.log_stream_name = request["requestId"]
        self.identity = self.client_context = None
        self._end = time.monotonic() + float(request["timeout"])

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self._end - time.monotonic()) * 1000))


def _answer_without_tls() -> None:
    """The response URL of a custom resource is on the local AWS, which has no certificate."""
    endpoint = urlsplit(os.environ.get("AWS_ENDPOINT_URL", ""))
    make, connect = http.client.HTTPSConnection.__init__, http.client.HTTPSConnection.connect

    def made(connection: http.client.HTTPSConnection, *arguments: Any, **options: Any) -> None:
        make(connection, *arguments, **options)
        if connection.host == endpoint.hostname:
            connection.port = endpoint.port or 80

    def connected(connection: http.client.HTTPSConnection) -> None:
        is_here = connection.host == endpoint.hostname
        http.client.HTTPConnection.connect(connection) if is_here else connect(connection)

    for name, method in (("__init__", made), ("connect", connected)):
        setattr(http.client.HTTPSConnection, name, method)


def _find_programs_of_layers() -> None:
    """``/opt`` is where the layers are in Lambda."""
    layers = os.environ["LOCAL_AWS_LAYERS"]

    def placed(argument: Any) -> Any:
        is_text = isinstance(argument, str) and argument.startswith("/opt/")
        return layers + argument.removeprefix("/opt") if is_text else argument

    class Popen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, args: Any, *more: Any, **options: Any) -> None:
            super().__init__([placed(each) for each in args] if isinstance(args, list) else args, *more, **options)

    vars(subprocess)["Popen"] = Popen


def _handler() -> Any:
    layers = Path(os.environ["LOCAL_AWS_LAYERS"])
    here = Path(__file__).parent
    sys.dont_write_bytecode = True
    in_layers = [layers / "python", *layers.glob("python/lib/python3.*/site-packages")]
    sys.path[:0] = [os.environ["LAMBDA_TASK_ROOT"], *map(str, in_layers)]
    sys.path.append(str(here / "modules"))
    module, _, name = os.environ["_HANDLER"].rpartition(".")
    return getattr(importlib.import_module(module.replace("/", ".")), name)


def main(folder: Path) -> None:
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    logging.basicConfig(format="[%(levelname)s]\t%(message)s")
    _answer_without_tls()
    _find_programs_of_layers()
    answer: dict[str, Any]
    try:
        answer = {"failed": False, "payload": _handler()(request["event"], Context(request))}
        text = json.dumps(answer)
    except Exception as error:  # noqa: BLE001 - as Lambda does
        trace = traceback.format_exception(error)
        sys.stderr.write(f"[ERROR] {type(error).__name__}: {error}\n{''.join(trace)}")
        failure = {"errorMessage": str(error), "errorType": type(error).__name__, "stackTrace": trace}
        text = json.dumps({"failed": True, "payload": failure})
    (folder / "answer.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
