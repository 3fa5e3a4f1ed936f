"""Permissions of the caller by IAM's simulation: never passed where it does not tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hint_commands import command_error, commands_in
from hinted_command import run_aws

from neuron_cluster.deploy.destination import aws_destination
from neuron_cluster.deploy.preflight.account import preflight_context
from neuron_cluster.deploy.preflight.check import Stage
from neuron_cluster.deploy.preflight.results import CheckResult, Verdict
from neuron_cluster.deploy.preflight.run import checks_of, run_check

from .conftest import ACCOUNT, REGION, Account, policy

pytestmark = pytest.mark.slow
ROLE = f"arn:aws:iam::{ACCOUNT}:role/cdk-hnb659fds-deploy-role-{ACCOUNT}-{REGION}"
EVERYTHING = {"Effect": "Allow", "Action": "*", "Resource": "*"}
Results = dict[str, CheckResult]
Simulate = Callable[[dict[str, str]], Results]


@pytest.fixture
def simulate(account: Account, monkeypatch: pytest.MonkeyPatch) -> Simulate:
    """The results for the holder of an access key, by the last word of their subject: ``assumes``, ``checks``."""
    opened = account.opened("train-trn1", is_local=False)

    def run(key: dict[str, str]) -> Results:
        with account.as_aws(key, monkeypatch):
            context = preflight_context(opened, aws_destination(ACCOUNT, REGION))
            results = [run_check(check, context) for check in checks_of(Stage.PERMISSIONS)]
        return {result.check.what.rpartition(" ")[2]: result for result in results}

    return run


def user(account: Account, *statements: dict[str, Any], **settings: Any) -> dict[str, str]:
    """The access key of a user with these statements."""
    iam = account.client("iam")
    iam.create_user(UserName="ann", Path="/people/", **settings)
    if statements:
        iam.put_user_policy(UserName="ann", PolicyName="own", PolicyDocument=policy(*statements))
    return dict(iam.create_access_key(UserName="ann")["AccessKey"])


def session(account: Account, path: str = "/ci/", **settings: Any) -> dict[str, str]:
    """The access key of a session of a role with a path, an administrator unless its settings limit it."""
    iam = account.client("iam")
    trusted = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}
    role = {"RoleName": "deployer", "Path": path, "AssumeRolePolicyDocument": policy(trusted)}
    arn = iam.create_role(**role, **settings)["Role"]["Arn"]
    iam.attach_role_policy(RoleName="deployer", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
    return dict(account.client("sts").assume_role(RoleArn=arn, RoleSessionName="build")["Credentials"])


def verdicts(results: Results) -> dict[str, str]:
    return {name: result.verdict.value for name, result in results.items()}


def test_an_administrator_may_deploy(account: Account, simulate: Simulate) -> None:
    results = simulate(user(account, EVERYTHING))
    assert verdicts(results) == {"assumes": "passed", "checks": "passed"}
    assert results["assumes"].subjects[0] == ROLE
    assert {"servicequotas:GetServiceQuota", "ec2:DescribeImages"} & set(results["checks"].subjects) == {
        "servicequotas:GetServiceQuota"
    }, "the actions of the checks that the environment needs"


@pytest.mark.hints("W9584")
def test_what_the_policies_do_not_allow_is_a_warning_whose_hint_allows_it(account: Account, simulate: Simulate) -> None:
    key = user(account, {"Effect": "Allow", "Action": "ec2:Describe*", "Resource": "*"})
    results = simulate(key)
    assert verdicts(results) == {"assumes": "warning", "checks": "warning"}
    (of_roles,) = results["assumes"].findings
    assert of_roles.id == "W9584"
    assert f"sts:AssumeRole on {ROLE}" in of_roles.message
    assert "(implicitDeny), as IAM simulates them" in of_roles.message
    (command,) = commands_in(of_roles.hint)
    assert command_error(command) == ""
    run_aws(command, account.target)
    results = simulate(key)
    assert verdicts(results) == {"assumes": "passed", "checks": "warning"}
    (of_checks,) = results["checks"].findings
    (command,) = commands_in(of_checks.hint)
    assert '["cloudformation:GetTemplate","cloudformation:ListStackResources"],"Resource":["arn:' in command
    run_aws(command, account.target)
    assert verdicts(simulate(key)) == {"assumes": "passed", "checks": "passed"}, "the first policy is not replaced"


def test_an_explicit_deny_is_told_from_a_missing_statement(account: Account, simulate: Simulate) -> None:
    denied = {"Effect": "Deny", "Action": "sts:*", "Resource": ROLE}
    results = simulate(user(account, EVERYTHING, denied))
    (finding,) = results["assumes"].findings
    assert (finding.id, "(explicitDeny)" in finding.message, finding.message.count("arn:")) == ("W9584", True, 2)
    (command,) = commands_in(finding.hint)
    assert (command.split()[2], command_error(command)) == ("simulate-principal-policy", "")
    assert results["checks"].verdict is Verdict.PASSED


def test_a_boundary_that_does_not_allow_it_is_named(account: Account, simulate: Simulate) -> None:
    document = policy({"Effect": "Allow", "Action": ["ec2:*", "iam:*"], "Resource": "*"})
    boundary = account.client("iam").create_policy(PolicyName="edge", PolicyDocument=document)["Policy"]["Arn"]
    (finding,) = simulate(session(account, PermissionsBoundary=boundary))["assumes"].findings
    assert "(the permissions boundary)" in finding.message


def test_a_condition_without_a_known_value_is_not_checked(account: Account, simulate: Simulate) -> None:
    only_mfa = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
    results = simulate(user(account, {**EVERYTHING, "Condition": only_mfa}))
    assert verdicts(results) == {"assumes": "not_checked", "checks": "not_checked"}
    (finding,) = results["assumes"].findings
    assert (finding.id, "depends on aws:MultiFactorAuthPresent" in finding.message) == ("W9556", True)


def test_a_deny_is_certain_whatever_a_condition_depends_on(account: Account, simulate: Simulate) -> None:
    only_mfa = {"Bool": {"aws:MultiFactorAuthPresent": "true"}}
    denied = {"Effect": "Deny", "Action": "sts:*", "Resource": "*"}
    results = simulate(user(account, {**EVERYTHING, "Condition": only_mfa}, denied))
    assert verdicts(results) == {"assumes": "warning", "checks": "not_checked"}
    assert "(explicitDeny)" in results["assumes"].findings[0].message


def test_conditions_on_region_and_tls_are_evaluated(account: Account, simulate: Simulate) -> None:
    in_region = {"StringEquals": {"aws:RequestedRegion": REGION}, "Bool": {"aws:SecureTransport": "true"}}
    assert simulate(user(account, {**EVERYTHING, "Condition": in_region}))["assumes"].verdict is Verdict.PASSED


def test_a_session_is_simulated_as_its_role(account: Account, simulate: Simulate) -> None:
    role, key = f"arn:aws:iam::{ACCOUNT}:role/ci/deployer", session(account)
    assert verdicts(simulate(key)) == {"assumes": "passed", "checks": "passed"}
    account.client("iam").detach_role_policy(
        RoleName="deployer", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess"
    )
    (finding,) = simulate(key)["assumes"].findings
    assert f"the policies of {role} do not allow" in finding.message
    assert "put-role-policy --role-name deployer" in finding.hint


def test_a_role_of_a_permission_set_is_changed_in_the_permission_set(account: Account, simulate: Simulate) -> None:
    key = session(account, "/aws-reserved/sso.amazonaws.com/")
    account.client("iam").detach_role_policy(
        RoleName="deployer", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess"
    )
    (finding,) = simulate(key)["assumes"].findings
    assert finding.hint.startswith("add this policy to the permission set of the role: `{")


@pytest.mark.parametrize("call", [("iam", "SimulatePrincipalPolicy"), ("sts", "GetCallerIdentity")])
def test_a_simulation_that_is_denied_is_not_checked(
    call: tuple[str, str], account: Account, simulate: Simulate
) -> None:
    key = user(account, EVERYTHING)
    with account.aws.faults.access_denied(*call):
        results = simulate(key)
    assert verdicts(results) == {"assumes": "not_checked", "checks": "not_checked"}


def test_a_caller_without_a_user_or_role_is_not_checked(account: Account, simulate: Simulate) -> None:
    """As the root user and federated users: the simulation takes users and roles."""
    secret = {
        "AccessKeyId": ACCOUNT,
        "SecretAccessKey": account.aws.environment(ACCOUNT, REGION)["AWS_SECRET_ACCESS_KEY"],
    }
    results = simulate(secret)
    assert verdicts(results) == {"assumes": "not_checked", "checks": "not_checked"}
    assert "is neither a user nor a role of IAM" in results["assumes"].reason
