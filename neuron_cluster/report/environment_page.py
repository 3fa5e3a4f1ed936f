"""An environment on one page: the picture, tables, findings, costs, roles, and what `destroy` keeps."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from msgspec import Struct, structs

from neuron_cluster.access.matrix import AccessMatrix
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.environment_cost import EnvironmentCost, monthly
from neuron_cluster.cost.model import Scenario
from neuron_cluster.diagram.build_picture import build_picture
from neuron_cluster.diagram.model import Kind, Picture
from neuron_cluster.diagram.style import STYLE
from neuron_cluster.diagram.svg import svg_element
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import counted
from neuron_cluster.pages.document import (
    Block,
    Document,
    Drawing,
    Facts,
    Folded,
    Items,
    Paragraph,
    Section,
    Verbatim,
    verbatim,
    without_links,
)
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_access import KubernetesAccess
from neuron_cluster.report.access_page import access_tables, kubernetes_access_tables, notes, undecided_sentence
from neuron_cluster.report.access_summary import access_summary_table
from neuron_cluster.report.addresses_page import addresses_table
from neuron_cluster.report.cost_page import closing_sentences, cost_tables, sum_text
from neuron_cluster.report.device_counts import device_counts
from neuron_cluster.report.endpoints_table import endpoints_table
from neuron_cluster.report.findings_text import summary
from neuron_cluster.report.group_list import group_tables
from neuron_cluster.report.kept_page import kept_sentences, kept_table
from neuron_cluster.report.marks import DEFAULT_MARK, DEFAULT_NOTE, Marks, PathInFile
from neuron_cluster.report.observability_page import observability_tables
from neuron_cluster.report.plan_page import additions_table, subnets_table
from neuron_cluster.report.price import price_of
from neuron_cluster.report.repeated_warnings import without_repeats
from neuron_cluster.report.status_page import PageStatus, status_part
from neuron_cluster.report.storage_cost import storage_cost_table
from neuron_cluster.report.storage_table import storage_table
from neuron_cluster.report.versions_page import versions_table
from neuron_cluster.report.workstations_page import workstation_tables
from neuron_cluster.table import Table

WIDTHS = {"narrow": 364, "middle": 684, "wide": 1214}
"""Classes of the drawings with their widths in pixels; a screen shows the widest that fits."""
PAGE_STYLE = """\
body{max-width:78rem}
.drawing svg{display:none;max-width:100%;height:auto;margin:0 auto}
.drawing .narrow{display:block}
@media (min-width:45rem){.drawing .narrow{display:none}.drawing .middle{display:block}}
@media (min-width:78rem){.drawing .middle{display:none}.drawing .wide{display:block}}
@media print{.drawing .narrow,.drawing .wide{display:none}.drawing .middle{display:block}}
"""
LONGEST_OPEN = 20
"""Rows of a table of software; a longer one is folded."""
NO_FINDINGS = "`neuron-cluster validate` finds nothing."
OFFLINE = "Nothing on this page was read from an account: it shows what a deploy creates, and no status."
ONLINE = "Only the section about the status was read from the account; the others show what a deploy creates."


class PageParts(Struct, frozen=True, kw_only=True):
    """The records of the verbs whose results the page has."""

    plan: ClusterPlan
    catalog: Catalog
    findings: Sequence[Finding]
    written: Container[PathInFile]
    """Key paths that the file names; the rest is marked as a default."""
    cost: EnvironmentCost
    matrix: AccessMatrix
    kubernetes: Sequence[KubernetesAccess]
    log_groups: Sequence[str]
    """Log groups that outlive the cluster."""
    file: str
    digest: str
    """SHA-256 of the file."""
    bases: Sequence[tuple[str, str]] = ()
    """The files that it extends, each with its SHA-256."""
    status: PageStatus | None = None
    """None where it was not read."""


def _network(parts: PageParts, marks: Marks) -> list[Table]:
    plan = parts.plan
    endpoints = endpoints_table(plan, parts.catalog, marks)
    return [subnets_table(plan), endpoints, addresses_table(plan), additions_table(plan)]


def environment_document(parts: PageParts) -> Document:
    """The same parts give the same page."""
    plan, marks = parts.plan, Marks(parts.written)
    picture = build_picture(plan, parts.catalog)
    sections = (
        Section("At a glance", (_facts(parts),)),
        *((status_part(parts.status),) if parts.status is not None else ()),
        Section("Picture", (_drawing(picture), Paragraph(Verbatim(picture.text)))),
        Section("Findings", tuple(_findings(parts.findings))),
        Section("Compute groups", tuple(_groups(parts, marks))),
        Section("Storage", tuple(_storage(parts, marks))),
        Section("Network", _tables(_network(parts, marks))),
        Section("Cluster, teams and software", tuple(_software(parts, marks))),
        Section("Costs", tuple(_costs(parts.cost))),
        Section("Roles", tuple(_roles(parts))),
        Section("What destroy keeps", tuple(_kept(parts, picture))),
    )
    return Document(
        title=Verbatim(f"{plan.name}: plan of an environment"),
        lead=Verbatim(f"From {_files(parts)}, with catalog and prices as of {parts.cost.on}. {_source(parts)}"),
        sections=tuple(section for section in sections if section.blocks),
        style=STYLE + PAGE_STYLE,
    )


def _source(parts: PageParts) -> str:
    return OFFLINE if parts.status is None else ONLINE


def _files(parts: PageParts) -> str:
    shown = [f"{file} (SHA-256 {digest[:12]})" for file, digest in ((parts.file, parts.digest), *parts.bases)]
    return " over ".join(shown)


def _tables(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Returns the tables with rows, without the marks of texts; a column of numbers has no title in a terminal."""
    named = (structs.replace(table, columns=tuple(each or "no." for each in table.columns)) for table in tables)
    return tuple(verbatim(table) for table in named if table.rows)


