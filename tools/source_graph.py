"""Who uses whom in the local AWS, read from its source: names are followed by imports, methods by annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGE = "local_aws"

Place = tuple[str, str]
"""A module and a name in it: a function, a class, or ``Class.method``."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class SourceGraph:
    """The functions of the package; a function inside of another one is a part of that one."""

    def __init__(self) -> None:
        self.modules = {_module(path): ast.parse(path.read_text(encoding="utf-8")) for path in _files()}
        self.names = {module: dict(_names(module, tree)) for module, tree in self.modules.items()}
        """What a name in a module means, by module."""
        self.classes: dict[Place, ast.ClassDef] = {}
        self.functions: dict[Place, Function] = {}
        self.variables: dict[Place, ast.expr] = {}
        """Of modules, with what they are set to: a table of functions uses them."""
        for module, tree in self.modules.items():
            for node in tree.body:
                self._take(module, node)
        self._uses: dict[Place, set[Place]] = {}
        self._bases = {place: list(self._direct_bases(place)) for place in self.classes}
        self._made_from: dict[Place, list[Place]] = {}
        for place, bases in self._bases.items():
            for base in bases:
                self._made_from.setdefault(base, []).append(place)
        self.fields: dict[Place, dict[str, Place]] = {place: {} for place in self.classes}
        """Types of a class's attributes, its own ones."""
        for _ in range(2):  # a second time: some are attributes of attributes
            for place in self.classes:
                self.fields[place].update(self._fields(place))

    def uses(self, place: Place) -> set[Place]:
        """The functions that a function names; of a method, those that may stand in its place, too."""
        found = self._uses.get(place)
        if found is None:
            found = self._uses[place] = set(self._used(place[0], self.functions[place], self._types_in(place)))
        return found

    def _used(self, module: str, part: ast.AST, types: dict[str, Place]) -> Iterator[Place]:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and (named := self.names[module].get(node.id)):
                if named in self.variables:
                    yield from self._used(named[0], self.variables[named], {})
                elif (made := (named[0], f"{named[1]}.__init__")) in self.functions:
                    yield made
                elif named in self.functions:
                    yield named
            elif isinstance(node, ast.Attribute):
                if owner := self._type(module, node.value, types):
                    yield from self._methods(owner, node.attr)
                elif (
                    there := (".".join(self.names[module].get(ast.unparse(node.value), ())), node.attr)
                ) in self.functions:
                    yield there

    def kinds(self, place: Place) -> Iterator[Place]:
        """A class and those that are made from it, or that have every method of it where it is a protocol."""
        yield place
        for other in self._made_from.get(place, ()):
            yield from self.kinds(other)

    def bases(self, place: Place) -> Iterator[Place]:
        """A class and those that it is made from."""
        yield place
        for base in self._bases[place]:
            yield from self.bases(base)

    def _direct_bases(self, place: Place) -> Iterator[Place]:
        for name in map(ast.unparse, self.classes[place].bases):
            if (base := self.names[place[0]].get(name)) in self.classes:
                yield base
        members = self._members(place)
        for other, node in self.classes.items():
            if other != place and "Protocol" in map(ast.unparse, node.bases) and self._members(other) <= members:
                yield other

    def _members(self, place: Place) -> set[str]:
        return {each.name for each in self.classes[place].body if isinstance(each, Function)}

    def _take(self, module: str, node: ast.stmt) -> None:
        if isinstance(node, Function):
            self.functions[module, node.name] = node
        elif isinstance(node, ast.ClassDef):
            self.classes[module, node.name] = node
            for member in node.body:
                if isinstance(member, Function):
                    self.functions[module, f"{node.name}.{member.name}"] = member
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.variables[module, node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.variables[module, ast.unparse(node.target)] = node.value

    def _methods(self, owner: Place, name: str) -> Iterator[Place]:
        """Those that ``name`` may mean of a thing of this class: the inherited one, those of classes made from it."""
        for each in (*self.bases(owner), *self.kinds(owner)):
            if (place := (each[0], f"{each[1]}.{name}")) in self.functions:
                yield place

    def _fields(self, place: Place) -> Iterator[tuple[str, Place]]:
        module, name = place
        for node in self.classes[place].body:
            if isinstance(node, ast.AnnAssign) and (kind := self._annotated(module, node.annotation)):
                yield ast.unparse(node.target), kind
        start = (module, f"{name}.__init__")
        if start in self.functions:
            types = self._types_in(start)
            for assignment in ast.walk(self.functions[start]):
                if isinstance(assignment, ast.Assign) and (kind := self._type(module, assignment.value, types)):
                    yield ast.unparse(assignment.targets[0]).removeprefix("self."), kind

    def _types_in(self, place: Place) -> dict[str, Place]:
        """Types of a function's parameters and variables, as far as annotations tell them."""
        module, name = place
        node = self.functions[place]
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        types = {each.arg: kind for each in arguments if (kind := self._annotated(module, each.annotation))}
        if "." in name:
            types["self"] = (module, name.partition(".")[0])
        for each in ast.walk(node):
            if isinstance(each, ast.Assign) and (kind := self._type(module, each.value, types)):
                types.update({target.id: kind for target in each.targets if isinstance(target, ast.Name)})
        return types

    def _annotated(self, module: str, annotation: ast.expr | None) -> Place | None:
        """The class of ours in an annotation; of a container, the class of what it holds."""
        for node in ast.walk(annotation) if annotation is not None else ():
            if isinstance(node, ast.Name) and (named := self.names[module].get(node.id)) in self.classes:
                return named
        return None

    def _type(self, module: str, value: ast.expr, types: dict[str, Place]) -> Place | None:
        if isinstance(value, ast.Name):
            return types.get(value.id)
        if isinstance(value, ast.Attribute):
            owner = self._type(module, value.value, types)
            return self._type_of_attribute(owner, value.attr) if owner else None
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute):
                return self._type(module, value.func, types)
            named = self.names[module].get(ast.unparse(value.func))
            if named in self.classes:
                return named
            return self._annotated(named[0], self.functions[named].returns) if named in self.functions else None
        return None

    def _type_of_attribute(self, owner: Place, name: str) -> Place | None:
        """Of a method, what it returns."""
        for base in self.bases(owner):
            if name in self.fields[base]:
                return self.fields[base][name]
            method = (base[0], f"{base[1]}.{name}")
            if method in self.functions:
                return self._annotated(base[0], self.functions[method].returns)
        return None


def _files() -> list[Path]:
    return sorted(path for path in (PROJECT / PACKAGE).rglob("*.py"))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")


def _names(module: str, tree: ast.Module) -> Iterator[tuple[str, Place]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            for alias in node.names:
                yield alias.asname or alias.name, (str(node.module), alias.name)
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef):
            yield node.name, (module, node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield ast.unparse(target), (module, ast.unparse(target))
