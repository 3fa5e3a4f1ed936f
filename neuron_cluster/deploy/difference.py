"""The templates that `diff` compares: of files, made side by side, or as they are deployed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from neuron_cluster.changes.outline.difference import Difference, difference
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.deployment import deployed_templates
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.stack_names import PARTS
from neuron_cluster.deploy.synthesis import synthesize
from neuron_cluster.plan.cluster_plan import ClusterPlan

AppInput = tuple[str, Path]
"""What ``app.py`` gets: an environment (a name, or an absolute path) and the folder of its lock."""


def difference_of_files(project: Path, before: AppInput, after: AppInput) -> Difference:
    """Synthesizes two environments and compares them. Raises ``SynthesisError``."""
    old, new = _synthesized(project, [before, after])
    return difference(old, new)


def difference_from_deployed(project: Path, after: AppInput, plan: ClusterPlan, destination: Destination) -> Difference:
    """Compares what is deployed with an environment. Raises ``ToolkitError`` when the destination does not answer."""
    deployed = deployed_templates(destination.target, [plan.stack_name(part) for part in PARTS])
    (new,) = _synthesized(project, [after])
    return difference(deployed, new)


def _synthesized(project: Path, environments: Sequence[AppInput]) -> list[dict[str, Template]]:
    """The templates of each environment by stack name. Each app has a process of its own, all at the same time.

    An interruption waits for those that have begun, which is a matter of seconds.
    """
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(environments)) as at_once:
        outputs = [Path(folder) / str(position) for position in range(len(environments))]
        names, locks = zip(*environments, strict=True)
        list(at_once.map(synthesize, [project] * len(environments), names, outputs, locks))
        return [{stack.name: stack.template for stack in read_assembly(output)} for output in outputs]
