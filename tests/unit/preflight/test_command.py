"""The command `preflight`: verdicts, exit status and formats."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.environment_preflight import environment_preflight
from neuron_cluster.deploy.preflight.results import Verdict
from tests.json_outputs import accepted_mutations

from .conftest import ACCOUNT, PLACEHOLDER, REGION, Account, Run, trust

pytestmark = pytest.mark.slow
NAME = "dev-inf2"
JSON = ("--format", "json")


def test_a_new_account_has_a_verdict_on_each_check_and_group(account: Account, command: Run) -> None:
    ran = command(NAME, *JSON)
    assert ran.exit == 3
    parts = {part["title"]: part["verdict"] for part in ran.document["parts"]}
    assert list(parts)[:2] == ["Account", "Quotas"], "the worst first"
    assert (parts["Account"], parts["Quotas"], parts["Capacity"]) == ("error", "error", "passed")
    assert parts["Existing resources"] == "not_needed"
    assert ran.verdicts["the bootstrap of CDK"] == "error"
    assert ran.verdicts["capacity reservations and capacity blocks"] == "not_needed"
    assert accepted_mutations("preflight", ran.document) == []


def test_an_account_that_is_ready_passes_with_status_0(account: Account, command: Run) -> None:
    account.make_ready(account.opened(NAME))
    ran = command(NAME, *JSON)
    assert (ran.exit, set(ran.verdicts.values())) == (0, {"passed", "not_needed"})
    subjects = {check["what"]: check["subjects"] for part in ran.document["parts"] for check in part["checks"]}
    assert all(bool(subjects[what]) == (verdict == "passed") for what, verdict in ran.verdicts.items())
    text = command(NAME)
    assert text.exit == 0
    assert "passed        Account" in text.out
    assert "Not looked at:" in text.out


def test_text_has_every_finding_with_its_hint(account: Account, command: Run) -> None:
    ran = command(NAME)
    assert "ERROR         Account\n  ERROR       the bootstrap of CDK\n" in ran.out
    assert "E9503" in ran.out
    assert f'`cdk bootstrap --app "" aws://{ACCOUNT}/us-west-2`' in ran.out


def test_a_deploy_stops_at_the_same_findings(
    account: Account, command: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    document = command(NAME, *JSON).document
    found = [each for part in document["parts"] for check in part["checks"] for each in check["findings"]]
    assert main(["deploy", NAME, "--local", *JSON, "--project", str(account.project)]) == 1
    of_deploy = json.loads(capsys.readouterr().out)["findings"]
    assert {each["message"] for each in of_deploy} == {each["message"] for each in found}
    assert len(of_deploy) > 2


def test_junit_fails_skips_and_passes_as_the_verdicts(account: Account, command: Run) -> None:
    verdicts = command(NAME, *JSON).verdicts
    ran = command(NAME, "--format", "junit")
    assert ran.exit == 3
    report = ET.fromstring(ran.out)  # noqa: S314 - our own output
    cases = {case.attrib["name"]: {child.tag: child for child in case} for case in report.iter("testcase")}
    tags = {"error": {"failure"}, "not_needed": {"skipped"}, "passed": set()}
    assert {what: set(found) for what, found in cases.items()} == {what: tags[each] for what, each in verdicts.items()}
    assert cases["the bootstrap of CDK"]["failure"].attrib["type"] == "E9503"
    counts = {"tests": len(cases), "failures": 3, "skipped": list(verdicts.values()).count("not_needed")}
    assert {name: int(report.attrib[name]) for name in counts} == counts


def test_junit_skips_what_was_not_checked_and_the_status_tells_it(account: Account, command: Run) -> None:
    account.make_ready(account.opened(NAME))
    with account.aws.faults.access_denied("ec2", "GetEbsDefaultKmsKeyId"):
        ran = command(NAME, "--format", "junit")
    assert ran.exit == 1
    (case,) = [each for each in ET.fromstring(ran.out).iter("testcase") if "EBS" in each.attrib["name"]]  # noqa: S314
    (skipped,) = case
    assert (skipped.tag, skipped.attrib["type"]) == ("skipped", "W9556")
    assert skipped.attrib["message"].startswith("not checked: the default encryption key of EBS: not checked in")


def test_sarif_has_the_findings(account: Account, command: Run) -> None:
    ran = command(NAME, "--format", "sarif")
    found = {each["ruleId"] for each in json.loads(ran.out)["runs"][0]["results"]}
    assert (ran.exit, found) == (3, {"E9503", "E9550", "W9551", "E9552"})


def test_fail_on_error_accepts_warnings_and_not_what_was_not_made(account: Account, command: Run) -> None:
    opened = account.opened("train-trn1")
    account.make_ready(opened)
    account.client("iam").delete_role(RoleName="platform-admin")
    assert command("train-trn1", "--fail-on", "error").exit == 3
    account.client("iam").create_role(RoleName="platform-admin", AssumeRolePolicyDocument=trust("eks"))
    assert command("train-trn1", "--fail-on", "error").exit == 0
    with account.aws.faults.throttling("service-quotas", "GetServiceQuota", times=1):
        ran = command("train-trn1", "--fail-on", "error", *JSON)
    assert (ran.exit, ran.document["is_complete"]) == (1, False)
    (message,) = [
        finding["message"]
        for part in ran.document["parts"]
        for check in part["checks"]
        for finding in check["findings"]
    ]
    assert "not checked in us-west-2, since AWS throttled GetServiceQuota" in message


def test_a_stack_that_cannot_be_updated_is_an_error_as_in_a_deploy(account: Account, command: Run) -> None:
    account.make_ready(account.opened(NAME))
    broken = {"Resources": {"A": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "Nothing", "Value": "a"}}}}
    account.client("cloudformation").create_stack(
        StackName=f"{NAME}-network", TemplateBody=json.dumps(broken), OnFailure="DO_NOTHING"
    )
    waiter = account.client("cloudformation").get_waiter("stack_create_complete")
    with pytest.raises(Exception, match="CREATE_FAILED"):
        waiter.wait(StackName=f"{NAME}-network", WaiterConfig={"Delay": 0.05, "MaxAttempts": 400})
    ran = command(NAME, *JSON)
    assert (ran.exit, ran.verdicts["stacks that can be updated"]) == (3, "error")
    assert "E9524" in command(NAME).out


def test_a_local_aws_that_a_deploy_prepares_names_what_it_does_not_play(account: Account) -> None:
    opened = account.opened(NAME)
    prepared = local_destination(account.aws.endpoint, ACCOUNT, REGION)
    found = environment_preflight(opened, prepared, datetime.now(UTC))
    verdicts = {result.check.what: result.verdict for result in found.results}
    assert (found.exit_status(Verdict.WARNING), verdicts["vCPU quotas of EC2"]) == (0, Verdict.NOT_NEEDED)
    assert [each for each in found.not_looked_at if "--fresh-account" in each]


def test_without_a_local_aws_there_is_no_verdict(tmp_path: object, command: Run, account: Account) -> None:
    note = account.project / ".local"
    hidden = account.project / "hidden"
    note.rename(hidden)
    try:
        ran = command(NAME)
    finally:
        hidden.rename(note)
    assert (ran.exit, ran.out, "no local AWS runs for this project" in ran.err) == (1, "", True)


def test_on_aws_an_administrator_of_a_ready_account_passes(
    account: Account, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.make_ready(account.opened(NAME))
    iam = account.client("iam")
    iam.create_user(UserName="ann")
    iam.attach_user_policy(UserName="ann", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
    with account.as_aws(iam.create_access_key(UserName="ann")["AccessKey"], monkeypatch):
        ran = command(NAME, *JSON, local=False)
    assert (ran.exit, ran.verdicts["the roles that the CDK command assumes"]) == (0, "passed")
    assert set(ran.verdicts.values()) == {"passed", "not_needed"}
    assert [each for each in ran.document["not_looked_at"] if "trust policies of roles" in each]


def test_credentials_of_another_account_leave_everything_unchecked(
    account: Account, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = account.client("iam")
    user.create_user(UserName="ann")
    other = account.opened(NAME).file.path
    text = other.read_text()
    other.write_text(text.replace(ACCOUNT, "271828182845"))
    try:
        with account.as_aws(user.create_access_key(UserName="ann")["AccessKey"], monkeypatch):
            ran = command(NAME, *JSON, local=False)
    finally:
        other.write_text(text)
    assert ran.exit == 3
    assert ran.verdicts["the account of the credentials"] == "error"
    assert set(ran.verdicts.values()) == {"passed", "error", "not_checked", "not_needed"}
    assert [what for what, verdict in ran.verdicts.items() if verdict == "passed"] == ["ids of examples"]


def test_ids_of_examples_are_an_error_before_any_call(
    account: Account, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = account.opened(NAME).file.path
    text = file.read_text()
    file.write_text(text.replace(ACCOUNT, PLACEHOLDER))
    try:
        with account.as_aws({"AccessKeyId": "AKIANOBODY", "SecretAccessKey": "nothing"}, monkeypatch):
            ran = command(NAME, *JSON, local=False)
    finally:
        file.write_text(text)
    assert (ran.exit, ran.verdicts["ids of examples"]) == (3, "error")
    assert "passed" not in ran.verdicts.values()


def test_without_credentials_there_is_no_verdict(
    account: Account, command: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with account.as_aws({"AccessKeyId": "", "SecretAccessKey": ""}, monkeypatch):
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.delenv(name)
        ran = command(NAME, local=False)
    assert (ran.exit, ran.out, "no usable AWS credentials" in ran.err) == (1, "", True)
