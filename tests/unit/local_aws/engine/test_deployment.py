"""Creating and updating stacks: order, replacement, rollback, policies."""

from __future__ import annotations

import pytest

from local_aws.contract import ServiceError


def test_resources_come_after_what_they_refer_to(cloud, template, resource):
    """Ref, Fn::GetAtt, Fn::Sub and DependsOn each make an order."""
    stack = cloud.create(
        "s",
        template(
            Last=resource(Value={"Fn::Sub": "${Third.Echo}"}),
            Third=resource(Value={"Fn::GetAtt": ["Second", "Echo"]}),
            Second=resource(Value={"Ref": "First"}),
            First=resource(DependsOn="Zeroth"),
            Zeroth=resource(),
        ),
    )
    assert cloud.remote.calls == ["create Zeroth", "create First", "create Second", "create Third", "create Last"]
    assert stack.status == "CREATE_COMPLETE"
    assert stack.resources["Last"].properties == {"Value": stack.resources["First"].physical_id}
    assert cloud.history(stack)[:3] == ["s CREATE_IN_PROGRESS", "Zeroth CREATE_IN_PROGRESS", "Zeroth CREATE_COMPLETE"]
    assert cloud.history(stack)[-1] == "s CREATE_COMPLETE"


def test_failed_creation_removes_what_was_made(cloud, template, resource):
    """The resources go in reverse order, and the stack says which one failed and in whose words."""
    stack = cloud.create(
        "s",
        template(
            A=resource(),
            B=resource(Value={"Ref": "A"}),
            C=resource(DependsOn="B", Value="refused"),
            D=resource(DependsOn="C"),
        ),
    )
    assert stack.status == "ROLLBACK_COMPLETE"
    assert cloud.remote.things == {}
    assert cloud.remote.calls == ["create A", "create B", "create C", "delete B", "delete A"]
    failed = next(event for event in stack.events if event.status == "CREATE_FAILED")
    assert failed.logical_id == "C"
    assert 'message: "the value is not allowed (Service: Ec2, Status Code: 400' in failed.reason
    rollback = next(event for event in stack.events if event.status == "ROLLBACK_IN_PROGRESS")
    assert rollback.reason == "The following resource(s) failed to create: [C]. Rollback requested by user."


def test_mistake_in_a_provider_fails_the_stack(cloud, template, resource, caplog):
    """No stack stays in progress because of a mistake of ours."""
    stack = cloud.create("s", template(A=resource(Value="bug")))
    assert stack.status == "ROLLBACK_COMPLETE"
    assert any("Internal Failure: KeyError" in (event.reason or "") for event in stack.events)
    assert "the local AWS failed" in caplog.text


@pytest.mark.parametrize(("policy", "retained"), [("Delete", False), ("Retain", True), ("RetainExceptOnCreate", False)])
def test_deletion_policy_when_a_creation_fails(cloud, template, resource, policy, retained):
    stack = cloud.create("s", template(A=resource(DeletionPolicy=policy), B=resource(DependsOn="A", Value="refused")))
    assert stack.status == "ROLLBACK_COMPLETE"
    assert bool(cloud.remote.things) is retained


def test_retained_resource_goes_on_request_when_its_creation_fails(cloud, template, resource):
    """CreateStack's RetainExceptOnCreate overrules DeletionPolicy Retain."""
    failing = template(A=resource(DeletionPolicy="Retain"), B=resource(DependsOn="A", Value="refused"))
    cloud.create("s", failing, RetainExceptOnCreate=True)
    assert cloud.remote.things == {}


@pytest.mark.parametrize(("policy", "retained"), [("Delete", False), ("Retain", True), ("RetainExceptOnCreate", True)])
def test_deletion_policy_when_the_stack_is_deleted(cloud, template, resource, policy, retained):
    stack = cloud.create("s", template(A=resource(DeletionPolicy=policy)))
    cloud.delete(stack)
    assert stack.status == "DELETE_COMPLETE"
    assert bool(cloud.remote.things) is retained
    assert ("A DELETE_SKIPPED" in cloud.history(stack)) is retained


def test_update_touches_only_what_differs(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(Value="1"), B=resource(Value="2")))
    cloud.remote.calls.clear()
    cloud.update("s", template(A=resource(Value="1"), B=resource(Value="3"), C=resource()))
    assert cloud.remote.calls == ["update B", "create C"]
    assert stack.status == "UPDATE_COMPLETE"


