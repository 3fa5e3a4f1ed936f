"""The drawing of docs/architecture.svg: how packages process an environment file, and its stacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from msgspec import Struct
from package_graph import Package

from neuron_cluster.plan.stack_spec import Holds, StackSpec

WIDTH = 980
MARGIN = 24
LINE = 18
GLYPH = 7.2
"""Mean width of a character at the size of the text, for wrapping."""
STEP_WIDTH, STEP_X = 400, MARGIN
USES_X = STEP_X + STEP_WIDTH + 40
COLUMN_GAP = 34
GAP = 46
"""Between two steps: room for the arrow and the name of what it carries."""

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; fill: #16202c; }
.title { font-size: 19px; font-weight: 600; }
.name { font-size: 15px; font-weight: 600; }
.small { font-size: 12px; fill: #4a5563; }
.carries { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; fill: #0b57a4; }
.step { fill: #e8f1fb; stroke: #2f6fb3; }
.side { fill: #f6f7f9; stroke: #b9c2cc; }
.data { fill: #fdf0dc; stroke: #b9770e; }
.objects { fill: #eaf5ea; stroke: #4a8a4a; }
.way { stroke: #2f6fb3; stroke-width: 2; fill: none; marker-end: url(#arrow); }
.edge { stroke: #7a8794; stroke-width: 1.4; fill: none; marker-end: url(#grey); }
"""
MARKERS = "".join(
    f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
    f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
    for name, colour in (("arrow", "#2f6fb3"), ("grey", "#7a8794"))
)
CLASSES = {Holds.DATA: "data", Holds.OBJECTS: "objects", Holds.NOTHING: "side"}


class Step(Struct, frozen=True):
    """One step: the package that does it, and what it reads."""

    package: str
    takes: str


def drawing(
    steps: Sequence[Step], ends_in: str, packages: Mapping[str, Package], stacks: Sequence[StackSpec], everywhere: str
) -> str:
    """The whole SVG. ``everywhere`` names packages that are left out, because most others import them."""
    parts: list[str] = [_text(MARGIN, 40, "From the environment file to CloudFormation", "title")]
    y, bodies = 58, []
    for step in steps:
        lines = list(_step(step, packages[step.package], {each.package for each in steps}, packages, y))
        parts += lines[1:]
        y = int(lines[0])
    parts += _arrow(y, ends_in)
    y += GAP + LINE
    parts.append(_text(STEP_X, y + 8, everywhere, "small"))
    y += 60
    parts.append(_text(MARGIN, y, "Stacks of an environment", "title"))
    stack_parts, y = _stacks(stacks, y + 36)
    bodies = [*parts, *stack_parts]
    background = f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">'
    named = "<title>How an environment file passes through the packages, and the stacks that it becomes</title>"
    return "\n".join([head, named, f"<style>{STYLE}</style><defs>{MARKERS}</defs>", background, *bodies, "</svg>", ""])


def _step(step: Step, package: Package, in_way: set[str], packages: Mapping[str, Package], top: int) -> Iterator[str]:
    """First the y below the box, then its parts: the arrow into it, the box, and the packages that serve it."""
    purpose = _wrapped(package.purpose, STEP_WIDTH - 24)
    serving = [name for name in package.imports if name not in in_way and name in packages]
    served = _wrapped(", ".join(serving), WIDTH - USES_X - MARGIN - 24) if serving else []
    box_y = top + GAP
    height = max(34 + LINE * len(purpose), 34 + LINE * len(served)) + 8
    yield str(box_y + height)
    yield from _arrow(top, step.takes)
    yield _box(STEP_X, box_y, STEP_WIDTH, height, "step")
    yield _text(STEP_X + 12, box_y + 24, package.name, "name")
    yield from (_text(STEP_X + 12, box_y + 44 + LINE * i, line) for i, line in enumerate(purpose))
    if served:
        yield _box(USES_X, box_y, WIDTH - USES_X - MARGIN, height, "side")
        yield _text(USES_X + 12, box_y + 24, "imports", "small")
        yield from (_text(USES_X + 12, box_y + 44 + LINE * i, line) for i, line in enumerate(served))
        middle = box_y + height // 2
        yield _path(f"M{STEP_X + STEP_WIDTH + 2} {middle}H{USES_X - 3}", "edge")


