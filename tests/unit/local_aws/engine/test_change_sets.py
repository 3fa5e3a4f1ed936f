"""Change sets: what they announce, and how they are kept apart."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError
from local_aws.engine.change_set import NO_CHANGES


def by_id(change_set):
    return {change.logical_id: change for change in change_set.changes}


def test_creation_waits_in_review_until_it_is_executed(cloud, template, resource):
    change_set = cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE")
    assert (change_set.status, change_set.execution_status) == ("CREATE_COMPLETE", "AVAILABLE")
    assert [change.action for change in change_set.changes] == ["Add"]
    assert cloud.find("s").status == "REVIEW_IN_PROGRESS"
    assert cloud.remote.calls == []
    assert cloud.execute(change_set).status == "CREATE_COMPLETE"


def test_review_of_a_stack_can_be_repeated_and_given_up(cloud, template, resource):
    """As cdk diff does: a change set for a stack that does not exist, then both go."""
    cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE")
    second = cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE", ChangeSetName="again")
    assert cloud.delete(second.stack).status == "DELETE_COMPLETE"
    assert cloud.find("s") is None


def test_no_difference_fails_in_the_words_that_the_cdk_command_knows(cloud, template, resource):
    cloud.create("s", template(A=resource(Value="1")))
    change_set = cloud.change_set("s", template(A=resource(Value="1")))
    assert (change_set.status, change_set.execution_status) == ("FAILED", "UNAVAILABLE")
    assert change_set.reason == NO_CHANGES
    assert "didn't contain changes" in NO_CHANGES
    with pytest.raises(ServiceError, match=r"cannot be executed in its current status of \[FAILED\]"):
        cloud.execute(change_set)


def test_number_and_its_text_are_the_same_value(cloud, template, resource):
    cloud.create("s", template(A=resource(Value=1, Flag=True)))
    assert cloud.change_set("s", template(A=resource(Value="1", Flag="true"))).reason == NO_CHANGES


def test_changes_tell_action_replacement_and_policy(cloud, template, resource):
    cloud.create(
        "s",
        template(
            Same=resource(),
            Edited=resource(Value="1"),
            Replaced=resource(CidrBlock="1"),
            Gone=resource(),
            Kept=resource(DeletionPolicy="Retain"),
        ),
    )
    changes = by_id(
        cloud.change_set(
            "s", template(Same=resource(), Edited=resource(Value="2"), Replaced=resource(CidrBlock="2"), New=resource())
        )
    )
    assert {name: (each.action, each.replacement, each.policy_action) for name, each in changes.items()} == {
        "Edited": ("Modify", "False", None),
        "Replaced": ("Modify", "True", "ReplaceAndDelete"),
        "New": ("Add", None, None),
        "Gone": ("Remove", None, "Delete"),
        "Kept": ("Remove", None, "Retain"),
    }


def test_reader_of_a_replaced_resource_is_replaced_conditionally(cloud, template, resource):
    """Its create-only property will differ, but nobody knows the value yet."""

    def stack(block):
        return template(
            A=resource(CidrBlock=block), B=resource(CidrBlock={"Ref": "A"}), C=resource(Value={"Fn::Sub": "x-${B}"})
        )

    cloud.create("s", stack("1"))
    changes = by_id(cloud.change_set("s", stack("2")))
    assert {name: each.replacement for name, each in changes.items()} == {"A": "True", "B": "Conditional", "C": "False"}
    assert not changes["B"].properties[0].certain


def test_reference_to_a_resource_changed_in_place_is_no_change(cloud, template, resource):
    """Its id stays; only what reads an attribute of it may change."""

    def stack(value):
        return template(
            A=resource(Value=value), Id=resource(Value={"Ref": "A"}), Attribute=resource(Value={"Fn::GetAtt": "A.Echo"})
        )

    cloud.create("s", stack("1"))
    assert set(by_id(cloud.change_set("s", stack("2")))) == {"A", "Attribute"}


def test_changes_beside_the_properties_are_changes(cloud, template, resource):
    cloud.create("s", template(A=resource(), B=resource()))
    changes = by_id(cloud.change_set("s", template(A=resource(DeletionPolicy="Retain"), B=resource(Metadata={"x": 1}))))
    assert {name: each.scope for name, each in changes.items()} == {"A": ("DeletionPolicy",), "B": ("Metadata",)}
    stack = cloud.execute(cloud.engine.change_sets.find("111122223333", "eu-west-1", "planned", "s"))
    assert cloud.remote.calls == ["create A", "create B"]
    assert stack.resources["A"].deletion_policy == "Retain"


def test_outputs_alone_make_a_change_set_without_resource_changes(cloud, template, resource):
    cloud.create("s", template(A=resource()))
    change_set = cloud.change_set("s", template({"Id": {"Value": {"Ref": "A"}}}, A=resource()))
    assert (change_set.status, change_set.changes) == ("CREATE_COMPLETE", ())
    stack = cloud.execute(change_set)
    assert [output.key for output in stack.outputs] == ["Id"]


def test_change_sets_of_two_stacks_may_have_one_name(cloud, template, resource):
    """The CDK command gives every stack's change set the same name."""
    first = cloud.change_set("one", template(A=resource()), ChangeSetType="CREATE")
    second = cloud.change_set("two", template(B=resource()), ChangeSetType="CREATE")
    find = cloud.engine.change_sets.find
    assert find("111122223333", "eu-west-1", "planned", "one") is first
    assert find("111122223333", "eu-west-1", "planned", "two") is second
    with pytest.raises(ServiceError, match="already exists"):
        cloud.change_set("one", template(A=resource()), ChangeSetType="CREATE")


