"""Deploying the stacks of an environment with the CDK command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.aws.cloudformation import stack, template
from neuron_cluster.aws.session import Target
from neuron_cluster.changes.compare import effects, refusals
from neuron_cluster.changes.effect import Effect
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.cdk_cli import CdkCli, CdkRun
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.local_preparation import publish_files
from neuron_cluster.deploy.progress import StackProgress, StackWatch, failure_lines
from neuron_cluster.deploy.rollback import FAILED, hint_for
from neuron_cluster.deploy.stack_names import NOT_MADE, PARTS, stack_states
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan

Show = Callable[[Sequence[StackProgress]], None]
"""Told how far every stack is, again and again."""


class DeployError(ToolkitError):
    """The CDK command failed. The message names the failed resources, the cause first."""

    finding_id = "E9529"


class Changes(Struct, frozen=True):
    """What a deploy would do, and why it must not."""

    findings: tuple[Finding, ...]
    effects: tuple[Effect, ...]
    """On each resource of the stacks that exist and stay."""
    new_stacks: tuple[str, ...]

    def lines(self) -> list[str]:
        """``updated in place: train-trn1-nodes/NodeGroup (AWS::EKS::Nodegroup)``, …; one line when nothing changes."""
        lines = [f"new: {', '.join(self.new_stacks)}"] if self.new_stacks else []
        lines += [
            f"{effect.kind}: {effect.address} ({effect.type})" + (f", because {effect.cause}" if effect.cause else "")
            for effect in self.effects
        ]
        return lines or ["no resource changes"]


class Deployment(Struct, frozen=True):
    """An assembly on its way to a destination."""

    plan: ClusterPlan
    project: Path
    assembly: Path
    destination: Destination

    def changes(self) -> Changes:
        """Compares the deployed stacks with this assembly. Changes nothing."""
        new = {assembled.name: assembled.template for assembled in read_assembly(self.assembly)}
        names = [self.plan.stack_name(part) for part in PARTS]
        deployed = deployed_templates(self.destination.target, names)
        return Changes(
            findings=tuple(refusals(deployed, new)),
            effects=tuple(e for e in effects(deployed, new) if e.address.stack in deployed.keys() & new.keys()),
            new_stacks=tuple(name for name in new if name not in deployed),
        )

    def run(self, show: Show) -> list[StackProgress]:
        """Deploys; how each stack ended. Raises ``DeployError`` when one failed."""
        totals = {assembled.name: assembled.resources for assembled in read_assembly(self.assembly)}
        watch = StackWatch(self.destination.target, totals)
        if self.destination.is_local:
            publish_files(self.assembly, self.destination)
        cdk = CdkCli(self.project, self.destination)
        run = cdk.deploy(self.assembly, lambda: show(watch.look()))
        raise_failure(run, watch, "the deploy failed")
        return watch.look()


def raise_failure(run: CdkRun, watch: StackWatch, what: str) -> None:
    """Raises ``DeployError`` unless the CDK command ended well."""
    if run.status == 0:
        return
    watch.look()
    lines = failure_lines(watch.failures())
    reason = "\n".join(f"  {line}" for line in lines) if lines else f"the CDK command said:\n{run.last_lines}"
    raise DeployError(f"{what}\n{reason}", hint=_hint(watch) if lines else _hint_without_cause(watch))


def _hint_without_cause(watch: StackWatch) -> str:
    """No resource of this run failed: most likely something else is at work on the stacks."""
    states = stack_states(watch.target, list(watch.totals))
    busy = [f"{name} is {status}" for name, status in states if status.endswith("_IN_PROGRESS")]
    if not busy:
        return "run the command again, which compares anew with what is deployed"
    return (
        f"another command changes the environment ({', '.join(busy)}): wait until it has ended, then run this one again"
    )


def _hint(watch: StackWatch) -> str:
    stuck = next((each.name for each in watch.look() if each.status == FAILED), None)
    return hint_for(stuck) if stuck else "correct the first of these and run the command again; it goes on from here"


def protected_stacks(target: Target, names: Sequence[str]) -> frozenset[str]:
    """Those of the stacks that have termination protection."""
    present = (stack(target, name) for name in names)
    return frozenset(found.name for found in present if found is not None and found.is_protected)


def deployed_templates(target: Target, names: Sequence[str]) -> dict[str, dict[str, object]]:
    """The templates of those stacks that exist and hold something."""
    present = (stack(target, name) for name in names)
    found = ((each.name, template(target, each.name)) for each in present if each and each.status not in NOT_MADE)
    return {name: written for name, written in found if written is not None}