def _arrow(top: int, carries: str) -> Iterator[str]:
    x = STEP_X + 40
    yield _path(f"M{x} {top + 4}V{top + GAP - 3}", "way")
    yield _text(x + 14, top + GAP // 2 + 5, carries, "carries")


def _stacks(stacks: Sequence[StackSpec], top: int) -> tuple[list[str], int]:
    """Columns by depth of what a stack is after; an arrow leads from each stack to those that are deployed next."""
    levels = _levels(stacks)
    columns = max(levels.values()) + 1
    width = (WIDTH - 2 * MARGIN - COLUMN_GAP * (columns - 1)) // columns
    boxes: dict[str, tuple[int, int]] = {}
    parts = []
    filled = [top] * columns
    for spec in sorted(stacks, key=lambda each: levels[each.stack_key]):
        level = levels[spec.stack_key]
        lines = _wrapped(spec.purpose, width - 20)
        height = 32 + LINE * len(lines) + 8
        x, y = MARGIN + level * (width + COLUMN_GAP), filled[level]
        filled[level] += height + 18
        boxes[spec.stack_key] = (x, y)
        parts.append(_box(x, y, width, height, CLASSES[spec.holds]))
        parts.append(_text(x + 10, y + 22, spec.stack_key, "name"))
        parts += [_text(x + 10, y + 42 + LINE * i, line, "small") for i, line in enumerate(lines)]
    edges = [_edge(boxes[before], boxes[after], width, top) for before, after in _next(stacks)]
    legend = "Orange: holds data. Green: holds objects of users. An arrow leads to what is deployed next."
    return [*edges, *parts, _text(MARGIN, max(filled) + 12, legend, "small")], max(filled) + 32


def _levels(stacks: Sequence[StackSpec]) -> dict[str, int]:
    """Returns the column of each stack; one that is after nothing is next to the first that is after it."""
    levels: dict[str, int] = {}
    for spec in stacks:
        levels[spec.stack_key] = max((levels[stack_key] + 1 for stack_key in spec.after), default=0)
    for spec in stacks:
        needed_by = [levels[each.stack_key] for each in stacks if spec.stack_key in each.after]
        if not spec.after and needed_by:
            levels[spec.stack_key] = min(needed_by) - 1
    return levels


def _next(stacks: Sequence[StackSpec]) -> Iterator[tuple[str, str]]:
    """Each stack with those that it is after and that no stack between them is after."""
    after = {spec.stack_key: set(spec.after) for spec in stacks}
    for spec in stacks:
        below = {further for stack_key in spec.after for further in after[stack_key]}
        yield from ((stack_key, spec.stack_key) for stack_key in spec.after if stack_key not in below)
        after[spec.stack_key] |= below


def _edge(left: tuple[int, int], right: tuple[int, int], width: int, top: int) -> str:
    """Straight to the next column, above the boxes to a further one."""
    if right[0] - left[0] <= width + COLUMN_GAP:
        return _path(f"M{left[0] + width} {left[1] + 17}L{right[0] - 2} {right[1] + 17}", "edge")
    return _path(f"M{left[0] + width // 2} {left[1]}V{top - 14}H{right[0] + width // 2}V{right[1] - 2}", "edge")


def _wrapped(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines[-1]) + 1 + len(word)) * GLYPH <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _box(x: int, y: int, width: int, height: int, kind: str) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'


def _path(way: str, kind: str) -> str:
    return f'<path class="{kind}" d="{way}"/>'


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    given = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{given}>{escape(text)}</text>'
