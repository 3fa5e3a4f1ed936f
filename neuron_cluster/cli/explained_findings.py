"""Every finding that ``explain`` knows, gathered from the rooms: each says its own part."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator, Mapping

from neuron_cluster.changes.guards.guard_pages import REFUSAL_PAGES as OF_EDITS
from neuron_cluster.config.shape_pages import SHAPE_PAGES, SHAPE_THREADS
from neuron_cluster.deploy.pinned_pages import PINNED_PAGES
from neuron_cluster.deploy.preflight.check_pages import REFUSAL_PAGES as BEFORE_DEPLOY
from neuron_cluster.deploy.preflight.preflight_pages import PREFLIGHT_PAGES
from neuron_cluster.findings.references import References
from neuron_cluster.lock.pages import LOCK_PAGES
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.manifest_rules.discover import all_manifest_rules
from neuron_cluster.report.explain_finding import FindingExample, FindingPage, said_in_docstring
from neuron_cluster.rules.base import DatedRule, LockRule, PlanRule, Rule
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.rules.examples import examples
from neuron_cluster.schedule.schedule_findings import SCHEDULE_PAGES, SCHEDULE_THREADS
from neuron_cluster.template_rules.base import ResourceRule, TemplateRule
from neuron_cluster.template_rules.discover import all_template_rules
from neuron_cluster.workloads.workload_pages import WORKLOAD_PAGES, WORKLOAD_THREADS

THE_FILE = "the file as it is written"
JUDGED: dict[type[Rule], str] = {
    PlanRule: "the plan that the file becomes",
    LockRule: "the file together with its lock",
    DatedRule: "the file, on the day of --as-of",
}
OUR_OWN = "the design of this toolkit"
NO_THREADS: Mapping[str, References] = {}


@functools.cache
def finding_pages() -> dict[str, FindingPage]:
    """Every finding by id, in the order of the numbers."""
    return {page.id: page for page in sorted(every_page(), key=lambda page: page.id[1:])}


def every_page() -> list[FindingPage]:
    """The pages of all findings; each id is one finding's alone."""
    return [
        *_told("0: the file itself, and names", f"{THE_FILE}, or a name", SHAPE_PAGES, SHAPE_THREADS),
        *(_rule_page(rule) for rule in all_rules()),
        *_told("91: locks", "the lock of an environment", LOCK_PAGES),
        *_told("92: workloads", "a workload for an environment", WORKLOAD_PAGES, WORKLOAD_THREADS),
        *_told("93: pods and nodes", "a rendered workload", SCHEDULE_PAGES, SCHEDULE_THREADS),
        *_told("9: edits and deploys", "the account and what is deployed", {**BEFORE_DEPLOY, **PINNED_PAGES}),
        *_told("9: edits and deploys", "the account, before anything is built", PREFLIGHT_PAGES),
        *(_template_rule_page(rule) for rule in all_template_rules()),
        *(_manifest_rule_page(rule) for rule in all_manifest_rules()),
        *_told("9: edits and deploys", "the templates before and after the edit", OF_EDITS),
    ]


def findings_that_begin(topic: str) -> list[FindingPage]:
    """The pages of a chapter: ``E3`` or ``3`` for chapter 3, ``E82`` for the rules of EKS; empty for anything else."""
    found = re.fullmatch(r"[EW]?([0-9]{1,3})", topic.strip().upper())
    return [page for page in finding_pages().values() if found and page.id[1:].startswith(found[1])]


def _told(
    chapter: str, judges: str, pages: Mapping[str, tuple[str, str]], references: Mapping[str, References] = NO_THREADS
) -> Iterator[FindingPage]:
    """Findings of which a table says the sentence and why, by id; another one has the references of some of them."""
    for finding_id, (sentence, why) in pages.items():
        cited = references.get(finding_id, ())
        yield FindingPage(finding_id, chapter, judges, sentence, why, without_it="", source=OUR_OWN, references=cited)


def _rule_page(rule: Rule) -> FindingPage:
    sentence, why, without_it = said_in_docstring(type(rule).__doc__ or "")
    judges = next((words for kind, words in JUDGED.items() if isinstance(rule, kind)), THE_FILE)
    chapter = f"{rule.id[1]}: {_package_title(rule).partition(': ')[2]}"
    said = examples().get(rule.id)
    example = FindingExample(said.path, said.message, said.hint) if said is not None else None
    return FindingPage(
        rule.id, chapter, judges, sentence, why, without_it, rule.source, references=rule.references, example=example
    )


def _template_rule_page(rule: TemplateRule) -> FindingPage:
    sentence, why, without_it = said_in_docstring(type(rule).__doc__ or "")
    title = _package_title(rule).partition(":")[0]
    return FindingPage(
        id=rule.id,
        chapter=f"{rule.id[1:3]}: {title[:1].lower()}{title[1:]}",
        judges="the templates",
        sentence=sentence,
        why=why,
        without_it=without_it,
        source=rule.source,
        references=rule.references,
        types=rule.types if isinstance(rule, ResourceRule) else (),
        operation=rule.operation,
        error_code=rule.error_code or "nothing: AWS accepts it, this toolkit does not",
    )


def _manifest_rule_page(rule: ManifestRule) -> FindingPage:
    sentence, why, without_it = said_in_docstring(type(rule).__doc__ or "")
    chapter, judges = "88: rules of rendered Kubernetes objects", "the objects that a chart renders"
    return FindingPage(rule.id, chapter, judges, sentence, why, without_it, rule.source, references=rule.references)


def _package_title(member: object) -> str:
    """The docstring of the package that a rule lies in."""
    package = importlib.import_module(type(member).__module__.rpartition(".")[0])
    return (package.__doc__ or "").strip().rstrip(".")
