"""Deploying the stacks of an environment with the CDK command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.cloudformation import set_termination_protection, stacks_named, template
from neuron_cluster.aws.session import Target
from neuron_cluster.changes.accepted_deletion import with_accepted_deletions
from neuron_cluster.changes.compare import change_findings, effects
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import Effect
from neuron_cluster.changes.guards.folded import folded
from neuron_cluster.changes.source_key import key_of_resource, source_keys
from neuron_cluster.changes.two_updates import first_update, second_update_lines
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.cdk_cli import CdkCli, CdkRun
from neuron_cluster.deploy.data_findings import findings_of_data
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.failed_resources import Place, failure_lines, no_place, way_out
from neuron_cluster.deploy.file_system_updates import file_system_update_findings
from neuron_cluster.deploy.first_assembly import write_first_assembly
from neuron_cluster.deploy.local_preparation import publish_files
from neuron_cluster.deploy.progress import ROLLED_BACK, StackProgress, StackWatch
from neuron_cluster.deploy.rollback import FAILED, hint_for
from neuron_cluster.deploy.stack_names import NOT_MADE, stack_states
from neuron_cluster.deploy.timed_assembly import timed_stacks
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding, has_error
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_table import stack_keys_of_deploy
from neuron_cluster.timing.timed_stack import TimedStack

Show = Callable[[Sequence[StackProgress]], None]
"""Called with the progress of every stack, again and again."""


class DeployError(ToolkitError):
    """The CDK command failed. The message names the failed resources, the cause first."""

    finding_id = "E9529"


class Changes(Struct, frozen=True):
    """The changes of a deploy, and the findings that stop it."""

    comparison: Comparison
    """The deployed templates with those of the assembly."""
    findings: tuple[Finding, ...]
    effects: tuple[Effect, ...]
    """On each resource of the stacks that exist and stay."""
    new_stacks: tuple[str, ...]
    gone_stacks: tuple[str, ...] = ()
    """Stacks that are no longer in the file; they are deleted after everything else, the dependent ones first."""
    first_update: Mapping[str, Mapping[str, Any]] = {}
    """Templates by stack that are deployed before those of the file, because both edits cannot be made at once."""
    two_updates: tuple[str, ...] = ()
    """Changes of the second of two updates."""

    keys: Mapping[tuple[str, str, str], tuple[str, ...]] = {}
    """Keys of the file, by stack and logical id of the findings that one comes from."""

    def lines(self) -> list[str]:
        """``updated in place: train-trn1-storage/Bucket (AWS::S3::Bucket)``, …; one line when nothing changes."""
        lines = [f"new: {', '.join(self.new_stacks)}"] if self.new_stacks else []
        lines += [
            f"{effect.kind}: {effect.address} ({effect.type})" + (f", because {effect.cause}" if effect.cause else "")
            for effect in self.effects
        ]
        lines += [f"deleted: the stack {name}" for name in self.gone_stacks]
        return [*lines, *self.two_updates] or ["no resource changes"]


class Deployment(Struct, frozen=True):
    """An assembly on its way to a destination."""

    plan: ClusterPlan
    project: Path
    assembly: Path
    destination: Destination

    def changes(self, *, accepts_deletion: bool = False) -> Changes:
        """Compares the deployed stacks with this assembly. Changes nothing.

        ``accepts_deletion``: whether the user has confirmed that a service deletes data afterwards.
        """
        assembled = read_assembly(self.assembly)
        new = {each.name: each.template for each in assembled}
        keys = self.plan.stacks if self.plan.stack_key else stack_keys_of_deploy()
        names = [self.plan.stack_name(stack_key) for stack_key in keys]
        deployed = deployed_templates(self.destination.target, names)
        catalog = self.destination.catalog
        comparison = Comparison(deployed, new, catalog)
        protected = {each.name for each in assembled if each.is_protected}
        protected |= protected_stacks(self.destination.target, [*deployed])
        errors = findings_of_data(self.destination.target, comparison, change_findings(deployed, new, catalog))
        found = folded(comparison, with_accepted_deletions(errors, protected, is_accepted=accepts_deletion))
        if not has_error(found):
            found += file_system_update_findings(self.destination.target, comparison)
        return Changes(
            comparison=comparison,
            findings=tuple(found),
            keys=source_keys(comparison, found),
            effects=tuple(
                e for e in effects(deployed, new, catalog) if e.address.stack in deployed.keys() & new.keys()
            ),
            new_stacks=tuple(name for name in new if name not in deployed),
            gone_stacks=tuple(name for name in reversed(names) if name in deployed and name not in new),
            first_update=first_update(deployed, new, catalog),
            two_updates=tuple(second_update_lines(comparison)),
        )

    def timed_new_stacks(self, changes: Changes) -> list[TimedStack]:
        """The stacks that are created, with their times; none on the local AWS, which takes seconds for all of them."""
        if self.destination.is_local:
            return []
        return timed_stacks(self.assembly, self.destination.catalog, changes.new_stacks)

    def run(self, show: Show, first_update: Mapping[str, Mapping[str, Any]] | None = None) -> list[StackProgress]:
        """Deploys, these templates by stack before those of the assembly; how each stack ended.

        Raises ``DeployError`` when one failed.
        """
        totals = {assembled.name: assembled.resources for assembled in read_assembly(self.assembly)}
        watch = StackWatch(self.destination.target, totals)
        if first_update:
            with work_folder() as folder:
                write_first_assembly(self.assembly, folder / "first", first_update)
                self._deploy(folder / "first", watch, show)
        self._deploy(self.assembly, watch, show)
        return watch.look()

    def _deploy(self, assembly: Path, watch: StackWatch, show: Show) -> None:
        if self.destination.is_local:
            publish_files(assembly, self.destination)
        unprotect_rolled_back(self.destination.target, list(watch.totals))
        run = CdkCli(self.project, self.destination).deploy(assembly, lambda: show(watch.look()))
        raise_failure(run, watch, "the deploy failed", self.destination, self._place)

    def _place(self, stack: str, logical_id: str) -> str:
        """The key of the file that a resource comes from: ``workstations (anna)``."""
        templates = {each.name: each.template for each in read_assembly(self.assembly)}
        return key_of_resource(templates, stack, logical_id, self.destination.catalog)


def unprotect_rolled_back(target: Target, names: Sequence[str]) -> None:
    """Turns off the termination protection of stacks whose first deploy went back and that hold nothing.

    CDK deletes such a stack and creates another one, which the protection that it set before would prevent.
    """
    for name, found in stacks_named(target, names).items():
        if found.status == ROLLED_BACK and found.is_protected:
            set_termination_protection(target, name, on=False)


def raise_failure(run: CdkRun, watch: StackWatch, what: str, destination: Destination, place: Place = no_place) -> None:
    """Raises ``DeployError`` unless the CDK command ended well. ``place`` returns the key of a resource in the file."""
    if run.status == 0:
        return
    watch.look()
    lines = failure_lines(watch.failures(), destination, place)
    reason = "\n".join(f"  {line}" for line in lines) if lines else f"the CDK command printed:\n{run.last_lines}"
    raise DeployError(f"{what}\n{reason}", hint=_hint(watch, destination) if lines else _hint_without_cause(watch))


def _hint_without_cause(watch: StackWatch) -> str:
    """No resource of this run failed: most likely something else is at work on the stacks."""
    states = stack_states(watch.target, list(watch.totals))
    busy = [f"{name} is {status}" for name, status in states if status.endswith("_IN_PROGRESS")]
    if not busy:
        return "run the command again, which compares anew with what is deployed"
    return (
        f"another command changes the environment ({', '.join(busy)}): wait until it has ended, then run this one again"
    )


def _hint(watch: StackWatch, destination: Destination) -> str:
    stuck = next((each.name for each in watch.look() if each.status == FAILED), None)
    if stuck is not None:
        return hint_for(stuck, destination)
    first = way_out(watch.failures(), destination) or "correct the first of these"
    return f"{first}; then run the command again, which continues from here"


def protected_stacks(target: Target, names: Sequence[str]) -> frozenset[str]:
    """Returns the names of the stacks that have termination protection."""
    return frozenset(name for name, found in stacks_named(target, names).items() if found.is_protected)


def deployed_templates(target: Target, names: Sequence[str]) -> dict[str, dict[str, object]]:
    """The templates of those stacks that exist and hold something."""
    present = stacks_named(target, names).items()
    found = ((name, template(target, name)) for name, each in present if each.status not in NOT_MADE)
    return {name: written for name, written in found if written is not None}
