"""Shipped environments as the CDK command deploys them on the local AWS, and what their golden templates ask for."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local_aws.clients import local_client
from local_aws.engine.stack import Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, close_clients
from neuron_cluster.deploy.deployment import Deployment
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests import existing_vpc

ROOT = Path(__file__).parents[2]
sys.path[:0] = [
    str(Path(__file__).parent),
    str(ROOT / "tools"),
]  # for modules beside it, and golden_paths
golden_paths = importlib.import_module("golden_paths")
edited = importlib.import_module("edited_environment")


@dataclass(frozen=True)
class Deployed:
    """The stacks of one environment on a local AWS."""

    aws: LocalAws
    account: str
    region: str
    stacks: Mapping[str, Stack]

    def resources(self) -> Iterator[tuple[Stack, StackResource]]:
        for stack in self.stacks.values():
            for resource in stack.resources.values():
                yield stack, resource

    def client(self, service: str) -> Any:
        return local_client(service, self.aws.endpoint, self.account, self.region)

    def read(self, stack: Stack, resource: StackResource) -> dict[str, Any]:
        """Returns the service's present values of the resource."""
        tags = stack.revision.tags if stack.revision else {}
        context = stack.context(resource.logical_id, resource.type, tags, self.aws.endpoint)
        provider = self.aws.engine.engine_context.provider(resource.type)
        assert provider is not None
        return provider.read(context, resource.resource)


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as local_aws:
        yield local_aws


@pytest.fixture(scope="module")
def deployed(
    aws: LocalAws,
    app_of: Callable[..., Any],
    plan_of: Callable[..., Any],
    warm_project: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], Deployed]]:
    """``deployed("train-trn1")``: the environment, deployed once."""
    targets: list[LocalTarget] = []

    @functools.cache
    def deploy(environment: str) -> Deployed:
        assembly = tmp_path_factory.mktemp(environment) / "assembly"
        edits = edited.EDITED.get(environment)
        app_of(environment, edits, outdir=assembly).synth()
        plan = plan_of(environment, edits)
        destination = local_destination(aws.endpoint, plan.account, plan.region)
        targets.append(LocalTarget(plan.region, plan.account, aws.endpoint))
        bootstrap_if_needed(ROOT, destination, lambda _: None)
        Deployment(plan, warm_project, assembly, destination).run(lambda _: None)
        stacks = sorted(plan.stack_name(stack_key) for stack_key in plan.stacks)
        found = {name: aws.engine.table.get(plan.account, plan.region, name) for name in stacks}
        return Deployed(aws, plan.account, plan.region, found)

    yield deploy
    for target in targets:
        close_clients(target)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of an ``environment`` runs for as many as hold every path together; the exhaustive run takes all.

    That of a ``largest_environment`` runs for the one with the most paths.
    """
    for argument, number in (("environment", None), ("largest_environment", 1)):
        if argument in metafunc.fixturenames:
            always = _enough()[:number]
            cases = [
                pytest.param(name, marks=() if name in always else (pytest.mark.exhaustive,))
                for name in sorted({*golden_paths.golden_environments()} - existing_vpc.SHIPPED)
            ]
            metafunc.parametrize(argument, cases, scope="module")


@functools.cache
def _enough() -> tuple[str, ...]:
    """A few environments whose goldens hold every (type, property path) that any golden holds: the largest first."""
    left = {name: {*map(_property, golden_paths.property_paths(name))} for name in golden_paths.golden_environments()}
    left[edited.ENVIRONMENT] |= edited.BROUGHT
    for environment, types in edited.TYPES_BROUGHT.items():
        left[environment] |= {(kind, path) for paths in left.values() for kind, path in paths if kind in types}
    chosen: list[str] = []
    while any(left.values()):
        best = max(left, key=lambda name: len(left[name]))
        covered = left[best].copy()
        chosen.append(best)
        left = {name: paths - covered for name, paths in left.items()}
    return tuple(chosen)


def _property(of_type: tuple[str, str]) -> tuple[str, str]:
    """Without the key of a label, which the file chooses: the service takes and returns every other one alike."""
    kind, path = of_type
    return kind, re.sub(r"(^|/)Labels/.+", r"\1Labels/*", path)
