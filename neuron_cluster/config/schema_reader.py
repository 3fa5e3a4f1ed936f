"""Reads the JSON schema of the environment file: the nodes of a key path, what they allow, and an example."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from neuron_cluster.config.pattern_descriptions import pattern_descriptions

Node = Mapping[str, Any]


class SchemaReader:
    """Reads the schema that ``editor_schema`` makes."""

    def __init__(self, schema: Node) -> None:
        self._schema = schema

    def nodes_at(self, keys: tuple[str, ...]) -> list[Node]:
        """Every node that a key path can mean; several where a union has the key in more than one kind."""
        nodes: list[Node] = [self._schema]
        for key in keys:
            nodes = [found["properties"][key] for found in self._mappings(nodes) if key in found["properties"]]
        return nodes

    def kinds(self, node: Node) -> dict[str, Node]:
        """The kinds of a union, by the value of its ``kind``; empty for anything else."""
        if "discriminator" not in node:
            return {}
        mapping = node["discriminator"]["mapping"]
        of_node = [choice["$ref"] for choice in node["oneOf"]]
        return {kind: self.resolved({"$ref": ref}) for kind, ref in sorted(mapping.items(), key=_order(of_node))}

    def resolved(self, node: Node) -> Node:
        """Returns the node that a reference stands for, with the keys next to the reference."""
        if "$ref" not in node:
            return node
        name = node["$ref"].rpartition("/")[2]
        return {**self._schema["$defs"][name], **{key: value for key, value in node.items() if key != "$ref"}}

    def about(self, node: Node) -> str:
        """The docstring of the model or enumeration that a node refers to, itself or by its items; else empty."""
        reference = node.get("$ref") or node.get("items", {}).get("$ref")
        return str(self.resolved({"$ref": reference})["description"]) if reference else ""

    def keys(self, node: Node) -> list[str]:
        """The keys below a mapping, a list of mappings or a union of them; empty for plain values."""
        return list(dict.fromkeys(key for mapping in self._mappings([node]) for key in mapping["properties"]))

    def allowed(self, node: Node) -> str:
        """``one of: private, public_and_private``; ``a whole number from 0 to 10000``."""
        node = self.resolved(node)
        if kinds := self.kinds(node):
            return f"a mapping of one of the kinds {', '.join(kinds)}"
        if forms := node.get("anyOf", node.get("oneOf")):
            choices = [choice for choice in forms if choice != {"type": "number"}]  # a text that editors take for one
            return " or ".join(str(choice.get("const") or self.allowed(choice)) for choice in choices)
        if node.get("type") == "array":
            return f"a list{_count(node)}, each item {self.allowed(node['items'])}"
        return _plain_value(node)

    def example(self, node: Node) -> Any:
        """The node's first example, or one put together from the nodes below it."""
        node = self.resolved(node)
        if "examples" in node:
            return node["examples"][0]
        if "items" in node:
            return [self.example(node["items"])]
        keys = node.get("required") or list(node["properties"])
        return {key: self.example(node["properties"][key]) for key in keys}

    def _mappings(self, nodes: list[Node]) -> Iterator[Node]:
        for given in nodes:
            node = self.resolved(given)
            if "items" in node:
                yield from self._mappings([node["items"]])
            elif "oneOf" in node:
                yield from self._mappings(list(self.kinds(node).values()))
            elif "properties" in node:
                yield node


def _order(references: list[str]) -> Callable[[tuple[str, str]], int]:
    """Sorts the kinds as the model lists them."""
    return lambda kind_and_reference: references.index(kind_and_reference[1])


def _plain_value(node: Node) -> str:
    if "const" in node:
        return f"only {node['const']}"
    if "enum" in node:
        return f"one of: {', '.join(map(str, node['enum']))}"
    match node["type"]:
        case "object":
            return "a mapping of these keys" if "properties" in node else _free_mapping(node)
        case "string":
            return _text(node)
        case "integer" | "number" as kind:
            return _number(node) if kind == "integer" else _decimal(node)
        case _:
            return "true or false"


def _free_mapping(node: Node) -> str:
    if node["additionalProperties"].get("type") == "object":
        return "a mapping of names of your own, each to a mapping of keys and values"
    return "a mapping of keys of your own to text"


def _count(node: Node) -> str:
    minimum, maximum = node.get("minItems"), node.get("maxItems")
    if maximum is not None:
        return f" of {minimum or 0} to {maximum}"
    return f" of at least {minimum}" if minimum is not None else ""


def _text(node: Node) -> str:
    text = pattern_descriptions()[node["pattern"]] if "pattern" in node else "text"
    minimum, maximum = node.get("minLength", 0), node.get("maxLength")
    if maximum is None:
        return text
    return f"{text}, {minimum} to {maximum} characters" if minimum else f"{text}, at most {maximum} characters"


def _decimal(node: Node) -> str:
    least, most = node.get("exclusiveMinimum", node.get("gt")), node.get("maximum", node.get("le"))
    above = f" above {least}" if least is not None else ""
    return f"a number{above}, at most {most}" if most is not None else f"a number{above}"


def _number(node: Node) -> str:
    minimum, maximum = node.get("minimum"), node.get("maximum")
    if minimum is not None and maximum is not None:
        return f"a whole number from {minimum} to {maximum}"
    return "a whole number"
