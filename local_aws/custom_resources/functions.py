"""Invocations of the functions of this local AWS: their code as it was published, their logs in CloudWatch Logs."""

from __future__ import annotations

import re
import threading
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.clients import local_client
from local_aws.environment import sdk_variables
from local_aws.lambda_runtime.function import Function, Result
from local_aws.lambda_runtime.runner import FunctionRunner

FUNCTION_ARN = re.compile(r"arn:[\w-]+:lambda:(?P<region>[\w-]+):(?P<account>\d{12}):function:(?P<name>[\w-]+)(:\S+)?")
LINES_KEPT = 5000


class Invoker(Struct, frozen=True):
    """The account and Region for which a function is invoked."""

    account: str
    region: str
    endpoint: str

    @property
    def variables(self) -> dict[str, str]:
        return sdk_variables(self.endpoint, self.account, self.region)

    def client(self, service: str) -> Any:
        return local_client(service, self.endpoint, self.account, self.region)


class Functions:
    """One for a local AWS."""

    def __init__(self, folder: Path) -> None:
        self._runner = FunctionRunner(folder)
        self._lock = threading.Lock()
        self._events: set[threading.Thread] = set()

    def invoke(self, invoker: Invoker, name: str, event: Any, *, most_seconds: int | None = None) -> Result:
        """Runs a function, found by its name or ARN, and waits for its end.

        Raises ClientError for a function that is not there, and CannotRun for one that cannot run on this machine.
        """
        where, function = self.find(invoker, name)
        if most_seconds is not None:
            function = replace(function, timeout=min(function.timeout, most_seconds))
        request_id, began = str(uuid.uuid4()), time.monotonic()
        result = self._runner.run(function, event, request_id)
        _write_log(where, function, request_id, result.log, time.monotonic() - began)
        return result

    def start(self, invoker: Invoker, name: str, event: Any) -> None:
        """Runs a function while the caller goes on."""
        self.find(invoker, name)

        def work() -> None:
            try:
                self.invoke(invoker, name, event)
            finally:
                with self._lock:
                    self._events.discard(thread)

        thread = threading.Thread(target=work, name=f"function {name}", daemon=True)
        with self._lock:
            self._events.add(thread)
        thread.start()

    def wait(self) -> None:
        """Until no function runs that was started with ``start``."""
        while self._events:
            for thread in list(self._events):
                thread.join()

    def close(self) -> None:
        """Ends every function that runs."""
        self._runner.close()
        self.wait()

    def find(self, invoker: Invoker, name: str) -> tuple[Invoker, Function]:
        """A function with its code, and where it is."""
        if (arn := FUNCTION_ARN.fullmatch(name)) is not None:
            invoker = Invoker(arn["account"], arn["region"], invoker.endpoint)
        configuration = invoker.client("lambda").get_function(FunctionName=name)["Configuration"]
        backend = published_code(invoker.account, invoker.region)
        published = backend.get_function(configuration["FunctionName"])
        layers = (backend.layers_versions_by_arn(layer["Arn"]) for layer in configuration.get("Layers", ()))
        return invoker, Function(
            arn=configuration["FunctionArn"],
            runtime=configuration.get("Runtime", ""),
            handler=configuration.get("Handler", ""),
            code=getattr(published, "code_bytes", b""),
            layers=tuple(layer.code_bytes for layer in layers),
            variables={**invoker.variables, **configuration.get("Environment", {}).get("Variables", {})},
            timeout=configuration["Timeout"],
            memory=configuration["MemorySize"],
            log_group=configuration["LoggingConfig"]["LogGroup"],
        )


def published_code(account: str, region: str) -> Any:
    """moto's functions and layers with their code, which the Lambda API gives as a URL that nothing serves here.

    moto keeps them apart by whether functions may run in Docker.
    """
    from moto.awslambda.utils import get_backend

    return get_backend(account, region)


def _write_log(where: Invoker, function: Function, request_id: str, log: str, seconds: float) -> None:
    """Writes the log to CloudWatch Logs as Lambda does, which creates the log group."""
    logs = where.client("logs")
    stream = f"{datetime.now(UTC):%Y/%m/%d}/[$LATEST]{uuid.uuid4().hex}"
    if not logs.describe_log_groups(logGroupNamePrefix=function.log_group)["logGroups"]:
        logs.create_log_group(logGroupName=function.log_group)
    logs.create_log_stream(logGroupName=function.log_group, logStreamName=stream)
    lines = [
        f"START RequestId: {request_id} Version: $LATEST",
        *[line for line in log.splitlines() if line.strip()][-LINES_KEPT:],
        f"END RequestId: {request_id}",
        f"REPORT RequestId: {request_id}\tDuration: {seconds * 1000:.2f} ms\tMemory Size: {function.memory} MB",
    ]
    now = int(time.time() * 1000)
    events = [{"timestamp": now, "message": line} for line in lines]
    logs.put_log_events(logGroupName=function.log_group, logStreamName=stream, logEvents=events)
