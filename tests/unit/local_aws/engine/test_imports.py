"""Change sets that take existing resources into a stack."""

from __future__ import annotations

import pytest

from local_aws.contract import ServiceError

PARAMETER = "AWS::SSM::Parameter"


@pytest.fixture
def remote(remote):
    """Two subnets and a parameter that are in no stack."""
    remote.things.update({"subnet-1": {"Value": "1"}, "subnet-2": {}, "named": {"Name": "named"}})
    return remote


@pytest.fixture
def imports(cloud, template, resource):
    """A change set that imports A, ``subnet-1``, next to other resources."""

    def plan(outputs=None, /, physical_id="subnet-1", policy="Delete", **others):
        asked = [
            {
                "ResourceType": "AWS::EC2::Subnet",
                "LogicalResourceId": "A",
                "ResourceIdentifier": {"SubnetId": physical_id},
            }
        ]
        parts = template(outputs, **others, A=resource(Value="1", DeletionPolicy=policy))
        return cloud.change_set("s", parts, ChangeSetType="IMPORT", ResourcesToImport=asked)

    return plan


def test_a_new_stack_of_an_existing_resource(cloud, remote, imports, template, resource):
    change_set = imports()
    assert [(each.action, each.physical_id) for each in change_set.changes] == [("Import", "subnet-1")]
    stack = cloud.execute(change_set)
    assert stack.status == "IMPORT_COMPLETE"
    assert remote.calls == ["read A"]
    assert cloud.history(stack)[1:] == ["s IMPORT_IN_PROGRESS", "A IMPORT_IN_PROGRESS", "A IMPORT_COMPLETE",
                                        "s IMPORT_COMPLETE"]  # fmt: skip
    changed = template(A=resource(Value="2"), B=resource(Value={"Fn::GetAtt": ["A", "Version"]}))
    assert cloud.update("s", changed).status == "UPDATE_COMPLETE"
    assert remote.things["subnet-1"] == {"Value": "2"}
    cloud.delete(stack)
    assert set(remote.things) == {"subnet-2", "named"}


def test_a_resource_for_an_existing_stack(cloud, imports, resource, template):
    stack = cloud.create("s", template(B=resource()))
    assert cloud.execute(imports(B=resource())).status == "IMPORT_COMPLETE"
    assert stack.resources["A"].physical_id == "subnet-1"
    assert cloud.update("s", template(B=resource())).status == "UPDATE_COMPLETE"


@pytest.mark.parametrize("is_new", [True, False])
def test_what_is_not_there_fails_the_import(cloud, remote, imports, template, resource, is_new):
    others = {} if is_new else {"B": resource()}
    if others:
        cloud.create("s", template(**others))
    stack = cloud.execute(imports(physical_id="subnet-9", **others))
    assert stack.status == ("REVIEW_IN_PROGRESS" if is_new else "IMPORT_ROLLBACK_COMPLETE")
    assert list(stack.resources) == list(others)
    failed = next(event for event in stack.events if event.status == "IMPORT_FAILED")
    assert "subnet-9 does not exist" in failed.reason
    rolled_back = next(event for event in stack.events if event.status == "IMPORT_ROLLBACK_IN_PROGRESS")
    assert rolled_back.reason == "The following resource(s) failed to import: [A]."
    assert cloud.execute(imports(**others)).status == "IMPORT_COMPLETE"
    assert set(remote.things) >= {"subnet-1", "subnet-2"}


def test_a_rollback_of_an_import_removes_nothing(cloud, remote, template, resource):
    asked = [
        {"ResourceType": "AWS::EC2::Subnet", "LogicalResourceId": name, "ResourceIdentifier": {"SubnetId": physical_id}}
        for name, physical_id in (("A", "subnet-1"), ("B", "subnet-9"))
    ]
    parts = template(A=resource(DeletionPolicy="Delete"), B=resource(DeletionPolicy="Delete", DependsOn="A"))
    stack = cloud.execute(cloud.change_set("s", parts, ChangeSetType="IMPORT", ResourcesToImport=asked))
    assert (stack.status, stack.resources) == ("REVIEW_IN_PROGRESS", {})
    assert "subnet-1" in remote.things
    assert "delete A" not in remote.calls


def test_a_resource_of_another_stack(cloud, imports):
    first = cloud.execute(imports())
    asked = [
        {"ResourceType": "AWS::EC2::Subnet", "LogicalResourceId": "A", "ResourceIdentifier": {"SubnetId": "subnet-1"}}
    ]
    parts = {"Resources": {"A": {"Type": "AWS::EC2::Subnet", "DeletionPolicy": "Retain"}}}
    second = cloud.execute(cloud.change_set("t", parts, ChangeSetType="IMPORT", ResourcesToImport=asked))
    assert f"subnet-1 already exists in stack {first.stack_id}" in [event.reason for event in second.events]
    assert second.resources == {}


