"""The trainer of train.py as a JAX job: a process for each rank, and collectives by gloo on CPUs.

A small network is split over all devices; each step computes its loss, the gradient and new parameters together. Each
rank saves its part of the parameters. The digest of all of them is the same in each run that leaves out no step.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import time
from typing import TYPE_CHECKING, Any

import train
from train import FAILED, Place

if TYPE_CHECKING:
    import argparse

INPUTS, WIDTH, EXAMPLES, RATE = 16, 8, 32, 0.05
"""Sizes of the network: WIDTH hidden values on each device."""
SLOWEST = 20
"""Seconds of the rehearsal in one second here, at least; as clock.py has it."""
XLA_FLAGS = (
    "--xla_cpu_multi_thread_eigen=false",
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
)
"""The network is small: its compilation would take most of the time."""
HEARTBEAT_SECONDS = 10
"""Here: JAX's own time-outs do not follow the clock. The signs of life of the chart's pods end a hang before."""


def start_jax(given: argparse.Namespace, place: Place) -> None:
    """Meets the other ranks at the coordinator, which is rank 0. Raises RuntimeError after the time for it."""
    sys.path.append(given.libraries)
    os.environ["XLA_FLAGS"] = " ".join(XLA_FLAGS)
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_num_cpu_devices", devices_of_rank())
    jax.config.update("jax_enable_preemption_service", False)  # SIGTERM is the loop's
    if place.rank:
        await_coordinator(place)
    coordinator = f"{socket.gethostbyname(place.host)}:{place.port}"
    jax.distributed.initialize(
        coordinator,
        place.size,
        place.rank,
        local_device_ids=list(range(devices_of_rank())),
        coordinator_bind_address=coordinator,
        initialization_timeout=start_seconds() // SLOWEST,
        heartbeat_timeout_seconds=HEARTBEAT_SECONDS,
        shutdown_timeout_seconds=HEARTBEAT_SECONDS,
    )


def await_coordinator(place: Place) -> None:
    """Until it listens: after a connection that fails JAX waits for a second here. Raises RuntimeError as JAX does."""
    deadline = time.monotonic() + start_seconds()
    while True:
        try:
            socket.create_connection((place.host, place.port)).close()
        except OSError as problem:
            if time.monotonic() > deadline:
                raise RuntimeError(f"no coordinator at {place.host}:{place.port}: {problem}") from problem
            time.sleep(train.RETRY_SECONDS)
        else:
            return


def devices_of_rank() -> int:
    """One for each process of torchrun; without it one process has all ranks of the node, as with Neuron devices."""
    return 1 if "RANK" in os.environ else int(os.environ.get("REHEARSAL_RANKS", "1"))


def start_seconds() -> int:
    return int(os.environ.get("TRAINING_START_TIMEOUT_SECONDS", train.RENDEZVOUS_SECONDS))


class Devices:
    """All devices of all ranks, and how values are split over them."""

    def __init__(self) -> None:
        import jax
        import numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        mesh = Mesh(np.array(jax.devices()), ("ranks",))
        self.count = jax.device_count()
        self.rows = NamedSharding(mesh, PartitionSpec("ranks"))
        self.columns = NamedSharding(mesh, PartitionSpec(None, "ranks"))
        self.same = NamedSharding(mesh, PartitionSpec())
        """Each device has the whole value."""


class Gathering:
    """All ranks meet in an operation of JAX."""

    def __init__(self, devices: Devices) -> None:
        import jax

        self._devices = devices
        self._any = jax.jit(lambda flags: flags.any(), out_shardings=devices.same)

    def exchange(self, *, stops: bool) -> bool:
        import jax
        import numpy as np

        own = np.full(len(jax.local_devices()), stops)
        return bool(self._any(jax.make_array_from_process_local_data(self._devices.rows, own)))


class Network:
    """Parameters that are split over all devices: each holds WIDTH hidden values with what leads to and from them."""

    def __init__(self, devices: Devices) -> None:
        import jax
        import numpy as np

        self._devices = devices
        whole = np.random.default_rng(0).normal(size=(INPUTS + 1, WIDTH * devices.count)).astype(np.float32) / INPUTS
        self._parameters = jax.make_array_from_callback(whole.shape, devices.columns, lambda index: whole[index])
        self._loss = float("nan")
        self._step = jax.jit(next_parameters, out_shardings=(devices.columns, devices.same))

    @property
    def state(self) -> str:
        """The parameters of this rank."""
        import numpy as np

        shards = sorted(self._parameters.addressable_shards, key=lambda shard: shard.index[1].start or 0)
        return np.concatenate([shard.data for shard in shards], axis=1).tobytes().hex()

    @state.setter
    def state(self, text: str) -> None:
        import jax
        import numpy as np

        own = np.frombuffer(bytes.fromhex(text), np.float32).reshape(INPUTS + 1, -1)
        self._parameters = jax.make_array_from_process_local_data(self._devices.columns, own)

    def advance(self, step: int) -> None:
        self._parameters, loss = self._step(self._parameters, *examples_of(step))
        self._loss = float(loss)

    def result(self) -> dict[str, object]:
        import jax
        import numpy as np

        whole = jax.device_put(self._parameters, self._devices.same)
        return {"loss": f"{self._loss:.6f}", "state": hashlib.sha256(np.asarray(whole).tobytes()).hexdigest()}


def examples_of(step: int) -> tuple[Any, Any]:
    """Inputs and what the network should make of them, the same in each run."""
    import numpy as np

    inputs = np.sin(step * (1.0 + np.arange(EXAMPLES * INPUTS))).reshape(EXAMPLES, INPUTS).astype(np.float32)
    return inputs, np.sin(inputs.sum(axis=1))


def next_parameters(parameters: Any, inputs: Any, targets: Any) -> tuple[Any, Any]:
    """The parameters after a step with these examples, and its loss."""
    import jax

    loss, gradient = jax.value_and_grad(loss_of)(parameters, inputs, targets)
    return parameters - RATE * gradient, loss


def loss_of(parameters: Any, inputs: Any, targets: Any) -> Any:
    import jax.numpy as jnp

    outputs = jnp.tanh(inputs @ parameters[:INPUTS]) @ parameters[INPUTS]
    return jnp.mean((outputs - targets) ** 2)


def main() -> int:
    parser = train.option_parser()
    parser.add_argument("--libraries", required=True, help="folder that has JAX")
    given, place = parser.parse_args(), train.read_place(os.environ)
    try:
        start_jax(given, place)
        devices = Devices()
        train.train(given, place, Gathering(devices), Network(devices))
    except (OSError, RuntimeError) as problem:  # JAX's errors are RuntimeErrors
        print(f"train: rank {place.rank}: {problem}", file=sys.stderr, flush=True)
        os._exit(FAILED)  # at a usual exit JAX would wait for the other ranks
    return 0


if __name__ == "__main__":
    sys.exit(main())