def test_change_of_an_attribute_reaches_its_reader(cloud, template, resource):
    """A resource whose text in the template is the same is updated when the attribute it reads has changed."""
    cloud.create("s", template(A=resource(Value="1"), B=resource(Value={"Fn::GetAtt": "A.Version"})))
    cloud.remote.calls.clear()
    stack = cloud.update("s", template(A=resource(Value="2"), B=resource(Value={"Fn::GetAtt": "A.Version"})))
    assert cloud.remote.calls == ["update A", "update B"]
    assert stack.resources["B"].properties["Value"] == stack.resources["A"].resource.attributes["Version"]


def test_create_only_property_replaces_before_it_deletes(cloud, template, resource):
    """The new one exists, and is referred to, before the old one goes in the clean-up phase."""
    stack = cloud.create("s", template(A=resource(CidrBlock="1"), B=resource(Value={"Ref": "A"})))
    first = stack.resources["A"].physical_id
    cloud.remote.calls.clear()
    cloud.update("s", template(A=resource(CidrBlock="2"), B=resource(Value={"Ref": "A"})))
    assert cloud.remote.calls == ["create A", "update B", "delete A"]
    assert first not in cloud.remote.things
    assert stack.resources["B"].properties["Value"] == stack.resources["A"].physical_id != first
    lines = cloud.history(stack)
    assert lines.index("s UPDATE_COMPLETE_CLEANUP_IN_PROGRESS") < lines.index("A DELETE_COMPLETE")


def test_update_replace_policy_keeps_the_old_one(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(CidrBlock="1", UpdateReplacePolicy="Retain")))
    first = stack.resources["A"].physical_id
    cloud.update("s", template(A=resource(CidrBlock="2", UpdateReplacePolicy="Retain")))
    assert set(cloud.remote.things) == {first, stack.resources["A"].physical_id}


def test_replacement_under_the_same_given_name_is_refused(cloud, template, resource):
    """CloudFormation cannot make a second thing of the name that the author gave."""
    stack = cloud.create("s", template(F=resource("AWS::Lambda::Function", FunctionName="f", PackageType="Zip")))
    cloud.update("s", template(F=resource("AWS::Lambda::Function", FunctionName="f", PackageType="Image")))
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    failed = next(event for event in stack.events if event.status == "UPDATE_FAILED")
    assert failed.reason == (
        "CloudFormation cannot update a stack when a custom-named resource requires replacing. "
        "Rename f and update the stack again."
    )
    assert cloud.remote.things["f"]["PackageType"] == "Zip"


def test_failed_update_puts_everything_back(cloud, template, resource):
    """Changed resources get their old values, replaced ones are the old ones again, new ones go, removed ones stay."""
    before = template(
        Changed=resource(Value="old"),
        Replaced=resource(CidrBlock="old"),
        Removed=resource(),
        Reader=resource(Value={"Ref": "Replaced"}),
    )
    stack = cloud.create("s", before)
    ids = {name: each.physical_id for name, each in stack.resources.items()}
    cloud.update(
        "s",
        template(
            Changed=resource(Value="new"),
            Replaced=resource(CidrBlock="new"),
            Reader=resource(Value={"Ref": "Replaced"}),
            New=resource(),
            Failing=resource(DependsOn=["Changed", "Reader", "New"], Value="refused"),
        ),
    )
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert {name: each.physical_id for name, each in stack.resources.items()} == ids
    assert set(cloud.remote.things) == set(ids.values())
    assert cloud.remote.things[ids["Changed"]] == {"Value": "old"}
    assert cloud.remote.things[ids["Reader"]] == {"Value": ids["Replaced"]}
    assert stack.revision.template.resources.keys() == before["Resources"].keys()


def test_failed_update_in_place_is_put_back_too(cloud, template, resource):
    """A rejected update may be half done: it is undone through the provider."""
    stack = cloud.create("s", template(A=resource(Value="old")))
    cloud.remote.calls.clear()
    cloud.update("s", template(A=resource(Value="refused")))
    assert cloud.remote.calls == ["update A", "update A"]
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.resources["A"].properties == {"Value": "old"}


def test_rollback_that_fails_says_so_and_can_go_on(cloud, template, resource):
    """UPDATE_ROLLBACK_FAILED keeps what to go back to."""
    stack = cloud.create("s", template(A=resource(Value="1"), B=resource(Value="1")))
    provider = cloud.engine.engine_context.providers["AWS::EC2::Subnet"]
    original = stack.resources["A"].properties
    original["Value"] = "refused"  # what the service once took and now refuses
    stack.revision.template.resources["A"].properties["Value"] = "refused"
    cloud.update("s", template(A=resource(Value="2"), B=resource(DependsOn="A", Value="refused")))
    assert stack.status == "UPDATE_ROLLBACK_FAILED"
    stack.rollback_revision.template.resources["A"].properties["Value"] = "1"
    cloud.engine.roll_back_stack(stack, {})
    cloud.engine.wait()
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert provider.remote.things[stack.resources["A"].physical_id] == {"Value": "1"}


