"""CloudFormation's API over the engine."""

from __future__ import annotations

import json

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError
from local_aws.registry import OPERATIONS
from local_aws.services.cloudformation import change_sets, events, stacks, templates

MODULES = (change_sets, events, stacks, templates)


@pytest.fixture
def api(cloud):
    """Calls an operation with the given parameters."""

    def call(operation, **parameters):
        answer = OPERATIONS["cloudformation", operation](cloud.call(operation, **parameters))
        cloud.engine.wait()
        return answer

    return call


def test_history_comes_newest_first_in_pages_that_do_not_shift(cloud, api, template, resource):
    """A token stays good while new events arrive."""
    many = {f"R{i}": resource() for i in range(60)}
    stack = cloud.create("s", template(**many))
    first = api("DescribeStackEvents", StackName="s")
    assert first["StackEvents"][0]["ResourceStatus"] == "CREATE_COMPLETE"
    assert len(first["StackEvents"]) == 100
    cloud.update("s", template(**many, More=resource()))
    second = api("DescribeStackEvents", StackName="s", NextToken=first["NextToken"])
    assert "NextToken" not in second
    ids = [event["EventId"] for event in first["StackEvents"] + second["StackEvents"]]
    assert ids == [event.event_id for event in reversed(stack.events)][-len(ids) :]


def test_deleted_stack_is_found_by_its_id_alone(cloud, api, template, resource):
    stack = cloud.create("s", template(A=resource()))
    api("DeleteStack", StackName="s")
    assert api("DescribeStacks", StackName=stack.stack_id)["Stacks"][0]["StackStatus"] == "DELETE_COMPLETE"
    assert api("DescribeStacks")["Stacks"] == []
    assert [each["StackStatus"] for each in api("ListStacks")["StackSummaries"]] == ["DELETE_COMPLETE"]
    with pytest.raises(ServiceError) as refused:
        api("DescribeStacks", StackName="s")
    assert (refused.value.code, refused.value.message) == ("ValidationError", "Stack with id s does not exist")


def test_deleting_what_is_not_there_is_no_error(api):
    assert api("DeleteStack", StackName="nobody") == {}


def test_template_comes_back_as_it_was_sent(cloud, api, resource):
    body = json.dumps({"Resources": {"A": resource()}}, indent=3)
    cloud.create("s", body)
    assert api("GetTemplate", StackName="s")["TemplateBody"] == body
    other = json.dumps({"Description": "d", "Resources": {"B": resource()}})
    api("CreateChangeSet", StackName="s", ChangeSetName="c", TemplateBody=other)
    assert api("GetTemplate", StackName="s", ChangeSetName="c")["TemplateBody"] == other
    assert api("GetTemplateSummary", TemplateBody=other)["ResourceTypes"] == ["AWS::EC2::Subnet"]
    assert api("ValidateTemplate", TemplateBody=other)["Description"] == "d"


def test_stack_in_review_has_no_template(cloud, api, template, resource):
    """The CDK command asks for it before it executes the first change set."""
    cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE")
    assert "TemplateBody" not in api("GetTemplate", StackName="s")


def test_change_set_tells_old_and_new_values_on_request(cloud, api, template, resource):
    cloud.create("s", template(A=resource(Value="1"), B=resource(CidrBlock="1")))
    edited = template(A=resource(Value="2"), B=resource(CidrBlock={"Fn::GetAtt": "A.Echo"}))
    api("CreateChangeSet", StackName="s", ChangeSetName="c", TemplateBody=json.dumps(edited))
    plain = api("DescribeChangeSet", StackName="s", ChangeSetName="c")
    first, second = (change["ResourceChange"] for change in plain["Changes"])
    assert "BeforeContext" not in first
    assert first["Details"] == [
        {
            "Target": {"Attribute": "Properties", "Name": "Value", "RequiresRecreation": "Never"},
            "Evaluation": "Static",
            "ChangeSource": "DirectModification",
        }
    ]
    assert (second["Replacement"], second["Details"][0]["CausingEntity"]) == ("Conditional", "A.Echo")
    detailed = api("DescribeChangeSet", StackName="s", ChangeSetName="c", IncludePropertyValues=True)
    first, second = (change["ResourceChange"] for change in detailed["Changes"])
    assert (first["Details"][0]["Target"]["BeforeValue"], first["Details"][0]["Target"]["AfterValue"]) == ("1", "2")
    assert json.loads(second["AfterContext"]) == {"Properties": {"CidrBlock": "{{changeSet:KNOWN_AFTER_APPLY}}"}}


def test_change_set_that_is_gone_has_the_error_that_the_cdk_command_waits_for(cloud, api, template, resource):
    cloud.create("s", template(A=resource()))
    assert api("DeleteChangeSet", StackName="s", ChangeSetName="c") == {}
    with pytest.raises(ServiceError) as refused:
        api("DescribeChangeSet", StackName="s", ChangeSetName="c")
    assert refused.value.code == "ChangeSetNotFound"


