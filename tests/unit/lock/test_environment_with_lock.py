"""An environment file with its lock: what the line makes of the two."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan


def put(lock: Lock, locks: Path) -> None:
    write_lock(lock_path(locks, "dev-inf2"), lock_text(lock, {}, "a test"))


def eks_of(environment: Path, locks: Path | None = None) -> KubernetesPlan:
    eks = check_environment(environment, locks=locks).require_plan().kubernetes
    assert eks is not None
    return eks


def test_the_lock_beside_the_file_pins_releases_addons_and_digests(environment: Path, lock: Lock) -> None:
    put(lock, locks_beside(environment))
    eks = eks_of(environment)
    assert {group.image.release for group in eks.node_groups} == {"1.35.6-20260714"}
    versions = {addon.name: addon.version for addon in eks.addons}
    assert (versions["vpc-cni"], versions["coredns"]) == ("v1.22.4-eksbuild.3", "v1.14.2-eksbuild.4")
    assert versions["kube-proxy"] is None
    assert [chart.digest for chart in eks.charts] == [lock.charts["neuron-helm-chart"].digest]


def test_without_a_lock_nothing_is_pinned(environment: Path) -> None:
    eks = eks_of(environment)
    assert {group.image.release for group in eks.node_groups} == {None}
    assert {addon.version for addon in eks.addons} == {None}


def test_the_file_wins_over_its_lock(environment: Path, lock: Lock) -> None:
    put(lock, locks_beside(environment))
    text = environment.read_text()
    pinned = text.replace("    - name: inf2\n", "    - name: inf2\n      ami_release: 1.35.2-20260601\n")
    assert pinned != text
    environment.write_text(pinned)
    releases = {group.name: group.image.release for group in eks_of(environment).node_groups}
    assert releases == {"system": "1.35.6-20260714", "inf2": "1.35.2-20260601"}


def test_another_folder_of_locks_can_be_named(environment: Path, lock: Lock, tmp_path: Path) -> None:
    put(lock, tmp_path / ".local" / "locks")
    assert {group.image.release for group in eks_of(environment).node_groups} == {None}
    releases = {group.image.release for group in eks_of(environment, tmp_path / ".local" / "locks").node_groups}
    assert releases == {"1.35.6-20260714"}


def test_a_digest_of_another_chart_version_is_not_shown(environment: Path, lock: Lock) -> None:
    other = structs.replace(lock.charts["neuron-helm-chart"], version="1.9.0")
    put(structs.replace(lock, charts={"neuron-helm-chart": other}), locks_beside(environment))
    assert [chart.digest for chart in eks_of(environment).charts] == [None]


def test_an_unusable_lock_leaves_no_plan_and_no_rule_reports_a_missing_lock(environment: Path, lock: Lock) -> None:
    put(structs.replace(lock, region="eu-west-1"), locks_beside(environment))
    checked = check_environment(environment)
    assert checked.plan is None
    ids = [finding.id for finding in checked.findings]
    assert "E9106" in ids
    assert "W3011" not in ids
    finding = checked.findings[ids.index("E9106")]
    assert finding.location.file.endswith("locks/dev-inf2.yaml")
    assert finding.location.line
    assert f"`neuron-cluster lock {environment}`" in finding.hint


def test_a_broken_local_lock_says_to_run_the_local_command(environment: Path, tmp_path: Path) -> None:
    locks = tmp_path / ".local" / "locks"
    locks.mkdir(parents=True)
    lock_path(locks, "dev-inf2").write_text("")
    hints = [f.hint for f in check_environment(environment, locks=locks).findings if f.id.startswith("E91")]
    assert [(f"neuron-cluster lock --local {environment}`" in hint) for hint in hints] == [True]


def test_a_new_lock_is_made_past_one_that_cannot_be_used(environment: Path, tmp_path: Path) -> None:
    locks_beside(environment).mkdir()
    lock_path(locks_beside(environment), "dev-inf2").write_text("")
    assert check_environment(environment).plan is None
    assert check_environment(environment, with_lock=False).plan is not None


def test_an_account_that_is_no_account_is_not_held_against_the_lock(environment: Path, lock: Lock) -> None:
    put(lock, locks_beside(environment))
    environment.write_text(environment.read_text().replace("account: 111122223333", "account: 1111"))
    assert "E9106" not in [finding.id for finding in check_environment(environment).findings]
