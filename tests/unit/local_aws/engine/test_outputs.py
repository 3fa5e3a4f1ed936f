"""Outputs, and what stacks export to each other."""

from __future__ import annotations

import pytest

from local_aws.cloudformation.errors import TemplateError


@pytest.fixture
def exporter(template, resource):
    """A template that exports ``net:id`` with the value of a property."""

    def make(value="1", name="net:id"):
        outputs = {"Id": {"Value": {"Fn::GetAtt": "A.Echo"}, "Export": {"Name": name}}} if name else None
        return template(outputs, A=resource(Value=value))

    return make


@pytest.fixture
def importer(template, resource):
    return template(B=resource(Value={"Fn::ImportValue": "net:id"}))


def test_import_gives_the_exported_value(cloud, exporter, importer):
    cloud.create("net", exporter("10.0.0.0/16"))
    stack = cloud.create("app", importer)
    assert stack.resources["B"].properties == {"Value": "10.0.0.0/16"}
    assert cloud.engine.table.importers(cloud.find("net"), "net:id") == ["app"]


def test_exports_belong_to_one_account_and_region(cloud, exporter):
    cloud.create("net", exporter())
    assert set(cloud.engine.table.exports("111122223333", "eu-west-1")) == {"net:id"}
    assert cloud.engine.table.exports("111122223333", "us-west-2") == {}
    assert cloud.engine.table.exports("444455556666", "eu-west-1") == {}


def test_export_name_is_taken_once(cloud, exporter):
    cloud.create("net", exporter())
    stack = cloud.create("other", exporter())
    assert stack.status == "ROLLBACK_COMPLETE"
    reasons = " ".join(event.reason or "" for event in stack.events)
    assert "Export with name net:id is already exported by stack net." in reasons


@pytest.mark.parametrize(
    ("edit", "word"), [(("2", "net:id"), "updated"), (("1", None), "deleted"), (("1", "net:other"), "deleted")]
)
def test_export_in_use_keeps_its_name_and_value(cloud, exporter, importer, edit, word):
    """The update is rolled back, and the export is what it was."""
    cloud.create("net", exporter("1"))
    cloud.create("app", importer)
    stack = cloud.update("net", exporter(*edit))
    assert stack.status == "UPDATE_ROLLBACK_COMPLETE"
    rollback = next(event for event in stack.events if event.status == "UPDATE_ROLLBACK_IN_PROGRESS")
    assert rollback.reason == f"Export net:id cannot be {word} as it is in use by app"
    assert cloud.engine.table.exports("111122223333", "eu-west-1")["net:id"][1].value == "1"


def test_export_that_nobody_imports_may_change_and_go(cloud, exporter, importer):
    cloud.create("net", exporter("1"))
    app = cloud.create("app", importer)
    cloud.delete(app)
    assert cloud.update("net", exporter("2")).status == "UPDATE_COMPLETE"
    assert cloud.update("net", exporter("2", None)).status == "UPDATE_COMPLETE"
    assert cloud.engine.table.exports("111122223333", "eu-west-1") == {}


def test_stack_whose_export_is_in_use_is_not_deleted(cloud, exporter, importer):
    """As AWS does: the request is taken, the status stays, and its reason says why."""
    net = cloud.create("net", exporter())
    cloud.create("app", importer)
    cloud.create("zoo", importer)
    cloud.delete(net)
    assert net.status == "CREATE_COMPLETE"
    assert net.reason == "Delete canceled. Cannot delete export net:id as it is in use by app and zoo."
    assert cloud.remote.things


def test_conditional_output_is_absent(cloud, resource):
    stack = cloud.create(
        "s",
        {
            "Conditions": {"No": {"Fn::Equals": ["a", "b"]}},
            "Resources": {"A": resource()},
            "Outputs": {"Never": {"Condition": "No", "Value": "x"}, "Always": {"Value": True, "Description": "d"}},
        },
    )
    assert [(output.key, output.value, output.description) for output in stack.outputs] == [("Always", "true", "d")]


def test_output_that_is_no_string_is_refused(cloud, template, resource):
    with pytest.raises(TemplateError, match=r"must evaluate to a String\. \(List\)"):
        cloud.create("s", template({"List": {"Value": ["a"]}}, A=resource()))
    assert cloud.find("s") is None


def test_output_of_an_unknown_name_is_refused_before_anything_is_made(cloud, template, resource):
    with pytest.raises(TemplateError, match=r"Unresolved resource dependencies \[B\] in the Outputs block"):
        cloud.create("s", template({"Id": {"Value": {"Ref": "B"}}}, A=resource()))
    assert cloud.find("s") is None