def test_what_an_import_may_not_do(cloud, imports, template, resource):
    with pytest.raises(ServiceError, match=r"cannot modify or add \[Outputs\]"):
        imports({"O": {"Value": "1"}})
    with pytest.raises(ServiceError, match=r"You have modified resources \[B\] in your template"):
        imports(B=resource())
    assert cloud.find("s") is None
    cloud.create("s", template(A=resource()))
    with pytest.raises(ServiceError, match=r"Resources \[A\] passed in ResourceToImport are already in a stack"):
        imports()


def test_a_stack_that_has_failed_or_changed(cloud, imports, template, resource):
    cloud.create("s", template(B=resource()))
    change_set = imports(B=resource())
    stack = cloud.update("s", template(B=resource(Value="refused")), DisableRollback=True)
    with pytest.raises(ServiceError, match="is in UPDATE_FAILED state and can not be updated"):
        imports(B=resource(Value="refused"))
    assert cloud.update("s", template(C=resource())).status == "UPDATE_COMPLETE"
    with pytest.raises(ServiceError, match=r"You have modified resources \[B, C\] in your template"):
        cloud.execute(change_set)
    assert (stack.status, list(stack.resources)) == ("UPDATE_COMPLETE", ["C"])


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (("AWS::EC2::Subnet", "A", "SubnetId"), r"resources to import \[A\] must have DeletionPolicy attribute"),
        (("AWS::EC2::Subnet", "A", "Arn"), "Resource A passed in ResourcesToImport has to be identified by SubnetId"),
        (("AWS::EC2::Subnet", "B", "SubnetId"), "Resource B of type AWS::EC2::Subnet passed in .* is not in the templ"),
        ((PARAMETER, "A", "Name"), "Resource A of type AWS::SSM::Parameter passed in ResourcesToImport is not in"),
    ],
)
def test_resources_that_cannot_be_imported(cloud, template, resource, asked, text):
    kind, name, identifier = asked
    given = [{"ResourceType": kind, "LogicalResourceId": name, "ResourceIdentifier": {identifier: "subnet-1"}}]
    with pytest.raises(ServiceError, match=text):
        cloud.change_set("s", template(A=resource()), ChangeSetType="IMPORT", ResourcesToImport=given)


def test_types_that_cannot_be_imported(cloud, imports):
    cloud.engine.engine_context.providers["AWS::EC2::Subnet"].is_importable = False
    text = "The following resource types are not supported for resource import: AWS::EC2::Subnet"
    with pytest.raises(ServiceError, match=text):
        imports()


class TestExisting:
    """``ImportExistingResources`` imports what has a name in the template and is there."""

    @pytest.fixture
    def plan(self, cloud, template, resource):
        def plan(policy, name="named", **others):
            parts = template(P=resource(PARAMETER, Name=name, Value="2", DeletionPolicy=policy), **others)
            return cloud.change_set("s", parts, ChangeSetType="CREATE", ImportExistingResources=True)

        return plan

    def test_a_resource_that_is_there(self, cloud, remote, plan, resource):
        change_set = plan("RetainExceptOnCreate", A=resource())
        assert [(each.action, each.physical_id) for each in change_set.changes] == [("Import", "named"), ("Add", None)]
        stack = cloud.execute(change_set)
        assert (stack.status, stack.resources["P"].physical_id) == ("CREATE_COMPLETE", "named")
        assert "create P" not in remote.calls

    def test_a_resource_that_is_not_there(self, cloud, plan):
        change_set = plan("Delete", name="other")
        assert [each.action for each in change_set.changes] == ["Add"]
        assert cloud.execute(change_set).resources["P"].physical_id == "other"

    def test_a_resource_of_another_stack(self, cloud, plan, template, resource):
        cloud.create("t", template(P=resource(PARAMETER, Name="taken")))
        assert [each.action for each in plan("Retain", name="taken").changes] == ["Add"]

    def test_a_resource_that_would_be_deleted(self, plan):
        change_set = plan("Delete")
        assert change_set.status == "FAILED"
        assert change_set.reason.endswith("The affected resources are P ({Name=named})")

    @pytest.mark.parametrize("on_failure", ["ROLLBACK", "DELETE"])
    def test_a_rollback_lets_it_be(self, cloud, remote, template, resource, on_failure):
        policy = {"DeletionPolicy": "RetainExceptOnCreate"}
        parts = template(P=resource(PARAMETER, Name="named", **policy), A=resource(Value="refused", DependsOn="P"))
        given = {"ChangeSetType": "CREATE", "ImportExistingResources": True, "OnStackFailure": on_failure}
        stack = cloud.execute(cloud.change_set("s", parts, **given))
        assert stack.status == ("ROLLBACK_COMPLETE" if on_failure == "ROLLBACK" else "DELETE_COMPLETE")
        assert "named" in remote.things
