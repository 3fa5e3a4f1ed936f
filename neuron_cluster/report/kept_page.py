"""Resources of an environment that `destroy` keeps, as far as the plan decides it."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.plan.stack_table import data_stack_keys, is_protected, planned_stacks, stack_keys_below_data
from neuron_cluster.table import Table

NOTE = "A stack is kept while it holds data. `--delete-data` with the name of the environment deletes the data too."


def kept_table(plan: ClusterPlan) -> Table:
    """Each stack in deploy order; `destroy` deletes in the reverse order."""
    stacks = planned_stacks(plan)
    has_data = any(spec.stack_key in data_stack_keys() for spec in stacks)
    rows = tuple(
        (plan.stack_name(spec.stack_key), spec.purpose, _effect(spec, has_data=has_data), _protection(plan, spec))
        for spec in stacks
    )
    return Table("Stacks, in deploy order", ("stack", "holds", "destroy", "termination protection"), rows, NOTE)


def _effect(spec: StackSpec, *, has_data: bool) -> str:
    if spec.stack_key in data_stack_keys():
        return "kept: it holds data"
    return "kept: data depends on it" if has_data and spec.stack_key in stack_keys_below_data() else "deleted"


def _protection(plan: ClusterPlan, spec: StackSpec) -> str:
    return "on" if is_protected(plan, spec.stack_key) else "off"


def kept_sentences(stores: Sequence[str], log_groups: Sequence[str]) -> list[str]:
    """Data and log groups that stay. Titles of the stores, names of the log groups."""
    data = f"Kept with its encryption key: {', '.join(stores)}." if stores else "There is no data to keep."
    logs = f"Kept, because services write to them after the cluster is deleted: log groups {', '.join(log_groups)}."
    return [data, *([logs] if log_groups else [])]
