"""Every rule and every API error is there because a test needs it: taken out, a test fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.template_rules.base import Needs, TemplateRule, Verdict
from neuron_cluster.template_rules.discover import all_template_rules

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
UNIT = PROJECT / "tests" / "unit"
LEFT_OUT = (
    "recorded",  # custom resources, in processes of their own: the services refuse nothing there
    "test_local_aws_page.py",  # reads the source
)
SECONDS = 1200
JUDGED_BY_ROWS = (
    *("backup:", "eks:CreateCluster", "eks:CreateNodegroup"),
    *("fsx:CreateDataRepositoryAssociation", "fsx:CreateFileSystem", "s3:PutBucketLifecycleConfiguration"),
)
"""Operations of which the local AWS itself rejects what the rules find in templates."""
USER_DATA = "E8114"
"""A row checks the user data of a launch, the rule that of a template."""
HYPERPOD_ROLES = "E8911"
"""A row checks the roles of a call, the rule those of a template."""
AT_ONCE = "E8959"
"""No call breaks it: a cluster of PCS is ACTIVE on the local AWS when its call ends."""
IN_A_TEMPLATE, IN_A_CALL = " in a template", " in a call"


def run_mutants() -> dict[str, Any]:
    """Runs ``run_mutants.py``. AssertionError with its standard error when it does not come to an end."""
    paths = [UNIT / "template_rules", UNIT / "local_checks", UNIT / "local_aws"]
    ignored = [f"--ignore={UNIT / 'local_aws' / name}" for name in LEFT_OUT]
    ran = subprocess.run(
        [sys.executable, HERE / "run_mutants.py", *paths, *ignored],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(PROJECT), str(PROJECT / "tools")))},
    )
    assert ran.returncode == 0, ran.stderr[-10_000:]
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def is_judged_by_a_call(rule: TemplateRule) -> bool:
    """AWS rejects it, and the rule is what rejects the call here: CloudFormation's calls judge no resource."""
    return rule.verdict is Verdict.REJECTED and not is_judged_elsewhere(rule)


def is_judged_elsewhere(rule: TemplateRule) -> bool:
    operations = ("cloudformation:", *JUDGED_BY_ROWS)
    return rule.needs is Needs.RESOURCE and (
        rule.id in (USER_DATA, HYPERPOD_ROLES, AT_ONCE) or rule.operation.startswith(operations)
    )


def test_every_rule_and_every_refusal_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a rule, its broken template passes and its broken call is taken; without a refusal, its call is.

    A call that moto refuses with the rule's error code before any rule is asked needs none. One test, so that the
    mutants run once however tests are spread over processes.
    """
    found = run_mutants()
    mutants = found["mutants"]
    missed = {mutant for mutant, row in mutants.items() if not row["caught_by"]}
    met = {mutant for mutant, row in mutants.items() if row["met"]}

    templates = {f"{rule.id}{IN_A_TEMPLATE}" for rule in all_template_rules()}
    calls = {f"{rule.id}{IN_A_CALL}": rule for rule in all_template_rules()}
    by_moto = {
        mutant for mutant, rule in calls.items() if rule.error_code in found["refused_by_moto"].get(rule.operation, ())
    } - met
    asked = {
        mutant
        for mutant, rule in calls.items()
        if is_judged_by_a_call(rule) or (mutant in met and not is_judged_elsewhere(rule))
    } - by_moto
    refusals = set(mutants) - templates - set(calls)

    with capsys.disabled():
        for what, those in (("rules in templates", templates), ("rules in calls", asked), ("refusals", refusals)):
            sys.stdout.write(f"\n{what}: {len(those)} taken out one at a time, a test failed for {len(those - missed)}")
        sys.stdout.write(f"\nlaws that moto knows by itself: {', '.join(sorted(by_moto)) or 'none'}")
        sys.stdout.write(
            f"\n{found['controls']} of those tests run again with nothing taken out, {len(found['unsteady'])} failed\n"
        )
    assert (templates | asked | refusals) & missed == set()
    assert found["unsteady"] == []
    assert found["controls"] == len(set(mutants) - missed) > len(templates)
