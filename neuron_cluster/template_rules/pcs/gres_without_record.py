from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.generic_resources import (
    GPU,
    RECORDS,
    GresRecord,
    RequestedGres,
    records,
    requested,
)
from neuron_cluster.template_rules.property_tree import at, is_unknown


class GresWithoutRecord(TemplateRule):
    """Each generic resource of a compute node group has records in `GresCustomSettings` (`Gres`).

    Their counts together are at least the requested one; a record of the name `gpu` has the type of the item. There is
    one `gpu` record, with device files; another one would replace the default record.
    """

    id = "E8954"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = "ValidationException"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/gres-custom-settings.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        known = records(context.resource)
        if known is None or any(record.is_detected or record.name is None for record in known):
            return
        yield from _records(known)
        for item in requested(context.resource):
            yield from _of_item(item, [record for record in known if record.name == item.name])


def _records(known: list[GresRecord]) -> Violations:
    of_gpus = [record for record in known if record.name == GPU]
    for record in of_gpus[1:]:
        yield Violation(record.path, f"is a second record of {GPU}", f"remove all but one record of {GPU}")
    for record in of_gpus:
        if not record.has_files:
            yield Violation(record.path, f"has the Name {GPU} without File", "write File: the device files of a node")


def _of_item(item: RequestedGres, matching: list[GresRecord]) -> Violations:
    if not matching:
        yield Violation(
            item.path,
            f"requests {item.name}, and {RECORDS} has no record of this Name",
            f"write Name: {item.name} in a record of GresCustomSettings, or remove the item from ParameterValue",
        )
        return
    types = {at(record.properties, "Type") or "" for record in matching}
    is_known = not any(map(is_unknown, types))
    if is_known and item.name == GPU and item.type and item.type not in types:
        yield Violation(
            item.path,
            f"requests the type {item.type}; the record of {GPU} has the Type {', '.join(sorted(types))}",
            "write the same type in ParameterValue and in Type of the record",
        )
    counts = [record.count for record in matching]
    total = sum(count or 0 for count in counts)
    if None not in counts and item.count > total:
        yield Violation(
            item.path,
            f"requests {item.count} of {item.name}, and its records have {total}",
            f"write a ParameterValue with {total} of {item.name} at most",
        )
