"""From where a reader of the pack runs commands of the toolkit, and how they name the environment there."""

from __future__ import annotations

import shlex
from pathlib import Path

from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.protocol.team_pack import CommandPlace


def command_place(opened: OpenedEnvironment) -> CommandPlace:
    """An environment of the project has the same name in each checkout. A reader does not have the path of another
    file: the commands have its name, in the top folder of a checkout with a copy of it.
    """
    name, plan = opened.name_for_app, opened.plan.name
    locked = opened.lock is not None
    if not Path(name).is_absolute():
        file = f"{opened.project.environments.name}/{opened.file.path.name}"
        lock = f" and `{opened.project.environments.name}/{opened.locks.name}/{plan}.yaml`" if locked else ""
        return CommandPlace(name, f"in a checkout of the toolkit that has `{file}`{lock}")
    file = opened.file.path.name
    lock = f" and its lock, `{opened.locks.name}/{plan}.yaml`," if locked else ""
    text = f"in the top folder of a checkout of the toolkit, with the environment file as `{file}`{lock} in it"
    return CommandPlace(shlex.quote(file), text)
