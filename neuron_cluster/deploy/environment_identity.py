"""The files of a project and the environments that they describe, for what compares them with what is deployed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.deploy.deployment_record import DeploymentRecord
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.identity import AWS, LOCAL_AWS, Claim, DeployedFile, Identity
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.project import EnvironmentFile, Project


class ListedFile(Struct, frozen=True):
    """One file of ``environments/``. ``claim`` is None where the file does not name its environment."""

    file: EnvironmentFile
    claim: Claim | None


def listed_files(project: Project) -> list[ListedFile]:
    """Every file of ``environments/``, sorted by name. A file with errors elsewhere still describes its environment."""
    return [ListedFile(file, claim_of(file, project)) for file in project.environment_files()]


def claim_of(file: EnvironmentFile, project: Project) -> Claim | None:
    """The environment that a file describes; None where name, account or Region cannot be read."""
    loaded = load_environment(file.path)
    config = loaded.config
    unsure = {path[0] for path in loaded.repairs.repaired if len(path) == 1}
    if config is None or unsure & {"name", "account", "region"}:
        return None
    path = file.path.absolute()
    stem = path.stem if path.parent == project.environments else None
    return Claim(
        file.display_name,
        stem or as_argument(file.display_name),
        str(path),
        stem,
        config.name,
        config.account,
        config.region,
    )


def identity_of(opened: OpenedEnvironment, destination: Destination) -> Identity:
    """Returns the facts that decide whether a deploy changes this file's environment or begins another one."""
    plan = opened.plan
    file = claim_of(opened.file, opened.project)
    if file is None:
        raise LookupError(f"{opened.file.display_name} has a plan and no name")
    others = [listed.claim for listed in listed_files(opened.project)] if file.stem is not None else []
    on = LOCAL_AWS if destination.is_local else AWS
    rest = [region.name for region in load_catalog().regions if region.name != plan.region]
    return Identity(
        plan=plan,
        destination=destination,
        file=file,
        others=tuple(claim for claim in others if claim is not None and claim.path != file.path),
        earlier=DeploymentRecord(opened.project.root).before(opened.file.path, on=on),
        other_regions=tuple(rest) if not destination.is_local else (),
    )


def identity_findings(opened: OpenedEnvironment, destination: Destination, agreed: str | None) -> Sequence[Finding]:
    """E9013, E9014 and W9015: see ``Identity``."""
    return identity_of(opened, destination).findings(agreed, opened.locate)


def record_deployment(opened: OpenedEnvironment, destination: Destination) -> None:
    """Notes from which file the environment is deployed. Raises ``ToolkitError`` when that cannot be written."""
    plan = opened.plan
    on = LOCAL_AWS if destination.is_local else AWS
    row = DeployedFile(str(Path(opened.file.path).absolute()), plan.name, plan.account, plan.region, on)
    DeploymentRecord(opened.project.root).add(row)


def forget_deployment(project: Project, name: str, destination: Destination) -> None:
    """Takes an environment that is gone out of the record. Raises ``ToolkitError`` when that cannot be written."""
    on = LOCAL_AWS if destination.is_local else AWS
    DeploymentRecord(project.root).remove(name, destination.account, destination.region, on=on)
