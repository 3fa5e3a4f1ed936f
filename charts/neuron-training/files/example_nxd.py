"""Trains a tiny model with NxD (PyTorch/XLA) on synthetic data: layers over some cores, data parallel over the others.

It saves every so many steps and when any rank is told to stop, after the same step in all. Never run: its libraries
need Neuron devices.
"""

from __future__ import annotations

import signal

import neuronx_distributed as nxd
import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend  # noqa: F401  registers the backend "xla"
from example_options import Options, read_options
from neuronx_distributed.parallel_layers.layers import ColumnParallelLinear, RowParallelLinear
from neuronx_distributed.trainer.checkpoint import has_checkpoint

TENSOR_PARALLEL = 8
LEARNING_RATE = 0.001


class Model(torch.nn.Module):
    """Two layers, whose weights are cut over the cores of a tensor parallel group."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = ColumnParallelLinear(width, width, bias=False, gather_output=False)
        self.second = RowParallelLinear(width, width, bias=False, input_is_parallel=True)

    def forward(self, samples: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = self.second(torch.tanh(self.first(samples)))
        return output


class Stop:
    """Noted by the signal, and known to all ranks after the next step."""

    def __init__(self) -> None:
        self._told = False
        signal.signal(signal.SIGTERM, self._note)

    def _note(self, *_: object) -> None:
        self._told = True

    def is_agreed(self) -> bool:
        """Whether any rank was told to. Every rank calls it after every step."""
        told = torch.tensor(float(self._told), device=xm.xla_device())
        told = xm.all_reduce(xm.REDUCE_MAX, told)
        xm.mark_step()
        return bool(told.item() > 0)


def samples_of(step: int, options: Options) -> torch.Tensor:
    """The same in every attempt, and in all ranks of a tensor parallel group."""
    group = torch.distributed.get_rank() // tensor_parallel()
    source = torch.Generator().manual_seed(step * 100_003 + group)
    return torch.randn(options.batch, options.width, generator=source).to(xm.xla_device())


def tensor_parallel() -> int:
    """Fewer where the job has fewer ranks."""
    return min(TENSOR_PARALLEL, torch.distributed.get_world_size())


def train(options: Options) -> None:
    stop = Stop()
    config = nxd.neuronx_distributed_config(
        tensor_parallel_size=tensor_parallel(),
        optimizer_config={"zero_one_enabled": True, "grad_clipping": True, "max_grad_norm": 1.0},
    )
    model = nxd.initialize_parallel_model(config, lambda: Model(options.width))
    optimizer = nxd.initialize_parallel_optimizer(config, torch.optim.AdamW, model.parameters(), lr=LEARNING_RATE)
    begin = resume(options, model, optimizer)
    say(f"begins at step {begin} of {options.steps}")
    for step in range(begin + 1, options.steps + 1):
        samples = samples_of(step, options)
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(samples), 2 * samples)
        loss.backward()
        optimizer.step()
        xm.mark_step()
        stops = stop.is_agreed()
        if options.folder and (stops or options.is_due(step)):
            save(options, step, model, optimizer)
            say(f"saved step {step}, loss {loss.item():.6f}")
        if stops:
            say(f"stops after step {step}")
            return
    say("trained")


def resume(options: Options, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """The step of the newest complete checkpoint, which is loaded; 0 without one."""
    if options.folder is None or not has_checkpoint(str(options.folder)):
        return 0
    content = nxd.load_checkpoint(str(options.folder), model=model, optimizer=optimizer)
    return int(content["step"])


def save(options: Options, step: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    nxd.save_checkpoint(
        str(options.folder),
        tag=f"step_{step}",
        model=model,
        optimizer=optimizer,
        user_content={"step": step},
        use_xser=True,
        num_kept_ckpts=options.keep,
    )


def say(text: str) -> None:
    if torch.distributed.get_rank() == 0:
        print(f"example_nxd: {text}", flush=True)


if __name__ == "__main__":
    torch.distributed.init_process_group("xla")
    train(read_options())
