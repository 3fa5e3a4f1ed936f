"""The departure of a team is the difference of two plans: with the team, and without it."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hint_commands import command_error

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.handover.departure import Departure, departure
from neuron_cluster.handover.named_team import named_team
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.five_teams import with_teams
from tests.unit.handover.packs import GUESTS, RESEARCH, SMALL, environment, objects_in, pack_of

STORAGE = {"storage.compile_cache": {"expire_days": 30}}
WORKSTATIONS = {
    "storage.homes": [
        {"name": name, "availability_zone": "usw2-az1", "size_gib": 100} for name in ("alice", "bob", "carol")
    ],
    "workstations": [
        {"name": name, "instance_type": "inf2.xlarge", "dlami": "multi_framework_ubuntu_24_04", **keys}
        for name, keys in {
            "alice": {"home": "alice", "team": "research"},
            "spare": {"availability_zone": "usw2-az1", "team": "research"},
            "bob": {"home": "bob", "team": "research"},
            "carol": {"home": "carol", "team": "small"},
        }.items()
    ],
}
"""Two homes of research, one of another team."""
PlanOf = Callable[..., ClusterPlan]


def _objects(plan: ClusterPlan, *, is_kept: bool) -> Iterator[tuple[str, str]]:
    cluster = plan.kubernetes
    assert cluster is not None
    for manifest in (*cluster.manifests, *cluster.team_manifests):
        for body in manifest.objects if manifest.is_kept is is_kept else ():
            home, name = body["metadata"].get("namespace"), body["metadata"]["name"]
            if "lustre-folders" not in name:  # a Job whose name follows from all namespaces
                yield str(body["kind"]), f"{home}/{name}" if home else name


def _roles(plan: ClusterPlan) -> set[str]:
    assert plan.kubernetes is not None
    return {f"{role.namespace}/{role.service_account}" for role in plan.kubernetes.workload_roles}


def _leaving(plan: ClusterPlan, name: str) -> Departure:
    return departure(plan, named_team(plan, name), "train-trn1", load_catalog())


@pytest.mark.parametrize("edits", [{}, STORAGE])
@pytest.mark.parametrize("left", [RESEARCH, SMALL, GUESTS])
def test_what_is_removed_and_kept_is_what_the_plan_without_the_team_lacks(
    plan_of: PlanOf, left: dict[str, Any], edits: dict[str, Any]
) -> None:
    teams = [RESEARCH, SMALL, GUESTS]
    before = plan_of("train-trn1", with_teams(copy.deepcopy(teams), **edits))
    after = plan_of("train-trn1", with_teams([each for each in teams if each is not left], **edits))
    found = _leaving(before, left["name"])
    for parts, is_kept in ((found.removed, False), (found.kept, True)):
        expected = set(_objects(before, is_kept=is_kept)) - set(_objects(after, is_kept=is_kept))
        kinds = {kind for kind, _ in _objects(before, is_kept=is_kept)}
        assert {(part.kind, part.name) for part in parts if part.kind in kinds} == expected
    roles = {part.name for part in found.removed if part.kind == "IAM role of a service account"}
    assert roles == _roles(before) - _roles(after)
    entries = {part.name for part in found.removed if part.kind == "access entry"}
    assert entries == {*left["members"], *left.get("operators", ())}


def test_data_stays_and_each_kind_has_a_command_that_deletes_it(plan_of: PlanOf) -> None:
    found = _leaving(plan_of("train-trn1", with_teams([RESEARCH])), "research")
    kept = {(part.kind, part.name) for part in found.kept}
    assert {
        ("namespace", "research"),
        ("namespace", "research-test"),
        ("prefix of the checkpoint bucket", "teams/research/"),
        ("folder on Lustre", "/checkpoints/research"),
    } <= kept
    commands = [command for step in found.steps for command in step.commands]
    assert "kubectl delete namespace research" in commands
    assert "kubectl delete persistentvolume lustre-research lustre-research-test" in commands
    assert "aws s3 rm s3://BUCKET/teams/research/ --recursive --region us-west-2" in commands
    exec_ = "kubectl exec --namespace research job/interactive -- rm -r /checkpoints/checkpoints/research"
    # The claim of the shell is gone with the namespace, and its queue with the deploy.
    deploy = commands.index("neuron-cluster deploy train-trn1")
    assert commands.index(exec_) < deploy < commands.index("kubectl delete namespace research")
    assert [step.deletes_data for step in found.steps] == [False, True, False, True, False, True]


def test_folders_are_deleted_in_the_namespace_of_the_shell_of_the_pack(
    plan_of: PlanOf, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The first namespace of the team waits in a queue without devices."""
    edits = {"eks.node_groups.0.queue": "cpu"}
    team = {**SMALL, "namespaces": [{"name": "tools", "queue": "cpu"}, {"name": "small", "queue": "training"}]}
    commands = [
        command
        for step in _leaving(plan_of("train-trn1", with_teams([team], **edits)), "small").steps
        for command in step.commands
    ]
    for folder in ("tools", "small"):
        assert f"kubectl exec --namespace small job/interactive -- rm -r /checkpoints/checkpoints/{folder}" in commands
    pack = pack_of(environment(tmp_path_factory.mktemp("two"), teams=[team], **edits), "small")
    assert {body["metadata"]["namespace"] for _, body in objects_in(pack)} == {"small"}
    assert "--namespace tools" not in pack.files["runbook.md"]
    assert "kubectl config set-context train-trn1-small --namespace=small" in pack.files["README.md"]


