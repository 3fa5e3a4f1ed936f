"""The local AWS as one object: an HTTP server on the loopback interface, in this process."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from local_aws.checks import Check, use_checks
from local_aws.clock import CLOCK, DELAYS
from local_aws.environment import local_environment
from local_aws.http.in_process_transport import serve_in_process
from local_aws.knowledge.current import VENDORED, use
from local_aws.knowledge.knowledge import Knowledge
from local_aws.run_secrets import forget_secret, new_secret, remember_secret

if TYPE_CHECKING:
    from local_aws.contract import Store
    from local_aws.custom_resources.controller import Controller
    from local_aws.engine.provider import ResourceProvider
    from local_aws.http.front_door import FrontDoor

HOST = "127.0.0.1"
POLL_SECONDS = 0.05
"""How often the server looks whether it is to stop."""


class LocalAws:
    """Serves every account and Region until it is closed; all state lives in memory and starts empty.

    ``aws.environment(account, region)`` are the variables of a client: the access key id is the account, the secret
    access key is made at start, and a request that is not signed with it is refused. moto keeps its state per
    process, so one process holds one local AWS at a time: a second one raises RuntimeError. Raises OSError when the
    port is taken. ``knowledge`` are facts about AWS in place of the vendored ones; ``checks`` refuse calls and
    templates before the services do; ``providers`` serve custom resources in place of their functions, and
    ``controllers`` act in clusters that have their charts.
    """

    _running: LocalAws | None = None
    clock, delays = CLOCK, DELAYS

    def __init__(
        self,
        port: int = 0,
        *,
        principals_must_exist: bool = False,
        is_fresh_account: bool = False,
        files_in: Path | None = None,
        knowledge: Knowledge = VENDORED,
        checks: Sequence[Check] = (),
        providers: Sequence[Callable[[Store], ResourceProvider]] = (),
        controllers: Sequence[Controller] = (),
    ) -> None:
        if LocalAws._running is not None:
            raise RuntimeError(
                "this process runs a local AWS already: close it first, or start the other one in a process of its own"
            )
        use(knowledge)
        use_checks(checks)
        with contextlib.ExitStack() as undo:
            listener = undo.enter_context(socket.create_server((HOST, port)))
            self.endpoint = f"http://{HOST}:{listener.getsockname()[1]}"
            """Where it listens; an IP address, because it makes every SDK use path-style S3."""
            self._secret = new_secret()
            remember_secret(self.endpoint, self._secret)
            undo.callback(forget_secret, self.endpoint)
            self._folder = undo.enter_context(tempfile.TemporaryDirectory(prefix="local-aws-", dir=files_in))
            door = self._serve(listener, Path(self._folder), providers, controllers)
            undo.enter_context(serve_in_process(self.endpoint, door.answer))
            self.store.principals_must_exist = principals_must_exist
            self.store.is_fresh_account = is_fresh_account
            self.clock.listeners += [self._fire_schedules, _run_lifecycle_rules]
            undo.callback(self.clock.listeners.clear)
            undo.callback(self._stop)
            self._undo = undo.pop_all()
        LocalAws._running = self

    def _serve(
        self,
        listener: socket.socket,
        folder: Path,
        more: Sequence[Callable[[Store], ResourceProvider]],
        controllers: Sequence[Controller],
    ) -> FrontDoor:
        from local_aws.contract import Store
        from local_aws.custom_resources.custom_resource import CustomResourceProvider
        from local_aws.custom_resources.functions import Functions
        from local_aws.engine.stack_engine import StackEngine
        from local_aws.faults import Faults, behind_faults
        from local_aws.handlers.discover import discover_providers
        from local_aws.http.front_door import FrontDoor
        from local_aws.http.gate import Gate
        from local_aws.http.http_server import HttpServer
        from local_aws.moto_dispatch import MotoDispatch
        from local_aws.moto_state import set_up_moto

        set_up_moto()
        _import_operations()
        self.clock.reset()
        self.delays.reset()
        self.store = Store()
        self._functions = Functions(folder / "functions")
        self.store.share(self._functions)
        self._custom_resources = CustomResourceProvider(
            self.store, folder, functions=self._functions, controllers=controllers
        )
        providers = {
            **discover_providers(),
            CustomResourceProvider.type_name: self._custom_resources,
            **{made.type_name: made for made in (create(self.store) for create in more)},
        }
        self.faults = Faults(providers, self.store.scarce, self.store.unhealthy)
        faulty = behind_faults(providers, self.faults)
        self.engine = StackEngine(faulty, self.endpoint, self.faults.is_holding)
        door = FrontDoor(MotoDispatch().answer, self.store, self.engine, self.endpoint, self._secret, self.faults)
        self._gate = Gate(door)
        self._server = HttpServer(listener, self._gate)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(POLL_SECONDS,), name="local-aws", daemon=True
        )
        self._thread.start()
        return door

    def _stop(self) -> None:
        from local_aws.clients import close_clients

        self.faults.release()
        self._functions.close()
        self._custom_resources.close()  # ends their processes, so that a stack operation waits for none
        self.engine.close()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        close_clients(self.endpoint)

    def _fire_schedules(self, before: datetime, now: datetime) -> None:
        from local_aws.services.scheduler.schedules import fire_due

        fire_due(self.store, self.endpoint, before, now)

    def environment(self, account: str, region: str) -> dict[str, str]:
        """The variables with which ``cdk``, the AWS CLI and boto3 use this local AWS, and nothing else."""
        return local_environment(self.endpoint, account, region)

    def empty(self) -> None:
        """Ends stack operations, then forgets every resource, stack and record of every account."""
        from local_aws.moto_state import reset_moto

        self.engine.forget()
        self._custom_resources.end_server()
        self._functions.wait()
        self.store.tables.clear()
        reset_moto()

    def snapshot(self, path: Path) -> None:
        """Writes every account, Region and stack into a file; running stack operations end first.

        Requests wait meanwhile. Raises ``SnapshotError`` where the file cannot be written, and for state that
        snapshots do not support; a file that was there is then unchanged.
        """
        from local_aws.snapshot.snapshots import write_snapshot

        with self._still("written"):
            write_snapshot(self, path)

    def restore(self, path: Path) -> None:
        """Puts what ``snapshot`` has written in the place of every account, Region and stack.

        Raises ``SnapshotError`` for a file of another version, and for one that is damaged or not a snapshot; the state
        is then as it was.
        """
        from local_aws.snapshot.snapshots import restore_snapshot

        with self._still("restored"):
            restore_snapshot(self, path)

    @contextlib.contextmanager
    def _still(self, done: str) -> Iterator[None]:
        """Nothing changes the state but the block."""
        from local_aws.http.gate import GateTimeout
        from local_aws.snapshot.archive import SnapshotError

        if self.faults.is_holding():
            raise SnapshotError(f"no snapshot is {done} while a fault holds a resource", "release the resource first")
        if self.engine.awaits_signals:
            raise SnapshotError(f"no snapshot is {done} while a stack waits for signals", "signal its resource first")
        try:
            with self._gate.closed(self.engine.wait, lambda: self.engine.is_idle):
                yield
        except GateTimeout as error:
            raise SnapshotError(
                f"no snapshot is {done}: requests or stack operations do not end", "end the clients, and try again"
            ) from error

    def close(self) -> None:
        """Ends running custom resources, waits for stack operations, stops the server. Twice is once."""
        if LocalAws._running is self:
            LocalAws._running = None
            self._undo.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _import_operations() -> None:
    from local_aws import services

    for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        importlib.import_module(module.name)


def _run_lifecycle_rules(before: datetime, now: datetime) -> None:
    from local_aws.services.s3.lifecycle_run import run_lifecycle_rules

    run_lifecycle_rules(before, now)
