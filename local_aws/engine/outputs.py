"""A stack's outputs, and the rules for those it exports."""

from __future__ import annotations

from collections.abc import Iterable

from local_aws.api_errors import api_error
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import Template
from local_aws.cloudformation.values import UNKNOWN, as_text
from local_aws.engine.stack import Output, Stack
from local_aws.engine.stack_table import StackTable


def resolved_outputs(template: Template, resolver: Resolver) -> tuple[Output, ...]:
    """The outputs whose condition holds; one that cannot be known yet has the text of UNKNOWN."""
    return tuple(
        _output(key, resolver.resolve({name: part for name, part in output.items() if name != "Condition"}))
        for key, output in template.outputs.items()
        if resolver.condition(output.get("Condition"))
    )


def _output(key: str, resolved: dict[str, object]) -> Output:
    if "Value" not in resolved:
        raise TemplateError("output_without_value", key=key)
    value = resolved["Value"]
    if isinstance(value, list | dict):
        raise TemplateError("output_no_text", key=key)
    export = resolved.get("Export")
    name = as_text(export["Name"]) if isinstance(export, dict) else None
    description = resolved.get("Description")
    text = repr(value) if value is UNKNOWN else as_text(value)
    return Output(key, text, None if description is None else as_text(description), name)


def publish(table: StackTable, stack: Stack, outputs: Iterable[Output], imports: Iterable[str]) -> None:
    """Makes these the stack's outputs, and its exports known to the other stacks.

    Raises ServiceError when another stack exports a name already, or imports one that would go or change.
    """
    outputs = tuple(outputs)
    exported = {output.export_name: output.value for output in outputs if output.export_name is not None}
    with table.lock:
        for name, (owner, output) in table.exports(stack.account, stack.region).items():
            if owner is not stack:
                if name in exported:
                    raise TemplateError("export_exists", name=name, stack=owner.name)
                continue
            if name not in exported:
                _require_not_imported(table, stack, name, "deleted")
            elif exported[name] != output.value:
                _require_not_imported(table, stack, name, "updated")
        stack.outputs = outputs
        stack.imports = frozenset(imports)


def _require_not_imported(table: StackTable, stack: Stack, name: str, done: str) -> None:
    importers = table.importers(stack, name)
    if importers:
        raise api_error("cloudformation.export_in_use", export=name, action=done, stacks=_all(importers))


def export_in_use(table: StackTable, stack: Stack) -> str | None:
    """Why this stack cannot be deleted, if another one imports something of it."""
    for output in stack.outputs:
        importers = table.importers(stack, output.export_name) if output.export_name else []
        if importers:
            return f"Delete canceled. Cannot delete export {output.export_name} as it is in use by {_all(importers)}."
    return None


def _all(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