def test_execution_takes_all_change_sets_of_its_stack(cloud, template, resource):
    first = cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE")
    cloud.change_set("s", template(A=resource()), ChangeSetType="CREATE", ChangeSetName="other")
    cloud.execute(first)
    assert cloud.engine.change_sets.of(first.stack) == []
    with pytest.raises(ServiceError, match="does not exist"):
        cloud.engine.change_sets.find("111122223333", "eu-west-1", "other", "s")


def test_another_resource_type_under_the_same_logical_id_is_refused(cloud, template, resource):
    cloud.create("s", template(A=resource()))
    change_set = cloud.change_set("s", template(A=resource("AWS::SSM::Parameter")))
    assert change_set.reason == (
        "Update of resource type is not permitted. The new template modifies resource type "
        "of the following resources: [A]"
    )


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"Type": "AWS::PCS::Cluster"}, "Template format error: Unrecognized resource types: [AWS::PCS::Cluster]"),
        ({"Type": "Custom::Thing"}, "Template format error: Unrecognized resource types: [Custom::Thing]"),
        (
            {"Type": "AWS::EC2::Subnet", "Properties": {"Value": {"Ref": "Nobody"}}},
            "Template format error: Unresolved resource dependencies [Nobody] in the Resources block of the template",
        ),
        (
            {"Type": "AWS::EC2::Subnet", "DependsOn": "Nobody"},
            "Template format error: Unresolved resource dependencies [Nobody] in the Resources block of the template",
        ),
        (
            {"Type": "AWS::EC2::Subnet", "DeletionPolicy": "Snapshot"},
            "Template error: resource type AWS::EC2::Subnet does not support deletion policy Snapshot",
        ),
        ({"Type": "AWS::EC2::Subnet", "DependsOn": "A"}, "Circular dependency between resources: [A]"),
    ],
)
def test_broken_template_makes_neither_change_set_nor_stack(cloud, template, broken, message):
    with pytest.raises(TemplateError) as refused:
        cloud.change_set("s", template(A=broken), ChangeSetType="CREATE")
    assert (refused.value.code, refused.value.message) == ("ValidationError", message)
    assert cloud.find("s") is None


def test_unknown_export_fails_the_change_set(cloud, template, resource):
    change_set = cloud.change_set(
        "s", template(A=resource(Value={"Fn::ImportValue": "nobody:exports"})), ChangeSetType="CREATE"
    )
    assert (change_set.status, change_set.reason) == ("FAILED", "No export named nobody:exports found.")


def test_iam_resources_need_the_capability(cloud, template, resource):
    cloud.engine.engine_context.providers["AWS::IAM::Role"] = cloud.engine.engine_context.providers["AWS::EC2::Subnet"]
    named = template(A=resource("AWS::IAM::Role", RoleName="r"))
    with pytest.raises(ServiceError, match=r"Requires capabilities : \[CAPABILITY_NAMED_IAM\]"):
        cloud.create("s", named, Capabilities=["CAPABILITY_IAM"])
    assert cloud.create("s", named, Capabilities=["CAPABILITY_NAMED_IAM"]).status == "CREATE_COMPLETE"
