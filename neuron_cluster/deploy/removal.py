"""The environment that ``destroy`` removes: that of a file, or one that is deployed and described by no file."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from neuron_cluster.aws.session import AwsTarget
from neuron_cluster.aws.sts import caller_account
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.deployed_environments import deployed_environments, holdings
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.destruction import Destruction
from neuron_cluster.deploy.preflight.checks import account_findings
from neuron_cluster.deploy.stack_names import EnvironmentName
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment, default_target, opened_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.project import Project, require_project

UNKNOWN_FILE = "E0015"


class Removal(Struct, frozen=True):
    """An environment that is to be removed."""

    project: Project
    plan: ClusterPlan | EnvironmentName
    command: str
    """The command that removes it, without ``--delete-data``."""
    opened: OpenedEnvironment | None = None
    """The file that describes it; None for one that is named as it is deployed."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.opened.findings if self.opened is not None else ()


def removal_of_file(name: str, folder: str | None, *, is_local: bool) -> Removal:
    """Raises ``InvalidEnvironment`` for a file with errors, and for one whose environment has another name."""
    local = " --local" if is_local else ""
    try:
        opened = opened_environment(name, folder, is_local=is_local)
    except InvalidEnvironment as error:
        raise InvalidEnvironment([_with_list(finding, local) for finding in error.findings]) from error
    command = f"neuron-cluster destroy{local} {as_argument(opened.file.display_name)}"
    return Removal(opened.project, opened.plan, command, opened)


def require_clear_name(removal: Removal, destination: Destination) -> None:
    """E9016 where a file in ``environments/`` has another name than its environment: both names may be deployed."""
    opened = removal.opened
    if opened is None or opened.file.path.absolute().parent != opened.project.environments:
        return
    stem, name = opened.file.path.stem, removal.plan.name
    if stem == name:
        return

    found = deployed_environments(destination.target)
    held = [
        f"{each} is deployed and has {holdings(destination.target, found[each]).description}"
        if each in found
        else f"{each} is not deployed"
        for each in (stem, name)
    ]
    message = (
        f"{opened.file.display_name} describes the environment {name}, and its own name is {stem}. {'. '.join(held)}"
    )
    commands = [deployed_command(each, destination) for each in (stem, name) if each in found]
    hint = "\n".join(commands) or f"write name: {stem}, or rename the file to {name}.yaml"
    raise InvalidEnvironment([Finding("E9016", opened.locate(("name",)), message, hint)])


def require_own_account(removal: Removal, destination: Destination) -> None:
    """Raises ``ToolkitError`` where the credentials belong to another account than the environment."""
    if destination.is_local:
        return
    if removal.opened is not None:
        if findings := account_findings(removal.opened.plan, destination, removal.opened.locate):
            raise InvalidEnvironment(findings)
    elif (caller := caller_account(destination.target)) != destination.account:
        hint = f"use credentials of {destination.account} (AWS_PROFILE, `aws sso login`)"
        raise ToolkitError(f"--account is {destination.account}, your credentials are of account {caller}", hint=hint)


def require_deployed(removal: Removal, destination: Destination, destruction: Destruction) -> None:
    """A name that was typed and is not deployed is a mistake; a file whose environment is gone is not."""
    if removal.opened is not None or destruction.deletes or destruction.keeps:
        return
    known = ", ".join(deployed_environments(destination.target)) or "none"
    message = f"the environment {removal.plan.name} is not deployed on {destination.description}"
    raise ToolkitError(message, hint=f"deployed there: {known}; --region names another Region")


def deployed_command(name: str, destination: Destination) -> str:
    """The command that removes a deployed environment by its own name."""
    place = f"--region {destination.region}"
    if destination.is_local:
        place = f"--local --account {destination.account} {place}"
    return f"neuron-cluster destroy --deployed {name} {place}"


def removal_of_deployed(
    name: str, folder: str | None, *, is_local: bool, account: str | None, region: str | None
) -> Removal:
    """Account and Region are those of the first file by default. Raises ``ToolkitError`` for an unknown Region."""
    project = require_project(folder)
    region = region or default_target(project)[1]
    known = load_catalog().regions.get(region)
    if known is None:
        raise ToolkitError(f"{region} is not a known Region", hint="`neuron-cluster catalog regions` lists them")
    account = account or (default_target(project)[0] if is_local else _caller(region))
    place = f" --local --account {account}" if is_local else ""
    command = f"neuron-cluster destroy --deployed {name}{place} --region {region}"
    return Removal(project, EnvironmentName(name, account, region, known.partition), command)


def _caller(region: str) -> str:
    return caller_account(AwsTarget(region))


def _with_list(finding: Finding, local: str) -> Finding:
    """Adds the command that lists deployed environments to the hint with the known files."""
    if finding.id != UNKNOWN_FILE:
        return finding

    hint = f"{finding.hint}\nto see what is deployed and described by no file: neuron-cluster list{local}"
    return msgspec.structs.replace(finding, hint=hint)
