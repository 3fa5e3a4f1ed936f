"""Teams on a local AWS: one is changed, removed and added; objects and access of the others stay as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import yaml

from local_aws.custom_resources.kubernetes_state import objects_in
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.local_server import recorded
from tests.five_teams import GROUP, NAMES, team
from tests.small_environment import small_environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = small_environment(eks=("namespaces: [{name: default}]",), trn1=("queue: training",), maximum=8)
CHANGED, REMOVED, ADDED = "speech", "vision", "biology"
OF_TEAMS = {"ClusterQueue", "LimitRange", "LocalQueue", "Namespace", "NetworkPolicy", "ResourceQuota", "Role"}
POLICIES = {"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}


def text(teams: Sequence[Mapping[str, Any]]) -> str:
    """The file with these teams."""
    return SMALL + yaml.safe_dump({"teams": [dict(each) for each in teams]})


def small_team(name: str, **keys: Any) -> dict[str, Any]:
    return team(name, quota=[{"node_group": GROUP, "devices": 1}], **keys)


class Cluster:
    """Resources of each team in the local AWS."""

    def __init__(self, aws: LocalAws, target: LocalTarget) -> None:
        self._where = (aws.store, target.account, target.region, "small")
        self._eks = client(target, "eks")

    def objects(self, name: str) -> list[str]:
        """Returns the objects in the namespaces of a team, its namespaces and its queues, as JSON."""
        found = (each for each in objects_in(*self._where) if self._is_of(each, name))
        return sorted(json.dumps(each, sort_keys=True) for each in found)

    def kinds(self, name: str) -> set[str]:
        return {json.loads(each)["kind"] for each in self.objects(name)}

    def access(self, name: str) -> Mapping[str, Any] | None:
        """The access entry of its member with the times of its creation and last change; None without one."""
        arn = f"arn:aws:iam::111122223333:role/{name}"
        if arn not in self._eks.list_access_entries(clusterName="small")["accessEntries"]:
            return None
        entry = self._eks.describe_access_entry(clusterName="small", principalArn=arn)["accessEntry"]
        assert isinstance(entry, dict)
        return entry

    def state(self, names: Sequence[str]) -> list[Any]:
        return [(self.objects(name), self.access(name)) for name in names]

    @staticmethod
    def _is_of(kubernetes_object: Mapping[str, Any], name: str) -> bool:
        metadata = kubernetes_object["metadata"]
        if "namespace" in metadata:
            return bool(metadata["namespace"] == name)
        names = {"ClusterQueue": f"{name}-training", **dict.fromkeys(POLICIES, f"neuron-cluster-images-{name}")}
        return bool(metadata["name"] == names.get(kubernetes_object["kind"], name))


def test_a_team_is_changed_removed_and_added_beside_the_others(
    run_small: Callable[..., Any], target: LocalTarget, aws: LocalAws
) -> None:
    teams = {name: small_team(name) for name in NAMES}
    run_small(text(list(teams.values())))
    cluster = Cluster(aws, target)
    for name in NAMES:
        assert cluster.kinds(name) >= OF_TEAMS, name
        assert (cluster.access(name) or {})["kubernetesGroups"] == [f"neuron-cluster:{name}"]
    first = {name: cluster.objects(name) for name in NAMES}

    def deployed(others: Sequence[str]) -> None:
        before = cluster.state(others)
        run_small(text(list(teams.values())))
        assert cluster.state(others) == before

    teams[CHANGED] = small_team(CHANGED, weight=3, images=["public.ecr.aws/neuron/"])
    deployed([name for name in NAMES if name != CHANGED])
    assert cluster.objects(CHANGED) != first[CHANGED]
    assert cluster.kinds(CHANGED) >= POLICIES
    teams[CHANGED] = small_team(CHANGED, weight=3)
    deployed([name for name in NAMES if name != CHANGED])
    assert not cluster.kinds(CHANGED) & POLICIES, "deleted with the key"

    del teams[REMOVED]
    deployed([name for name in NAMES if name != REMOVED])
    assert cluster.kinds(REMOVED) == {"Namespace"}, "its claims hold data"
    assert cluster.access(REMOVED) is None

    teams[ADDED] = small_team(ADDED)
    deployed([name for name in NAMES if name != REMOVED])
    assert cluster.kinds(ADDED) >= OF_TEAMS

    teams[REMOVED] = small_team(REMOVED)
    deployed([*(name for name in NAMES if name != REMOVED), ADDED])
    assert cluster.objects(REMOVED) == first[REMOVED]

    run_small(text(list(teams.values())), "destroy")
    assert recorded(target.endpoint, target.account, target.region) == []
