"""Deleting the volume of one home of an environment, and nothing else."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.aws import ec2
from neuron_cluster.changes.homes import Home, data_beside_homes, homes_in, mounted_by
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.deploy.deleted_homes import home_volumes
from neuron_cluster.deploy.deployment import deployed_templates
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.removal import Removal
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean_one_of
from neuron_cluster.findings.text import listed
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.core_stacks import STORAGE, WORKSTATIONS


class HomeDeletion(Struct, frozen=True):
    """A home that no workstation mounts and no file has."""

    name: str
    stack: str
    volume: ec2.Volume | None
    """None: it was deleted before."""

    @property
    def description(self) -> str:
        """``volume vol-1 (200 GiB) of the home alice``."""
        if self.volume is None:
            return f"the volume of the home {self.name} was deleted before"
        return f"volume {self.volume.id} ({self.volume.size_gib:,} GiB) of the home {self.name}"


def require_data_named(home: str | None, typed: str | None) -> None:
    """Raises ``ToolkitError`` where a home is to be deleted and ``--delete-data`` does not name the environment."""
    if home is not None and typed is None:
        raise ToolkitError(
            "--home deletes data, and --delete-data is missing; nothing was changed",
            hint="add --delete-data with the name of the environment",
        )


def plan_home_deletion(removal: Removal, destination: Destination, name: str) -> HomeDeletion:
    """Finds the volume by what is deployed. Changes nothing.

    Raises ``InvalidEnvironment`` while the file has the home (E9591); ``ToolkitError`` without a file, for an unknown
    name, while a workstation mounts it, and where the file has no storage for what else its stack holds.
    """
    opened, target = _file_of(removal, name), destination.target
    names = [opened.plan.stack_name(stack_key) for stack_key in (STORAGE.stack_key, WORKSTATIONS.stack_key)]
    stacks = StackSet(deployed_templates(target, names))
    homes = {home.name: home for home in homes_in(stacks)}
    if name not in homes:
        near = did_you_mean_one_of(name, homes)
        message = f'no home "{name}" of {opened.plan.name} is deployed on {destination.description}'
        raise ToolkitError(message, hint=f"{near}deployed there: {', '.join(sorted(homes)) or 'none'}")
    _require_absent_in_file(opened, name)
    home = homes[name]
    _require_storage_in_file(removal, opened, stacks, home)
    volume = home_volumes(target, [home]).get(home)
    if users := mounted_by(stacks, home):
        unmount = f"put {name} back into storage.homes, and deploy with no workstation that mounts it"
        raise _in_use(name, listed(users), f"{unmount}; then take it out of the file and run the command again")
    if volume is not None and (machines := ec2.attached_instances(target, volume.id)):
        detach = destination.aws_command("ec2 detach-volume", volume_id=volume.id)
        hint = f"unmount it there, detach it with `{detach}`, and run the command again"
        raise _in_use(name, listed([f"the instance {each}" for each in machines]), hint)
    return HomeDeletion(name, home.stack, volume)


def delete_home(destination: Destination, deletion: HomeDeletion) -> None:
    """Deletes the volume. Raises ``ToolkitError`` when EC2 rejects it."""
    if deletion.volume is not None:
        ec2.delete_volume(destination.target, deletion.volume.id)


def _file_of(removal: Removal, name: str) -> OpenedEnvironment:
    """The file decides whether the home is still wanted."""
    if removal.opened is None:
        raise ToolkitError(
            f"--home {name} requires an environment file, and --deployed names none; nothing was changed",
            hint="name the file in the place of --deployed; without a file, --delete-data without --home deletes all "
            "data of the environment",
        )
    return removal.opened


def _require_absent_in_file(opened: OpenedEnvironment, name: str) -> None:
    """A file that has it describes it as something that exists, and a workstation may name it."""
    for home in opened.plan.storage.homes if opened.plan.storage is not None else ():
        if home.name != name:
            continue
        user = next((each.name for each in opened.plan.workstations if each.home == name), None)
        mounted = f", and the workstation {user} mounts it" if user is not None else ""
        message = f"{opened.file.display_name} still has the home {name}{mounted}; nothing was deleted"
        first = f"take it out of the workstation {user} and deploy, " if user is not None else ""
        hint = f"{first}take {name} out of storage.homes, run the command again, and deploy after it"
        raise InvalidEnvironment([Finding("E9591", opened.locate(home.path), message, hint)])


def _require_storage_in_file(removal: Removal, opened: OpenedEnvironment, stacks: StackSet, home: Home) -> None:
    """Without storage in the file the whole stack goes, which `deploy` does not do while it holds anything else."""
    others = data_beside_homes(stacks, home.stack)
    if opened.plan.storage is None and others:
        raise ToolkitError(
            f"{opened.file.display_name} has no storage, and {home.stack} still holds {listed(others)}, "
            "which no deploy removes; nothing was deleted",
            hint="keep another home or other storage in the file and run the command again, or delete the whole "
            f"environment with its data: `{removal.command} --delete-data {opened.plan.name}`",
        )


def _in_use(name: str, by: str, hint: str) -> ToolkitError:
    return ToolkitError(f"the home {name} is in use by {by}; nothing was deleted", hint=hint)
