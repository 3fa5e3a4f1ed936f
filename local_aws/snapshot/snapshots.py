"""Writes the state of a local AWS into a file, and puts that of a file in its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar

from moto.core.base_backend import BackendDict

from local_aws.clock import Clock, Delays
from local_aws.contract import Store
from local_aws.engine.stack_engine import StackEngine
from local_aws.moto_state import backends_in_use
from local_aws.snapshot.archive import SnapshotError, opened, written
from local_aws.snapshot.classes import class_named, name_of
from local_aws.snapshot.graph import UNREADABLE, GraphReader, GraphWriter


class StatefulAws(Protocol):
    """The parts of ``LocalAws`` that have state outside of moto."""

    clock: Clock
    delays: Delays
    engine: StackEngine
    store: Store

    def empty(self) -> None: ...


def write_snapshot(aws: StatefulAws, path: Path) -> None:
    """Nothing may change the state meanwhile. Raises SnapshotError."""
    with written(path) as archive:
        graph = GraphWriter(archive)
        root = graph.write(collected(aws), "state")
        archive.finish([graph.mutable, graph.immutable, root], clock=aws.clock.now().isoformat())


def restore_snapshot(aws: StatefulAws, path: Path) -> None:
    """Raises SnapshotError; the state is then as it was."""
    with opened(path) as archive:
        mutable, immutable, root = archive.objects()
        graph = GraphReader(archive)
        state = graph.read(mutable, immutable, root)
    install(aws, state)


Value = TypeVar("Value")
SETTINGS = frozenset({"backend", "service_name", "_use_boto3_regions", "_additional_regions", "_id"})
"""Attributes that moto makes again for the backends of a service; other attributes are state."""
OF_ENGINE = "cloudformation"
"""The service of which moto has no state: the engine has the stacks."""
OF_STORE = ("tables", "principals_must_exist", "is_fresh_account")


def collected(aws: StatefulAws) -> dict[str, Any]:
    """All accounts and Regions. Faults are no part of it: they end with the block that sets them."""
    return {
        "moto": {_name(each): _of_service(each) for each in backends_in_use() if each.service_name != OF_ENGINE},
        "store": {name: getattr(aws.store, name) for name in OF_STORE},
        "stacks": aws.engine.table.contents(),
        "change_sets": aws.engine.change_sets.contents(),
        "clock_ahead": aws.clock.ahead,
        "lambda_interfaces": aws.delays.lambda_interfaces,
    }


def install(aws: StatefulAws, state: dict[str, Any]) -> None:
    """Puts the state in the place of an empty one. Raises SnapshotError for another form, before anything is put in."""
    try:
        services = [(_backends(name), *_parts(of_service)) for name, of_service in state["moto"].items()]
        store = {name: state["store"][name] for name in OF_STORE}
        stacks, change_sets = _form(state["stacks"], dict), _form(state["change_sets"], dict)
        ahead, delay = _form(state["clock_ahead"], timedelta), state["lambda_interfaces"]
    except (*UNREADABLE, StopIteration) as error:
        raise SnapshotError(
            f"the state of the snapshot has another form: {type(error).__name__}: {error}",
            "restore it with the version of the toolkit that wrote it, or use another snapshot",
        ) from error
    aws.empty()
    for service, attributes, accounts in services:
        vars(service).update(attributes)
        for account, regions in accounts.items():
            service[account].update(regions)
    for name, value in store.items():
        setattr(aws.store, name, value)
    aws.engine.table.replace(stacks)
    aws.engine.change_sets.replace(change_sets)
    aws.clock.ahead, aws.delays.lambda_interfaces = ahead, delay


def _parts(of_service: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Attributes, and backends by account and Region, without those that moto makes again."""
    attributes = {name: value for name, value in _form(of_service["attributes"], dict).items() if name not in SETTINGS}
    return attributes, {account: _form(regions, dict) for account, regions in of_service["accounts"].items()}


def _form(value: Any, kind: type[Value]) -> Value:
    """The value, if it is of that class. Raises ``TypeError``."""
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} in the place of {kind.__name__}")
    return value


def _of_service(service: Any) -> dict[str, Any]:
    return {
        "attributes": {name: value for name, value in vars(service).items() if name not in SETTINGS},
        "accounts": {account: dict(of_account.items()) for account, of_account in service.items()},
    }


def _name(service: Any) -> str:
    """The name of the class of its backends; moto has two for Lambda."""
    name = name_of(service.backend)
    if name is None:
        raise RuntimeError(f"{service.backend} is not among the modules of snapshots")
    return name


def _backends(name: str) -> Any:
    kind = class_named(name)
    return next(each for each in _backends_in(kind.__module__) if each.backend is kind)


def _backends_in(module: str) -> Iterator[Any]:
    return (each for each in vars(sys.modules[module]).values() if isinstance(each, BackendDict))
