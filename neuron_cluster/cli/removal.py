"""What ``destroy`` removes: the environment of a file, or one that is deployed and described by no file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.errors import InvalidEnvironment, ToolkitError

if TYPE_CHECKING:
    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.stack_names import EnvironmentName
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.project import Project

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


def open_removal(options: argparse.Namespace) -> Removal:
    """Raises ``InvalidEnvironment`` for a file with errors, and for one whose environment has another name."""
    local = " --local" if options.local else ""
    if options.deployed:
        return _deployed(options, local)
    if options.account or options.region:
        raise ToolkitError(
            "--account and --region belong to --deployed",
            hint="leave them out, or name what is deployed: --deployed NAME",
        )
    from neuron_cluster.cli.environment import open_environment
    from neuron_cluster.lock.paths import as_argument

    try:
        opened = open_environment(options)
    except InvalidEnvironment as error:
        raise InvalidEnvironment([_with_list(finding, local) for finding in error.findings]) from error
    command = f"neuron-cluster destroy{local} {as_argument(opened.file.shown_as)}"
    return Removal(opened.project, opened.plan, command, opened)


def refuse_unclear_name(removal: Removal, destination: Destination) -> None:
    """E9016 where a file in ``environments/`` has another name than its environment: both names may be deployed."""
    opened = removal.opened
    if opened is None or opened.file.path.absolute().parent != opened.project.environments:
        return
    stem, name = opened.file.path.stem, removal.plan.name
    if stem == name:
        return
    from neuron_cluster.deploy.deployed_environments import deployed_environments, holdings
    from neuron_cluster.findings.finding import Finding

    found = deployed_environments(destination.target)
    held = [
        f"{each} is deployed and has {holdings(destination.target, found[each]).in_words}"
        if each in found
        else f"{each} is not deployed"
        for each in (stem, name)
    ]
    message = f"{opened.file.shown_as} describes the environment {name}, and its own name is {stem}. {'. '.join(held)}"
    commands = [deployed_command(each, destination) for each in (stem, name) if each in found]
    hint = "\n".join(commands) or f"write name: {stem}, or rename the file to {name}.yaml"
    raise InvalidEnvironment([Finding("E9016", opened.locate(("name",)), message, hint)])


def deployed_command(name: str, destination: Destination) -> str:
    """The command that removes a deployed environment by its own name."""
    place = f"--region {destination.region}"
    if destination.is_local:
        place = f"--local --account {destination.account} {place}"
    return f"neuron-cluster destroy --deployed {name} {place}"


def _deployed(options: argparse.Namespace, local: str) -> Removal:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.deploy.stack_names import EnvironmentName
    from neuron_cluster.project import require_project

    project = require_project(options.project)
    name, region = str(options.environment), options.region or project.usual_place()[1]
    known = load_catalog().region(region)
    if known is None:
        raise ToolkitError(f"{region} is not a known Region", hint="`neuron-cluster catalog regions` lists them")
    account = options.account or (project.usual_place()[0] if options.local else _caller(region))
    place = f"{f' --account {account}' if options.local else ''} --region {region}"
    command = f"neuron-cluster destroy --deployed {name}{local}{place}"
    return Removal(project, EnvironmentName(name, account, region, known.partition), command)


def _caller(region: str) -> str:
    from neuron_cluster.aws.session import AwsTarget
    from neuron_cluster.aws.sts import caller_account

    return caller_account(AwsTarget(region))


def _with_list(finding: Finding, local: str) -> Finding:
    """Beside the files that are known: what is deployed."""
    if finding.id != UNKNOWN_FILE:
        return finding
    import msgspec

    hint = f"{finding.hint}\nto see what is deployed and described by no file: neuron-cluster list{local}"
    return msgspec.structs.replace(finding, hint=hint)
