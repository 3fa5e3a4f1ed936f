"""Findings about rendered workloads."""

from __future__ import annotations

from shapes import pod

from neuron_cluster.catalog.workload_shape import NodeNeed
from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.schedule.finding_specs import ROWS
from neuron_cluster.schedule.fit import UnschedulableReason
from neuron_cluster.schedule.schedule_findings import findings_about
from neuron_cluster.schedule.verdict import GroupResult, Verdict

NEED = NodeNeed(nodes="every", without="it is useless", source="-")


def verdict(kind: str, *misfits: UnschedulableReason, is_needed: bool = False) -> Verdict:
    on = GroupResult("trn1", misfits, (), is_needed, None)
    return Verdict(pod(kind, needed_on=NEED if is_needed else None), (on,), has_auto_mode=False)


def test_each_kind_of_mistake_has_its_id_its_place_and_a_hint() -> None:
    sure = UnschedulableReason("no", "labels", "affinity", "write another")
    unsure = UnschedulableReason("no", "labels", "selector", "leave it out", "an estimate")
    judged = [
        ("a.yaml", verdict("DaemonSet", sure, is_needed=True)),
        ("b.yaml", verdict("Deployment", sure)),
        ("c.yaml", verdict("Deployment", unsure)),
        ("d.yaml", verdict("Deployment")),
    ]
    found = list(findings_about(judged))
    assert [(each.id, each.location.file) for each in found] == [
        ("E9301", "a.yaml"), ("E9302", "b.yaml"), ("W9303", "c.yaml"),
    ]  # fmt: skip
    assert all(each.hint and each.id in ROWS for each in found)


def test_the_hint_is_about_the_group_that_lacks_least_and_needs_no_other_machines() -> None:
    """Where one group has other machines and the other wants a toleration, a smaller pod is no way out."""
    small, tainted = (
        UnschedulableReason("no", "instance_type", "amount", "ask for less"),
        UnschedulableReason("no", "taints", "toleration", "add it"),
    )
    groups = (GroupResult("system", (small,), (), False, None), GroupResult("trn1", (tainted,), (), False, None))
    with_devices, without = pod("Job", requests={NEURON: 16}), pod("Job")
    for asking, hint, first, last in (
        (with_devices, "for trn1: add it", "trn1", "system"),
        (without, "for system: ask for less", "system", "trn1"),
    ):
        (found,) = findings_about([("a.yaml", Verdict(asking, groups, has_auto_mode=False))])
        assert found.hint == hint
        assert found.message.index(first) < found.message.index(last)
