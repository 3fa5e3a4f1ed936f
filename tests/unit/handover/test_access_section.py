"""Sections on login and rights, for members by role, members by permission set, and operators."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from neuron_cluster.schedulers.kubernetes.software.team_roles import OPERATED, operator_role, role
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from tests.unit.handover.packs import SSO_ROLE, environment_of, pack_of, red


def _lines(pack: KubernetesPack, begin: str) -> list[str]:
    return [line for line in pack.files["README.md"].splitlines() if line.startswith(begin)]


def test_each_role_signs_in_by_its_form_and_operators_have_a_context_of_their_own(research: KubernetesPack) -> None:
    assert _lines(research, "aws configure set role_arn") == [
        "aws configure set role_arn arn:aws:iam::111122223333:role/research --profile train-trn1-research",
        (
            "aws configure set role_arn arn:aws:iam::111122223333:role/research-operators "
            "--profile train-trn1-research-operators"
        ),
    ]
    assert _lines(research, "aws sso login") == ["aws sso login --profile train-trn1-research-2"]
    entered = [line.partition(" --alias ")[2] for line in _lines(research, "aws eks update-kubeconfig")]
    assert entered == [
        "train-trn1-research --profile train-trn1-research",
        "train-trn1-research --profile train-trn1-research-2",
        "train-trn1-research-operators --profile train-trn1-research-operators",
    ]


def test_the_checks_of_the_login_ask_for_what_the_roles_allow(research: KubernetesPack) -> None:
    assert _lines(research, "kubectl auth can-i") == [
        "kubectl auth can-i create jobs.batch --namespace research",
        "kubectl auth can-i patch localqueues.kueue.x-k8s.io --namespace research",
    ]
    written = [rule for rule in role("research")["rules"] if "jobs" in rule["resources"]]
    assert any("create" in rule["verbs"] and rule["apiGroups"] == ["batch"] for rule in written)
    assert "patch" in OPERATED["kueue.x-k8s.io", "localqueues"]
    asked = [rule for rule in role("research")["rules"] if "localqueues" in rule["resources"]]
    assert not any("patch" in rule["verbs"] for rule in asked)  # members get the answer `no`


def test_operators_read_their_rights_and_how_they_stop_a_queue(
    research: KubernetesPack, packs: Mapping[str, KubernetesPack]
) -> None:
    page = research.files["README.md"]
    (sentence,) = [line for line in page.splitlines() if line.startswith("Operators have the rights of members")]
    nouns = {
        "networkpolicies": "network policies", "serviceaccounts": "service accounts", "pods/eviction": "evict pods",
        "localqueues": "stops a queue", "roles": "read roles", "rolebindings": "role bindings",
        "scaledobjects": "ScaledObjects",
    }  # fmt: skip
    resources = {name for rule in operator_role("research")["rules"] for name in rule["resources"]}
    assert resources == set(nouns)
    assert {word for word in nouns.values() if word not in sentence} == set()
    patch = "kubectl patch localqueues.kueue.x-k8s.io training --namespace research --type merge --patch"
    assert _lines(research, "kubectl patch") == [
        f"""{patch} '{{"spec": {{"stopPolicy": "Hold"}}}}'""",
        f"""{patch} '{{"spec": {{"stopPolicy": "None"}}}}'""",
    ]
    assert "Operators" not in packs["small"].files["README.md"]


def test_a_permission_set_without_a_role_in_the_lock_is_named(research: KubernetesPack, tmp_path: Path) -> None:
    page = research.files["README.md"]
    assert "People with the permission set Data-Science have no access yet" in page
    assert "Members with the permission set Research of IAM Identity Center" in page  # of the ARN in `members`
    team = {**red("inf2", 1), "members": [], "permission_sets": ["Data-Science"]}
    alone = pack_of(environment_of(tmp_path, "dev-inf2", "inf2", [team]), "red").files["README.md"]
    assert "permission set Data-Science have no access yet" in alone
    assert "has no members yet" not in alone
    assert "kubectl auth can-i" not in alone
    assert SSO_ROLE not in alone


def test_a_team_with_operators_alone_has_their_login(tmp_path: Path) -> None:
    team = {**red("inf2", 1), "members": [], "operators": ["arn:aws:iam::111122223333:role/ops"]}
    page = pack_of(environment_of(tmp_path, "dev-inf2", "inf2", [team]), "red").files["README.md"]
    assert "has no members yet" in page
    assert "--alias dev-inf2-red-operators --profile dev-inf2-red-operators" in page
    assert "kubectl config use-context dev-inf2-red-operators" in page
