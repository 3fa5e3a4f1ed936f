"""Environments of a project, in every account and Region that its files and its record of deployments name."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.aws.session import AwsTarget, close_clients
from neuron_cluster.aws.sts import caller_account
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.deployment_record import DeploymentRecord
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.identity import AWS, LOCAL_AWS, Claim
from neuron_cluster.deploy.listing import ListedEnvironment, listed_environments
from neuron_cluster.deploy.local_server import isolated_environ, running_endpoint
from neuron_cluster.errors import ToolkitError
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.project import Project

Place = tuple[str, str]
"""Account and Region."""


class Inventory(Struct, frozen=True):
    """Environments that are deployed, and why an account or Region is missing."""

    found: tuple[ListedEnvironment, ...] = ()
    not_read: tuple[str, ...] = ()
    """``AWS account 111122223333 was not queried: …``"""


def deployed_inventory(
    project: Project, claims: Sequence[Claim], regions: Sequence[str], *, is_local: bool
) -> Inventory:
    """Reads accounts of the files also in ``regions``. What cannot be read is in ``not_read``, not an error."""
    places = _places(project, claims, regions, on=LOCAL_AWS if is_local else AWS)
    not_read: list[str] = []
    found: list[ListedEnvironment] = []
    stacks_of = functools.partial(_stacks_of, project, is_local)
    with _on_local_aws(project, places, not_read) if is_local else _on_aws(places, not_read) as destinations:
        for destination in destinations:
            try:
                found += listed_environments(destination, claims, stacks_of, *_commands(destination))
            except ToolkitError as error:
                not_read.append(f"{destination.description} was not queried: {error.message}")
    return Inventory(tuple(found), tuple(not_read))


def _stacks_of(project: Project, is_local: bool, claim: Claim) -> tuple[str, ...] | None:
    """Names of the stacks of a file, in deploy order; None for a file with errors."""
    try:
        plan = opened_environment(claim.path, str(project.root), is_local=is_local).plan
    except ToolkitError:
        return None
    return tuple(plan.stack_name(stack_key) for stack_key in plan.stacks)


def _places(project: Project, claims: Sequence[Claim], regions: Sequence[str], *, on: str) -> list[Place]:
    recorded = [(row.account, row.region) for row in DeploymentRecord(project.root).rows() if row.on == on]
    accounts = {claim.account for claim in claims} | {account for account, _ in recorded}
    further = [(account, region) for account in sorted(accounts) for region in regions]
    return sorted({*((claim.account, claim.region) for claim in claims), *recorded, *further})


def _commands(destination: Destination) -> tuple[str, str]:
    """Commands that remove an environment: of a file, and by the name under which it is deployed."""
    local = "--local " if destination.is_local else ""
    place = f"{f' --account {destination.account}' if local else ''} --region {destination.region}"
    return f"neuron-cluster destroy {local}{{}}", f"neuron-cluster destroy {local}--deployed {{}}{place}"


@contextlib.contextmanager
def _on_local_aws(project: Project, places: Sequence[Place], not_read: list[str]) -> Iterator[list[Destination]]:
    endpoint = running_endpoint(project.root)
    if endpoint is None:
        not_read.append("no local AWS runs for this project: start one with `neuron-cluster local`")
        yield []
        return
    with isolated_environ():
        destinations = [local_destination(endpoint, account, region) for account, region in places]
        try:
            yield destinations
        finally:
            for destination in destinations:
                close_clients(destination.target)


@contextlib.contextmanager
def _on_aws(places: Sequence[Place], not_read: list[str]) -> Iterator[list[Destination]]:
    """The Regions of the account that the credentials belong to."""
    examples = load_catalog().placeholder_accounts  # of the shipped files, whose credentials do not exist
    places = [place for place in places if place[0] not in examples]
    if not places:
        yield []
        return
    try:
        caller = caller_account(AwsTarget(places[0][1]))
    except ToolkitError as error:
        not_read.append(f"AWS was not queried: {error.message}")
        yield []
        return
    others = sorted({account for account, _ in places} - {caller})
    not_read += [f"AWS account {each} was not queried: your credentials are of account {caller}" for each in others]
    yield [aws_destination(caller, region) for region in sorted({region for _, region in places})]
