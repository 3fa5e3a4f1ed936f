"""Training programs of rehearsals, in the place of the user's own: a JAX job, or one that computes nothing."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.container_process import PROGRAMS_IN_CONTAINER


class Trainer(StrEnum):
    """Both save and resume the same files; see neuron_cluster/rehearsal/programs."""

    JAX = "jax"
    PLAIN = "plain"


PROGRAMS = MappingProxyType(
    {
        Trainer.JAX: f"{PROGRAMS_IN_CONTAINER}/train_jax.py",
        Trainer.PLAIN: f"{PROGRAMS_IN_CONTAINER}/train.py",
    }
)


def chosen_trainer(name: str | None) -> Trainer:
    """The one of this name; without a name the JAX job where JAX is installed. Raises ``ToolkitError``."""
    has_jax = jax_folder() is not None
    if name == Trainer.JAX and not has_jax:
        raise ToolkitError(
            "--trainer jax: JAX is not installed beside this toolkit",
            hint="install the extra rehearse (make rehearse), or give --trainer plain",
        )
    return Trainer(name) if name is not None else Trainer.JAX if has_jax else Trainer.PLAIN


def jax_folder() -> Path | None:
    """The folder with JAX's package. None where there is none that containers see (container_process.py)."""
    found = importlib.util.find_spec("jax")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent.parent
    return folder if any(folder.is_relative_to(prefix) for prefix in (sys.prefix, sys.base_prefix)) else None


def values_of(trainer: Trainer, settings: Mapping[str, int]) -> Mapping[str, Any]:
    """Values of the chart neuron-training that run it with these options."""
    arguments = [str(word) for setting in settings.items() for word in setting]
    if trainer is Trainer.JAX:
        arguments += ["--libraries", str(jax_folder())]
    return {"trainer": {"program": [PROGRAMS[trainer]], "args": arguments}}


def trainer_of(program: object) -> Trainer | None:
    """The one that a chart's ``trainer.program`` starts; None for a program of the user."""
    command = program if isinstance(program, list) else []
    return next((trainer for trainer, path in PROGRAMS.items() if path in command), None)