def test_a_rollback_goes_on_past_a_resource_that_is_left_as_it_is(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(Value="1"), B=resource(Value="1")))
    stack.resources["A"].properties["Value"] = "refused"  # what the service once took and now refuses
    stack.revision.template.resources["A"].properties["Value"] = "refused"
    cloud.update("s", template(A=resource(Value="2"), B=resource(DependsOn="A", Value="refused")))
    assert (stack.status, stack.resources["A"].status) == ("UPDATE_ROLLBACK_FAILED", "UPDATE_FAILED")
    cloud.remote.calls.clear()
    cloud.engine.roll_back_stack(stack, {"ResourcesToSkip": ["A"]})
    cloud.engine.wait()
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.resources["A"].status == "UPDATE_COMPLETE"
    assert "update A" not in cloud.remote.calls
    assert cloud.remote.things[stack.resources["A"].physical_id] == {"Value": "2"}, "as the service has it"
    assert cloud.remote.things[stack.resources["B"].physical_id] == {"Value": "1"}


def test_without_rollback_a_failed_stack_waits_and_can_be_corrected(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(), B=resource(DependsOn="A", Value="refused")), DisableRollback=True)
    assert stack.status == "CREATE_FAILED"
    assert list(stack.resources) == ["A"]
    cloud.update("s", template(A=resource(), B=resource(DependsOn="A", Value="fine")))
    assert stack.status == "UPDATE_COMPLETE"
    assert list(stack.resources) == ["A", "B"]


def test_stopped_update_can_be_rolled_back_later(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(Value="old")))
    cloud.update(
        "s", template(A=resource(Value="new"), B=resource(DependsOn="A", Value="refused")), DisableRollback=True
    )
    assert stack.status == "UPDATE_FAILED"
    assert stack.resources["A"].properties == {"Value": "new"}
    cloud.engine.roll_back_stack(stack, {})
    cloud.engine.wait()
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.resources["A"].properties == {"Value": "old"}


def test_stopped_creation_can_be_rolled_back_later(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(), B=resource(DependsOn="A", Value="refused")), DisableRollback=True)
    cloud.engine.roll_back_stack(stack, {})
    cloud.engine.wait()
    assert (stack.status, cloud.remote.things) == ("ROLLBACK_COMPLETE", {})


def test_on_failure_delete_leaves_no_stack(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(), B=resource(DependsOn="A", Value="refused")), OnFailure="DELETE")
    assert [event.status for event in stack.events if event.logical_id == "s"] == [
        "CREATE_IN_PROGRESS",
        "DELETE_IN_PROGRESS",
        "DELETE_COMPLETE",
    ]
    begun = next(event for event in stack.events if event.status == "DELETE_IN_PROGRESS")
    assert begun.reason == "The following resource(s) failed to create: [B]. Delete requested by user."
    assert (cloud.find("s"), cloud.remote.things) == (None, {})


def test_a_forced_deletion_leaves_what_cannot_be_removed(cloud, template, resource):
    """And tries what it depends on."""
    stack = cloud.create("s", template(A=resource(), B=resource(Value="stuck", DependsOn="A")))
    with pytest.raises(ServiceError, match="FORCE_DELETE_STACK in a delete stack operation only when the stack is in"):
        cloud.delete(stack, DeletionMode="FORCE_DELETE_STACK")
    assert cloud.delete(stack, DeletionMode="STANDARD").status == "DELETE_FAILED"
    assert cloud.delete(stack, DeletionMode="FORCE_DELETE_STACK").status == "DELETE_COMPLETE"
    assert (cloud.find("s"), stack.resources) == (None, {})
    assert list(cloud.remote.things.values()) == [{"Value": "stuck"}]


def test_a_forced_rollback_is_not_supported(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(Value="refused")), DisableRollback=True)
    with pytest.raises(ServiceError, match="this local AWS does not support ForceRollback"):
        cloud.roll_back(stack, ForceRollback=True)