def test_resources_are_told_with_their_physical_ids(cloud, api, template, resource):
    stack = cloud.create("s", template(A=resource(), B=resource()))
    reported = {
        each["LogicalResourceId"]: each["PhysicalResourceId"]
        for each in api("ListStackResources", StackName="s")["StackResourceSummaries"]
    }
    assert reported == {name: each.physical_id for name, each in stack.resources.items()}
    (found,) = api("DescribeStackResources", StackName="s", LogicalResourceId="B")["StackResources"]
    assert found["PhysicalResourceId"] == reported["B"]
    assert api("DescribeStackResources", PhysicalResourceId=reported["B"])["StackResources"][0]["StackName"] == "s"
    detail = api("DescribeStackResource", StackName="s", LogicalResourceId="A")["StackResourceDetail"]
    assert detail["ResourceStatus"] == "CREATE_COMPLETE"
    with pytest.raises(ServiceError, match="Resource C does not exist for stack s"):
        api("DescribeStackResource", StackName="s", LogicalResourceId="C")


def test_exports_and_imports_are_listed(cloud, api, template, resource):
    cloud.create("net", template({"Id": {"Value": {"Ref": "A"}, "Export": {"Name": "net:id"}}}, A=resource()))
    with pytest.raises(ServiceError, match="Export 'net:id' is not imported by any stack"):
        api("ListImports", ExportName="net:id")
    cloud.create("app", template(B=resource(Value={"Fn::ImportValue": "net:id"})))
    assert [each["Name"] for each in api("ListExports")["Exports"]] == ["net:id"]
    assert api("ListImports", ExportName="net:id")["Imports"] == ["app"]


def test_termination_protection_can_be_turned_on_and_off(cloud, api, template, resource):
    cloud.create("s", template(A=resource()))
    api("UpdateTerminationProtection", StackName="s", EnableTerminationProtection=True)
    with pytest.raises(ServiceError, match="TerminationProtection is enabled"):
        api("DeleteStack", StackName="s")
    api("UpdateTerminationProtection", StackName="s", EnableTerminationProtection=False)
    api("DeleteStack", StackName="s")
    assert cloud.find("s") is None


def test_a_stack_policy_is_kept_from_wherever_it_came(cloud, api, template, resource):
    body = {"StackName": "s", "TemplateBody": json.dumps(template(A=resource()))}
    policies = [json.dumps({"Statement": [{"Effect": effect}]}) for effect in ("Allow", "Deny")]
    api("CreateStack", **body, StackPolicyBody=policies[0])
    assert api("GetStackPolicy", StackName="s") == {"StackPolicyBody": policies[0]}
    changed = json.dumps(template(A=resource(Value="2")))
    api("UpdateStack", StackName="s", TemplateBody=changed)
    assert api("GetStackPolicy", StackName="s") == {"StackPolicyBody": policies[0]}
    api("SetStackPolicy", StackName="s", StackPolicyBody=policies[1])
    assert api("GetStackPolicy", StackName="s") == {"StackPolicyBody": policies[1]}
    for broken in ("nonsense", "[]", "[" * 100_000):
        with pytest.raises(ServiceError, match="Invalid stack policy"):
            api("SetStackPolicy", StackName="s", StackPolicyBody=broken)
    with pytest.raises(ServiceError, match="Invalid stack policy"):
        api("CreateStack", **body | {"StackName": "t"}, StackPolicyBody="nonsense")
    assert cloud.find("t") is None


def test_hidden_parameters_stay_hidden(cloud, api, resource):
    template = {
        "Parameters": {"Secret": {"Type": "String", "NoEcho": True}},
        "Resources": {"A": resource(Value={"Ref": "Secret"})},
    }
    stack = cloud.create("s", template, Parameters=[{"ParameterKey": "Secret", "ParameterValue": "hush"}])
    assert "hush" not in json.dumps(api("DescribeStacks", StackName="s"), default=str)
    assert stack.resources["A"].properties == {"Value": "hush"}


def test_rules_are_asserted(cloud, api, resource):
    """As CDK's CheckBootstrapVersion."""
    template = {
        "Parameters": {"Version": {"Type": "String"}},
        "Rules": {
            "Check": {
                "Assertions": [
                    {
                        "Assert": {"Fn::Not": [{"Fn::Contains": [["1", "2"], {"Ref": "Version"}]}]},
                        "AssertDescription": "version 6 or newer",
                    }
                ]
            }
        },
        "Resources": {"A": resource()},
    }
    with pytest.raises(TemplateError, match="version 6 or newer"):
        cloud.create("s", template, Parameters=[{"ParameterKey": "Version", "ParameterValue": "2"}])
    stack = cloud.create("s", template, Parameters=[{"ParameterKey": "Version", "ParameterValue": "6"}])
    assert stack.status == "CREATE_COMPLETE"


def test_only_a_failed_stack_can_be_rolled_back(cloud, api, template, resource):
    cloud.create("s", template(A=resource()))
    for operation in ("RollbackStack", "ContinueUpdateRollback"):
        with pytest.raises(ServiceError, match="is in CREATE_COMPLETE state and can not"):
            api(operation, StackName="s")


def test_every_operation_belongs_to_the_services_model():
    """botocore knows each name that we answer to."""
    from moto.core.utils import get_service_model

    known = set(get_service_model("cloudformation").operation_names)
    ours = {name for service, name in OPERATIONS if service == "cloudformation"}
    assert ours
    assert ours <= known
