"""Which file an environment belongs to, and what stays behind when a deploy begins another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from neuron_cluster.aws.cloudformation import stack
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.session import AwsTarget, LocalTarget, Target, close_clients
from neuron_cluster.deploy.deployed_environments import DeployedEnvironment, deployed_environments, holdings
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.context import Locate
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK

SHARED, OTHER, ORPHAN = "E9013", "E9014", "W9015"
LOCAL_AWS, AWS = "local", "aws"
SIMULTANEOUS_REGIONS = 8
"""Regions that are queried in parallel; each responds in a fraction of a second."""


class Claim(Struct, frozen=True):
    """An environment file, and the environment that it describes."""

    file: str
    """As the reader writes it."""
    argument: str
    """As commands are given it: ``llm70b``."""
    path: str
    """Absolute path of the file."""
    stem: str | None
    """Name of the file in ``environments/``; None for a file anywhere else, which may have any name."""
    name: str
    account: str
    region: str

    @property
    def place(self) -> tuple[str, str, str]:
        return self.name, self.account, self.region


class DeployedFile(Struct, frozen=True, order=True):
    """One environment as a deploy of this file began it."""

    file: str
    """Absolute path."""
    environment: str
    account: str
    region: str
    on: str
    """``local`` or ``aws``: what is on the local AWS is not on AWS."""


class Left(Struct, frozen=True):
    """An environment that a deploy would leave behind."""

    name: str
    account: str
    region: str
    key: str
    """The key of the file whose edit leaves it: ``name``, ``account`` or ``region``."""
    what: str
    """The resources of the environment, in words."""


class Identity(Struct, frozen=True):
    """The facts that decide whether a deploy of this file changes its environment or begins another one."""

    plan: ClusterPlan
    destination: Destination
    file: Claim
    others: tuple[Claim, ...]
    """The other files of ``environments/``."""
    earlier: tuple[DeployedFile, ...]
    """The earlier deployments of the file by this checkout."""
    other_regions: tuple[str, ...] = ()
    """Regions of the account in which an environment of this name can be; only on AWS."""

    def findings(self, agreed: str | None, locate: Locate) -> list[Finding]:
        """E9013: two files of one environment. E9014: a deploy begins another environment and leaves one behind.

        ``agreed`` is the environment that the user confirmed as new. Raises ``ToolkitError`` when a service does not
        answer, and for another name than the file's.
        """
        if agreed not in (None, self.plan.name):
            message = f'--new-environment names "{agreed}", but the environment in the file is "{self.plan.name}"'
            raise ToolkitError(message, hint=f"to deploy what the file has: --new-environment {self.plan.name}")
        if twin := next((claim for claim in self.others if claim.place == self.file.place), None):
            return [self._shared(twin, locate)]
        here = deployed_environments(self.destination.target)
        if self.plan.name in here or agreed is not None:
            return []
        left = list(self._left(here))
        if left:
            return [self._other(each, locate) for each in left]
        if self.file.stem not in (None, self.plan.name):
            return [self._of_another_name(locate)]
        orphans = [each for name, each in here.items() if not self._claimed(name)]
        return [self._orphan(each, locate) for each in orphans]

    def _claimed(self, name: str) -> bool:
        place = (name, self.destination.account, self.destination.region)
        return any(claim.place == place for claim in (self.file, *self.others))

    def _left(self, here: Mapping[str, DeployedEnvironment]) -> Iterator[Left]:
        """Environments that were this file's, as far as the record, the file's name and the other Regions show."""
        seen: set[tuple[str, str, str]] = {self.file.place}
        for row in self.earlier:
            place = (row.environment, row.account, row.region)
            if place not in seen and not any(claim.place == place for claim in self.others):
                seen.add(place)
                what = self._what_is(row)
                if what is not None:
                    yield Left(*place, self._key(row), what)
        stem = self.file.stem
        if stem is not None and stem in here and not self._claimed(stem):
            place = (stem, self.destination.account, self.destination.region)
            if place not in seen:
                yield Left(*place, "name", holdings(self.destination.target, here[stem]).description)
        yield from self._in_other_regions(seen)

    def _in_other_regions(self, seen: AbstractSet[tuple[str, str, str]]) -> Iterator[Left]:
        """Environments of this name that no other file describes, in the other Regions of the account."""
        taken = seen | {claim.place for claim in self.others}
        places = [(self.plan.name, self.destination.account, region) for region in self.other_regions]
        queried = [place for place in places if place not in taken]
        targets = [self._target(*place[1:]) for place in queried]
        try:
            with ThreadPoolExecutor(SIMULTANEOUS_REGIONS) as pool:
                found = list(pool.map(lambda target: _has_network(target, self.plan), targets))
            for place, target, is_there in zip(queried, targets, found, strict=True):
                environment = self._environment(self.plan.name, target) if is_there else None
                if environment is not None:
                    yield Left(*place, "region", holdings(target, environment).description)
        finally:
            for target in targets:
                close_clients(target)

    def _key(self, row: DeployedFile) -> str:
        if row.environment != self.plan.name:
            return "name"
        return "account" if row.account != self.plan.account else "region"

    def _what_is(self, row: DeployedFile) -> str | None:
        """Returns the resources of the recorded environment, in words; None when it is gone."""
        if not self.destination.is_local and row.account != self.destination.account:
            return "what it holds is not known: your credentials are of another account"
        target = self._target(row.account, row.region)
        found = self._environment(row.environment, target)
        return holdings(target, found).description if found is not None else None

    def _target(self, account: str, region: str) -> Target:
        if isinstance(self.destination.target, LocalTarget):
            return LocalTarget(region, account, self.destination.target.endpoint)
        return AwsTarget(region)

    def _environment(self, name: str, target: Target) -> DeployedEnvironment | None:
        return deployed_environments(target).get(name)

    def _shared(self, twin: Claim, locate: Locate) -> Finding:
        message = (
            f"{self.file.file} and {twin.file} both describe the environment {self.plan.name} in account "
            f"{self.plan.account}, {self.plan.region}: a deploy of one changes what the other built"
        )
        own = self.file.stem or "NEW-NAME"
        renamed, name = (self.file, own) if own != self.plan.name else (twin, twin.stem)
        other = f"write name: {name} in {renamed.file}"
        return Finding(SHARED, locate(("name",)), message, f"{other}, or remove one of the two files")

    def _other(self, left: Left, locate: Locate) -> Finding:
        new = f"{self.plan.name} in account {self.plan.account}, {self.plan.region}"
        message = (
            f"a deploy would build {new} as a second environment, and leave {left.name} in account {left.account}, "
            f"{left.region} deployed and billed, described by no file. It has {left.what}"
        )
        back = {"name": left.name, "account": f'"{left.account}"', "region": left.region}[left.key]
        hint = f"to go on with {left.name}, undo the edit: write {left.key}: {back}\n{self._beside()}"
        return Finding(OTHER, locate((left.key,)), message, hint)

    def _of_another_name(self, locate: Locate) -> Finding:
        message = (
            f"{self.plan.name} is not deployed in account {self.plan.account}, {self.plan.region}, and its file has "
            f"another name, {self.file.file}: a renamed environment is a second one, and the first stays billed"
        )
        hint = f"write name: {self.file.stem}, or rename the file to {self.plan.name}.yaml\n{self._beside()}"
        return Finding(OTHER, locate(("name",)), message, hint)

    def _beside(self) -> str:
        local = "--local " if self.destination.is_local else ""
        command = f"neuron-cluster deploy {local}{self.file.argument} --new-environment {self.plan.name}"
        return f"to build a second environment: {command}"

    def _orphan(self, environment: DeployedEnvironment, locate: Locate) -> Finding:
        held = holdings(self.destination.target, environment).description
        message = (
            f"the environment {environment.name} is deployed in the same account and Region, and no file in "
            f"environments/ describes it. It has {held}"
        )
        local = " --local" if self.destination.is_local else ""
        hint = f"if {self.plan.name} was called {environment.name} before, write name: {environment.name}\n"
        return Finding(ORPHAN, locate(("name",)), message, f"{hint}to see all: neuron-cluster list{local}")


def _has_network(target: Target, plan: ClusterPlan) -> bool:
    """Whether the Region has the first stack of the environment; no where the account may not use the Region."""
    try:
        return stack(target, plan.stack_name(NETWORK.stack_key)) is not None
    except AwsApiError:
        return False
