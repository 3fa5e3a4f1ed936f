"""The page of an environment: for each shipped one, for 30 groups, and with markup in a user's text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec import structs

from neuron_cluster.cost.environment_cost import monthly
from neuron_cluster.cost.model import Scenario
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.cost_page import sum_text
from neuron_cluster.report.environment_page import PageParts, environment_document
from tests.every_run import in_every_run
from tests.report_parts import ENVIRONMENTS, environment_file, parts_of
from tests.thirty_groups import write_thirty_groups
from tests.two_clusters import write_two_clusters
from tests.unit.access.templates import golden_matrix

WITHOUT_END = {"meta", "br"}
EVIL = "<script>alert(1)</script>"


class Parsed(HTMLParser):
    """Tags in order, those that are open, and the levels of headings."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def _parsed(text: str) -> Parsed:
    parsed = Parsed()
    parsed.feed(text)
    parsed.close()
    assert parsed.open == []
    return parsed


@pytest.fixture(scope="session")
def thirty(tmp_path_factory: pytest.TempPathFactory) -> PageParts:
    return parts_of(write_thirty_groups(tmp_path_factory.mktemp("thirty")), golden_matrix("train-trn1"))


def _has_structure(text: str) -> None:
    """Checks the structure for readers with a screen reader or a keyboard."""
    parsed = _parsed(text)
    assert len(parsed.named("h1")) == len(parsed.named("main")) == len(parsed.named("header")) == 1
    assert [tag for tag, _ in parsed.tags if re.fullmatch(r"h[3-6]", tag)] == []
    assert len(parsed.named("caption")) == len(parsed.named("table")) >= 5
    assert {each.get("scope") for each in parsed.named("th")} == {"col", "row"}
    scrolled = [each for each in parsed.named("div") if each.get("class") == "scroll"]
    assert len(scrolled) == len(parsed.named("table"))
    assert all(each["tabindex"] == "0" and each["aria-label"] for each in scrolled)
    ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = [each["href"] for each in parsed.named("a")]
    assert all(link is not None and link.startswith("#") and link[1:] in ids for link in links)
    assert links[0] == "#main"
    drawings = parsed.named("svg")
    assert [each["class"] for each in drawings] == ["picture narrow", "picture middle", "picture wide"]
    assert all(set((each["aria-labelledby"] or "").split()) <= set(ids) for each in drawings)
    assert not {"script", "link", "img", "iframe", "object", "embed"} & {tag for tag, _ in parsed.tags}
    assert "url(" not in text
    assert "@import" not in text
    assert not [name for _, attributes in parsed.tags for name in attributes if name.startswith("on") or name == "src"]
    assert all("Content-Security-Policy" in text for _ in parsed.named("meta"))


# Teams, every kind of storage, the two kinds of Slurm's groups, and no cluster.
OF_EACH_KIND = ("research-teams", "storage-kinds", "slurm-storage", "slurm-trn2-block", "workstation")


@pytest.mark.parametrize("environment", in_every_run(ENVIRONMENTS, OF_EACH_KIND))
def test_the_page_of_every_environment(environment: str) -> None:
    parts = parts_of(environment_file(environment), golden_matrix(environment))
    text = html_of(environment_document(parts))
    _has_structure(text)
    assert text == html_of(environment_document(parts))
    assert f"<dd>{sum_text(monthly(parts.cost.lines, Scenario.DESIRED))}</dd>" in text
    for finding in parts.findings:
        assert f"<strong>{finding.id} {finding.severity.value}</strong>" in text
    assert all(f'<th scope="row">{group.name}</th>' in text for group in parts.plan.cluster_groups)


def test_the_page_of_thirty_groups(thirty: PageParts) -> None:
    text = html_of(environment_document(thirty))
    _has_structure(text)
    assert all(text.count(f'<th scope="row">{group.name}</th>') == 3 for group in thirty.plan.node_groups)
    assert text.count(">14 alike: ") == 3


def test_an_unknown_price_makes_the_sum_a_lower_bound() -> None:
    text = html_of(environment_document(parts_of(environment_file("dev-trn2"), golden_matrix("dev-trn2"))))
    assert "<dd>at least 78.65</dd>" in text


def test_what_destroy_keeps() -> None:
    kept = html_of(environment_document(parts_of(environment_file("train-trn1"), golden_matrix("train-trn1"))))
    assert "Kept with its encryption key: FSx for Lustre, Checkpoint bucket." in kept
    assert "log groups /aws/a-log-group." in kept
    row = '<tr><th scope="row">train-trn1-storage</th><td>everything that holds data, and its keys</td>'
    assert f"{row}<td>kept: it holds data</td><td>on</td></tr>" in kept
    without = html_of(environment_document(parts_of(environment_file("dev-inf2"), golden_matrix("dev-inf2"))))
    assert "There is no data to keep." in without
    assert "<td>kept:" not in without


def test_roles_are_those_of_access() -> None:
    text = html_of(environment_document(parts_of(environment_file("train-trn1"), golden_matrix("train-trn1"))))
    assert "Roles and the objects of buckets" in text
    row = next(line for line in text.splitlines() if "AWSServiceRoleForFSxS3Access</th>" in line)
    assert "(every prefix)" in row
    assert "<summary>Each decision: " in text
    assert "has no bucket" in html_of(
        environment_document(parts_of(environment_file("dev-inf2"), golden_matrix("dev-inf2")))
    )


def _with_markup(plan: ClusterPlan) -> ClusterPlan:
    """A name that no file can have, in the place of every text that one can choose."""
    (cluster,) = plan.providers
    groups = (structs.replace(plan.node_groups[0], queue=EVIL), *plan.node_groups[1:])
    teams = (structs.replace(plan.teams[0], name=EVIL, namespaces=(EVIL,)), *plan.teams[1:])
    return structs.replace(
        plan,
        account=EVIL,
        tags={"team": EVIL},
        providers=(structs.replace(cluster, node_groups=groups, teams=teams),),
    )


def test_no_text_of_a_user_is_markup(thirty: PageParts) -> None:
    finding = structs.replace(thirty.findings[0], message=f"{EVIL} [x](javascript:y)", hint=f"`{EVIL}`")
    parts = structs.replace(thirty, plan=_with_markup(thirty.plan), findings=(finding,), file=EVIL)
    text = html_of(environment_document(parts))
    _has_structure(text)
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10
    assert "javascript:y)" in text


def test_the_page_names_the_file_and_its_bases_with_their_digests(thirty: PageParts) -> None:
    parts = structs.replace(thirty, file="small.yaml", digest="a" * 64, bases=(("bases/train.yaml", "b" * 64),))
    lead = "From small.yaml (SHA-256 aaaaaaaaaaaa) over bases/train.yaml (SHA-256 bbbbbbbbbbbb), with catalog"
    assert environment_document(parts).lead.startswith(lead)


def test_at_a_glance_has_the_version_of_each_cluster_and_the_teams_of_slurm(tmp_path: Path) -> None:
    def facts(file: Path) -> dict[str, str]:
        text = html_of(environment_document(parts_of(file, golden_matrix("slurm-storage"))))
        return dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text))

    alone = facts(environment_file("slurm-storage"))
    assert (alone["Slurm"], alone["teams"], alone["compute groups"]) == ("25.11", "2", "2")
    assert "Kubernetes" not in alone
    both = facts(write_two_clusters(tmp_path))
    assert (both["Kubernetes"], both["Slurm"], both["teams"], both["compute groups"]) == ("1.35", "25.11", "2", "5")
