"""The templates that `diff` compares: of files, made side by side, or as they are deployed."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.changes.summary.template_diff import TemplateDiff, diff_templates
from neuron_cluster.deploy.assembly import AssembledStack, read_assembly
from neuron_cluster.deploy.data_findings import findings_of_data
from neuron_cluster.deploy.deployment import deployed_templates, protected_stacks
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.file_system_updates import file_system_update_findings
from neuron_cluster.deploy.synthesis import StartedApp, started_app
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_table import stack_keys_of_deploy

AppInput = tuple[str, Path]
"""The input of ``app.py``: an environment (a name, or an absolute path) and the folder of its lock."""


def diff_files(project: Path, before: AppInput, after: AppInput, validations: contextlib.ExitStack) -> TemplateDiff:
    """Synthesizes two environments and compares them. Raises ``SynthesisError``.

    CDK may still validate the templates: the end of ``validations`` waits for it, and raises ``SynthesisError`` too.
    """
    old, new = _synthesized(project, [before, after], validations)
    return _diff_stacks(old, new)


def diff_assemblies(before: Path, after: Path) -> TemplateDiff:
    """Compares two cloud assemblies of one environment."""
    return _diff_stacks(read_assembly(before), read_assembly(after))


def _diff_stacks(old: Sequence[AssembledStack], new: Sequence[AssembledStack]) -> TemplateDiff:
    return diff_templates(_templates(old), _templates(new), load_catalog(), (_protected(old), _protected(new)))


def diff_deployed(
    project: Path, after: AppInput, plan: ClusterPlan, destination: Destination, validations: contextlib.ExitStack
) -> tuple[TemplateDiff, Comparison]:
    """Compares what is deployed with an environment. Raises ``ToolkitError`` when the destination does not answer.

    ``validations`` is that of ``diff_files``.
    """
    names = [plan.stack_name(stack_key) for stack_key in stack_keys_of_deploy()]
    deployed = deployed_templates(destination.target, names)
    (new,) = _synthesized(project, [after], validations)
    protected = protected_stacks(destination.target, [*deployed])
    of_account = functools.partial(file_system_update_findings, destination.target)
    of_data = functools.partial(findings_of_data, destination.target)
    templates, catalog = _templates(new), destination.catalog
    found = diff_templates(deployed, templates, catalog, (protected, _protected(new)), of_account, of_data)
    return found, Comparison(deployed, templates, catalog)


def synthesized_templates(
    project: Path, environment: AppInput, validations: contextlib.ExitStack
) -> dict[str, Template]:
    """The templates of one environment by stack. Raises ``SynthesisError``; ``validations`` as in ``diff_files``."""
    (stacks,) = _synthesized(project, [environment], validations)
    return _templates(stacks)


def _templates(stacks: Sequence[AssembledStack]) -> dict[str, Template]:
    return {stack.name: stack.template for stack in stacks}


def _protected(stacks: Sequence[AssembledStack]) -> frozenset[str]:
    return frozenset(stack.name for stack in stacks if stack.is_protected)


def _synthesized(
    project: Path, environments: Sequence[AppInput], validations: contextlib.ExitStack
) -> list[list[AssembledStack]]:
    """The stacks of each environment. Each app has a process of its own, all at the same time."""
    folder = validations.enter_context(work_folder())
    outputs = [folder / str(position) for position in range(len(environments))]
    apps = []
    for output, (name, locks) in zip(outputs, environments, strict=True):
        output.mkdir()
        apps.append(validations.enter_context(started_app(project, name, output, locks)))
    for app in filter(None, apps):
        app.wait_until_written()
        validations.push(functools.partial(_finish, app))
    return [read_assembly(output) for output in outputs]


def _finish(app: StartedApp, error: type[BaseException] | None, *_: object) -> None:
    """Waits for the validation, unless the command has failed already."""
    if error is None:
        app.finish()