def test_removed_resource_goes_in_the_clean_up(cloud, template, resource):
    stack = cloud.create("s", template(A=resource(), B=resource(Value={"Ref": "A"})))
    cloud.remote.calls.clear()
    cloud.update("s", template(C=resource()))
    assert cloud.remote.calls == ["create C", "delete B", "delete A"]
    assert list(stack.resources) == ["C"]


def test_removed_resource_that_cannot_be_deleted_leaves_the_stack(cloud, template, resource):
    """As in AWS: the update is complete, and the resource is nobody's."""
    stack = cloud.create("s", template(A=resource(), B=resource(Value="stuck")))
    cloud.update("s", template(A=resource()))
    assert stack.status == "UPDATE_COMPLETE"
    assert "B DELETE_FAILED" in cloud.history(stack)
    assert list(stack.resources) == ["A"]


def test_failed_deletion_keeps_the_stack_and_what_the_resource_stands_on(cloud, template, resource):
    stack = cloud.create(
        "s", template(Base=resource(), Stuck=resource(DependsOn="Base", Value="stuck"), Free=resource())
    )
    cloud.delete(stack)
    assert stack.status == "DELETE_FAILED"
    assert stack.reason == "The following resource(s) failed to delete: [Stuck]. "
    assert list(stack.resources) == ["Base", "Stuck"]
    assert cloud.find("s") is stack


def test_resources_named_in_the_request_are_retained_after_a_failed_deletion(cloud, template, resource):
    stack = cloud.create("s", template(Stuck=resource(Value="stuck"), Free=resource()))
    with pytest.raises(ServiceError, match="only when the stack is in the DELETE_FAILED state"):
        cloud.delete(stack, RetainResources=["Stuck"])
    cloud.delete(stack)
    cloud.delete(stack, RetainResources=["Stuck"])
    assert stack.status == "DELETE_COMPLETE"
    assert len(cloud.remote.things) == 1


def test_deleting_a_deleted_stack_changes_nothing(cloud, template, resource):
    stack = cloud.create("s", template(A=resource()))
    cloud.delete(stack)
    events = len(stack.events)
    cloud.delete(stack)
    assert len(stack.events) == events


def test_termination_protection_refuses_deletion(cloud, template, resource):
    stack = cloud.create("s", template(A=resource()), EnableTerminationProtection=True)
    with pytest.raises(ServiceError, match=r"Stack \[s\] cannot be deleted while TerminationProtection is enabled"):
        cloud.delete(stack)
    assert cloud.remote.things


def test_stack_after_a_failed_creation_takes_no_update(cloud, template, resource):
    cloud.create("s", template(A=resource(Value="refused")))
    with pytest.raises(ServiceError, match="is in ROLLBACK_COMPLETE state and can not be updated"):
        cloud.update("s", template(A=resource()))


def test_second_stack_of_a_name_is_refused_until_the_first_is_deleted(cloud, template, resource):
    first = cloud.create("s", template(A=resource()))
    with pytest.raises(ServiceError, match=r"Stack \[s\] already exists"):
        cloud.create("s", template(A=resource()))
    cloud.delete(first)
    assert cloud.create("s", template(A=resource())).stack_id != first.stack_id


def test_stack_tags_reach_resources_and_follow_their_change(cloud, template, resource):
    """An update of tags alone updates the resources that carry them."""
    cloud.create("s", template(A=resource()), Tags=[{"Key": "team", "Value": "a"}])
    assert cloud.remote.tags["A"] == {"team": "a"}
    cloud.remote.calls.clear()
    cloud.update("s", template(A=resource()), Tags=[{"Key": "team", "Value": "b"}])
    assert cloud.remote.calls == ["update A"]
    assert cloud.remote.tags["A"]["team"] == "b"


def test_update_without_difference_is_refused(cloud, template, resource):
    cloud.create("s", template(A=resource(Value="1")))
    with pytest.raises(ServiceError, match=r"No updates are to be performed\."):
        cloud.update("s", template(A=resource(Value="1")))


def test_closing_stops_before_the_next_resource(cloud, template, resource):
    """A closed engine leaves no thread behind and starts nothing new."""
    cloud.engine.close()
    stack = cloud.create("s", template(A=resource()))
    assert cloud.remote.calls == []
    assert (stack.status, stack.reason) == ("CREATE_FAILED", "The local AWS is being closed.")


def test_rolled_back_stack_goes_on_telling_why(cloud, template, resource):
    """The CDK command prints the reason of the final status."""
    stack = cloud.create("s", template(A=resource(Value="refused")))
    assert stack.reason == "The following resource(s) failed to create: [A]. Rollback requested by user."