def test_without_a_shell_in_the_pack_the_folders_are_listed(plan_of: PlanOf) -> None:
    team = {**SMALL, "quota": [], "namespaces": [{"name": "tools", "queue": "cpu"}]}
    found = _leaving(plan_of("train-trn1", with_teams([team], **{"eks.node_groups.0.queue": "cpu"})), "small")
    (step,) = [each for each in found.steps if "folders on Lustre" in each.words]
    assert step.commands == ()
    assert step.words.endswith(": /checkpoints/checkpoints/tools.")
    assert step.deletes_data


def test_copies_of_the_files_on_lustre_are_listed_and_deleted_after_the_files(plan_of: PlanOf) -> None:
    found = _leaving(plan_of("train-trn1", with_teams([SMALL])), "small")
    copies = [part.name for part in found.kept if "storage.lustre.sync" in part.note]
    assert copies == ["checkpoints/small/"]
    commands = [command for step in found.steps for command in step.commands]
    files = next(command for command in commands if "-- rm -r" in command)
    objects = "aws s3 rm s3://BUCKET/checkpoints/small/ --recursive --region us-west-2"
    assert commands.index(files) < commands.index(objects)


def test_an_environment_without_storage_has_nothing_to_delete_there(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", with_teams([SMALL], storage=None))
    found = _leaving(plan, "small")
    assert {part.kind for part in found.kept} == {"namespace"}
    assert len(found.steps) == 3


def test_a_bucket_that_exists_is_named(plan_of: PlanOf) -> None:
    existing = {"checkpoint_bucket": {"existing": {"name": "team-checkpoints"}}}
    plan = plan_of("train-trn1", with_teams([SMALL], storage=existing))
    commands = [command for step in _leaving(plan, "small").steps for command in step.commands]
    assert "aws s3 rm s3://team-checkpoints/teams/small/ --recursive --region us-west-2" in commands


def test_homes_of_its_workstations_are_deleted_one_by_one_and_no_others_are_named(
    plan_of: PlanOf,
) -> None:
    found = _leaving(plan_of("train-trn1", with_teams([RESEARCH], **WORKSTATIONS)), "research")
    assert [part.name for part in found.kept if part.kind == "home of a workstation"] == ["alice", "bob"]
    unmounted, deleted = found.steps[-2:]
    assert "(alice and bob)" in unmounted.words
    assert (unmounted.commands, unmounted.deletes_data) == (("neuron-cluster deploy train-trn1",), False)
    delete = "neuron-cluster destroy train-trn1 --delete-data train-trn1 --home"
    deploy = "neuron-cluster deploy train-trn1"
    assert (deleted.commands, deleted.deletes_data) == ((f"{delete} alice", f"{delete} bob", deploy), True)


def test_every_command_is_one_of_its_program(plan_of: PlanOf) -> None:
    found = _leaving(plan_of("train-trn1", with_teams([RESEARCH], **WORKSTATIONS)), "research")
    commands = [command for step in found.steps for command in step.commands]
    assert {each.split()[0] for each in commands} == {"kubectl", "neuron-cluster", "aws"}
    for command in commands:
        arguments = shlex.split(command)
        if arguments[:3] == ["aws", "s3", "rm"]:  # no operation of the API
            assert arguments[3].startswith("s3://")
        elif arguments[1] != "wait":
            assert command_error(command) == "", command
