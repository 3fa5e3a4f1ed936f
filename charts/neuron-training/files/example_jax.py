"""Trains a tiny model with JAX on synthetic data, data parallel over all devices of all nodes.

It saves every so many steps and when any node is told to stop: the coordination service of JAX passes the signal of one
process on to all, and all save after the same step. With Orbax where the image has it, else the first process writes
files. Tried on CPUs with two processes, never on Neuron devices.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from example_checkpoints import FileCheckpoints
from example_options import Options, read_options
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec

LEARNING_RATE = 0.01
ORBAX = "orbax.checkpoint"
"""Not in every image."""
State = dict[str, Any]


class Store(Protocol):
    """Where checkpoints are. Every process calls every method."""

    def newest(self) -> int | None: ...

    def load(self, step: int, like: State) -> State: ...

    def save(self, step: int, state: State) -> None: ...


class OrbaxStore:
    """Each process writes its part, and the checkpoint is complete when all have."""

    def __init__(self, options: Options) -> None:
        ocp = importlib.import_module(ORBAX)
        self._arguments = ocp.args
        settings = ocp.CheckpointManagerOptions(max_to_keep=options.keep, create=True)
        self._manager = ocp.CheckpointManager(options.folder, options=settings)

    def newest(self) -> int | None:
        step = self._manager.latest_step()
        return None if step is None else int(step)

    def load(self, step: int, like: State) -> State:
        restored: State = self._manager.restore(step, args=self._arguments.StandardRestore(like))
        return restored

    def save(self, step: int, state: State) -> None:
        # `force`: the trainer has decided; Orbax would ask for the preemption a second time.
        self._manager.save(step, args=self._arguments.StandardSave(state), force=True)
        self._manager.wait_until_finished()


class FileStore:
    """All of the state is on every device, so the first process has it whole."""

    def __init__(self, options: Options, replicated: NamedSharding) -> None:
        if options.folder is None:
            raise ValueError("a store needs a folder")
        self._files = FileCheckpoints(options.folder, options.keep)
        self._replicated = replicated

    def newest(self) -> int | None:
        found = self._files.newest()
        # As the first process sees it: another node's view of the volume may be older.
        step = int(multihost_utils.broadcast_one_to_all(jnp.int32(-1 if found is None else found)))
        return None if step < 0 else step

    def load(self, step: int, like: State) -> State:
        with np.load(self._files.path(step)) as saved:
            host = {name: saved[name] for name in like}
        return jax.jit(lambda state: state, out_shardings=self._replicated)(host)

    def save(self, step: int, state: State) -> None:
        if jax.process_index() == 0:
            target = io.BytesIO()
            np.savez(target, **{name: np.asarray(value.addressable_data(0)) for name, value in state.items()})
            self._files.save(step, target.getvalue())
        multihost_utils.sync_global_devices(f"saved step {step}")


def open_store(options: Options, replicated: NamedSharding) -> Store | None:
    if options.folder is None:
        return None
    try:
        return OrbaxStore(options)
    except ModuleNotFoundError:
        return FileStore(options, replicated)


def join() -> None:
    """All processes of the job, of one node too: the coordination service is what takes the signal."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["NNODES"]),
        process_id=int(os.environ["NODE_RANK"]),
        initialization_timeout=int(os.environ.get("TRAINING_START_TIMEOUT_SECONDS", "300")),
    )


def first_state(width: int) -> State:
    first, second = jax.random.split(jax.random.key(0))
    scale = width**-0.5
    return {
        "first": scale * jax.random.normal(first, (width, width)),
        "second": scale * jax.random.normal(second, (width, width)),
    }


def loss_of(state: State, samples: jax.Array) -> jax.Array:
    """To learn: twice the sample."""
    return jnp.mean((jnp.tanh(samples @ state["first"]) @ state["second"] - 2 * samples) ** 2)


def step_of(state: State, samples: jax.Array) -> tuple[State, jax.Array]:
    loss, gradients = jax.value_and_grad(loss_of)(state, samples)
    return jax.tree.map(lambda value, gradient: value - LEARNING_RATE * gradient, state, gradients), loss


def samples_of(step: int, options: Options, sharding: NamedSharding) -> jax.Array:
    """The same in every attempt: a run that repeats or leaves out a step ends with another model."""
    local = options.batch * jax.local_device_count()
    source = np.random.default_rng((step, jax.process_index()))
    mine = source.standard_normal((local, options.width), dtype=np.float32)
    return jax.make_array_from_process_local_data(sharding, mine)


def train(options: Options) -> None:
    mesh = Mesh(np.asarray(jax.devices()), ("data",))
    replicated, split = NamedSharding(mesh, PartitionSpec()), NamedSharding(mesh, PartitionSpec("data"))
    state = jax.jit(lambda: first_state(options.width), out_shardings=replicated)()
    store = open_store(options, replicated)
    begin = (store.newest() if store else None) or 0
    if store and begin:
        state = store.load(begin, state)
    say(f"begins at step {begin} of {options.steps} on {jax.device_count()} devices, {type(store).__name__}")
    one_step = jax.jit(step_of, out_shardings=(replicated, replicated), donate_argnums=0)
    for step in range(begin + 1, options.steps + 1):
        state, loss = one_step(state, samples_of(step, options, split))
        stops = multihost_utils.reached_preemption_sync_point(step)
        if store and (stops or options.is_due(step)):
            store.save(step, state)
            say(f"saved step {step}, loss {float(loss.addressable_data(0)):.6f}")
        if stops:
            say(f"stops after step {step}")
            return
    say("trained")


def say(text: str) -> None:
    if jax.process_index() == 0:
        print(f"example_jax: {text}", flush=True)


def main() -> None:
    """A failure ends the process at once: at a usual end JAX waits for the others, which wait for this one."""
    options = read_options()
    try:
        join()
        train(options)
    except Exception:  # noqa: BLE001  of whichever kind
        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