def _facts(parts: PageParts) -> Facts:
    plan = parts.plan
    found = (each.control_plane() for each in plan.providers)
    clusters = [(each.software, each.version) for each in found if each is not None]
    facts = (
        ("Region", plan.region),
        ("account", plan.account),
        ("lifecycle", "durable" if plan.is_durable else "ephemeral"),
        ("Neuron SDK", plan.neuron_sdk),
        *clusters,
        ("compute groups", f"{len(plan.compute_groups):,}"),
        ("Neuron devices, desired / maximum", _devices(parts)),
        ("USD a month, desired", sum_text(monthly(parts.cost.lines, Scenario.DESIRED))),
        ("teams", f"{len(plan.teams):,}"),
        ("findings", summary(parts.findings)),
    )
    return Facts(tuple((Verbatim(name), Verbatim(value)) for name, value in facts))


def _devices(parts: PageParts) -> str:
    counts = device_counts(parts.plan.compute_groups, parts.catalog)
    return f"{counts.desired:,} / {counts.maximum_text}"


def _drawing(picture: Picture) -> Drawing:
    svg = "".join(svg_element(picture, width, name) for name, width in WIDTHS.items())
    return Drawing(svg, picture.text)


def _findings(findings: Sequence[Finding]) -> Iterator[Block]:
    if not findings:
        yield Paragraph(NO_FINDINGS)
        return
    yield Paragraph(Verbatim(f"{summary(findings)}."))
    yield Items(
        tuple((Verbatim(f"{each.id} {each.severity.value}"), _lines(each)) for each in without_repeats(findings))
    )


def _lines(finding: Finding) -> tuple[str, ...]:
    place = f"{finding.location}  {finding.location.path}".strip()
    texts = (finding.message, *((f"Hint: {finding.hint}",) if finding.hint else ()))
    return (Verbatim(place), *map(without_links, texts))


def _groups(parts: PageParts, marks: Marks) -> Iterator[Block]:
    plan, catalog = parts.plan, parts.catalog
    price = price_of(plan, catalog)
    tables = [*group_tables(plan, catalog, marks), *workstation_tables(plan, price, marks)]
    yield from _tables(tables)
    if tables:
        yield Paragraph(Verbatim(f"{DEFAULT_MARK.strip()} {DEFAULT_NOTE}"))
    yield from _tables([versions_table(plan, catalog)])


def _storage(parts: PageParts, marks: Marks) -> Iterator[Block]:
    plan = parts.plan
    yield from _tables(
        [storage_table(plan.storage, plan.region, marks, parts.catalog), storage_cost_table(plan, parts.catalog)]
    )


def _software(parts: PageParts, marks: Marks) -> Iterator[Block]:
    for provider in parts.plan.providers:
        for table in _tables(provider.plan_tables(parts.written, parts.catalog)):
            is_long = len(table.rows) > LONGEST_OPEN
            title = Verbatim(f"{table.title}: {counted(len(table.rows), 'row')}")
            yield Folded(title, (table,)) if is_long else table
    yield from _tables(observability_tables(parts.plan.observability, marks))


def _costs(cost: EnvironmentCost) -> Iterator[Block]:
    yield from _tables(cost_tables(cost))
    yield from (Paragraph(sentence) for sentence in closing_sentences(cost))


def _roles(parts: PageParts) -> Iterator[Block]:
    undecided = undecided_sentence(parts.plan, parts.matrix)
    if undecided is not None:
        yield Paragraph(undecided)
    else:
        yield from _tables([access_summary_table(parts.matrix)])
        yield from (Paragraph(Verbatim(each)) for each in notes(parts.matrix))
        decisions = _tables(access_tables(parts.matrix, parts.matrix.roles, complete=False))
        yield Folded(f"Each decision: {counted(len(decisions), 'table')}", decisions)
    yield from _tables(kubernetes_access_tables(parts.kubernetes))


def _kept(parts: PageParts, picture: Picture) -> Iterator[Block]:
    stores = [card.title for card in picture.cards if card.kind is Kind.DATA]
    yield from (Paragraph(Verbatim(each)) for each in kept_sentences(stores, parts.log_groups))
    yield from _tables([kept_table(parts.plan)])
