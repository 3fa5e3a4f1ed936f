"""Synthesis in this process, where one more environment costs a fraction of a second."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from repair import checked

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.synthesis import cdk_context
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import BEFORE_PROVIDERS
from neuron_cluster.plan.stack_table import planned_stacks

CATALOG = load_catalog()

ROOT = Path(__file__).parents[2]
Templates = dict[str, dict[str, Any]]


def synthesized(text: str, folder: Path) -> tuple[ClusterPlan, Templates]:
    """The plan of an environment file, and its templates by stack name in the order of deployment."""
    from stacks.build_stacks import build_stacks

    plan = checked(text).require_plan()
    return plan, _assembled(plan, folder, lambda app: build_stacks(app, plan, CATALOG))


def with_data_alone(text: str, folder: Path) -> Templates:
    """The templates of the network and of the storage stack: in a fraction of the time, all that holds data."""
    from stacks.environment_stack import EnvironmentStack, tag_resources
    from stacks.stack_context import StackContext

    plan = checked(text).require_plan()

    def build(app: Any) -> None:
        tag_resources(app, plan)
        built: dict[str, EnvironmentStack] = {}
        for spec in planned_stacks(plan):
            if spec in BEFORE_PROVIDERS:
                built[spec.stack_key] = importlib.import_module(spec.module).build(
                    StackContext(app, plan, spec, built, CATALOG)
                )

    return _assembled(plan, folder, build)


def app_of_text(text: str, *, outdir: Path, assets_copied: bool) -> Any:
    """The CDK app of an environment file, not yet synthesized."""
    from stacks.build_stacks import build_stacks

    plan = checked(text).require_plan()
    return _app(plan, outdir, lambda app: build_stacks(app, plan, CATALOG), assets_copied=assets_copied)


def templates_in(folder: Path) -> Templates:
    """Returns the templates by stack name in the order of deployment."""
    return {stack.name: stack.template for stack in read_assembly(folder)}


def _assembled(plan: ClusterPlan, folder: Path, build: Callable[[Any], None]) -> Templates:
    _app(plan, folder, build, assets_copied=False).synth()
    return templates_in(folder)


def _app(plan: ClusterPlan, folder: Path, build: Callable[[Any], None], *, assets_copied: bool) -> Any:
    """Assets are 60 MB: who reads templates alone leaves them where they are."""
    import aws_cdk as cdk

    context = cdk_context(ROOT, plan.name) | {"aws:cdk:disable-asset-staging": not assets_copied}
    app = cdk.App(outdir=str(folder), context=context, analytics_reporting=False)
    build(app)
    return app
