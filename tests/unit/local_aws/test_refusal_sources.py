"""Every refusal of the local AWS has a source, and an error code that AWS documents or that is said to be inferred."""

import gzip
import re
from pathlib import Path

import botocore
import msgspec
import pytest
from aws_references import documents, operation_names, page_of, references
from refusal_reach import reach
from refusal_section import refusal_section
from refusal_sources import Kind, Refusal, refusals

from neuron_cluster.catalog.resource_schema import resource_schema

ADDRESS = re.compile(r"https://(docs\.aws\.amazon\.com|kubernetes\.io|github\.com)/[\w./#-]+[\w/]")
WITHOUT_LINKS = {"resource-groups", "pcs"}
"""Services whose texts in botocore link to no page of the reference."""


def is_documented(refusal: Refusal) -> bool:
    """Whether the code is documented for one of the operations at least."""
    operations = [name for name in refusal.answers if "::" not in name]
    return not refusal.code or not operations or any(documents(name, refusal.code) for name in operations)


def test_every_refusal_has_a_source() -> None:
    assert refusals()
    assert [each.site.name for each in refusals() if each.kind is Kind.NONE] == []


def test_every_refusal_answers_something() -> None:
    assert [each.site.name for each in refusals() if not each.answers] == []


def test_every_code_is_documented_or_said_to_be_inferred() -> None:
    silent = [each for each in refusals() if each.kind in {Kind.REFERENCE, Kind.NAMED}]
    assert [(each.site.name, each.code) for each in silent if not is_documented(each)] == []


@pytest.mark.parametrize(
    ("code", "answers", "source", "kind"),
    [
        ("InvalidParameterException", ("eks:CreateAddon",), "", Kind.REFERENCE),
        ("InvalidVolume.ZoneMismatch", ("ec2:AttachVolume",), "", Kind.REFERENCE),
        ("KMSInvalidStateException", ("eks:CreateCluster",), "", Kind.NONE),
        ("InvalidParameterException", ("eks:CreateAddon", "eks:TagResource"), "", Kind.NONE),
        ("InvalidParameterException", (), "", Kind.NONE),
        ("Made.Up", ("ec2:AttachVolume",), "", Kind.NONE),
        ("Made.Up", ("ec2:AttachVolume",), "inferred: the code", Kind.INFERRED),
        ("", ("AWS::SSM::Parameter",), "", Kind.REFERENCE),
    ],
)
def test_a_page_is_a_source_when_it_has_the_code(code: str, answers: tuple[str, ...], source: str, kind: Kind) -> None:
    refusal = msgspec.structs.replace(refusals()[0], code=code, answers=answers, source=source)
    assert refusal.kind is kind


def test_what_answers_is_read_from_the_source() -> None:
    """By registration, by a guard, by a method of moto, through functions of other modules, through a class."""
    package = "local_aws"
    find_subnet = (f"{package}.services.fsx.network", "find_subnet")
    assert reach()[find_subnet] == {"fsx:CreateFileSystem"}
    assert reach()[f"{package}.services.ec2.volumes", "require_same_zone"] == {"ec2:AttachVolume"}
    assert reach()[f"{package}.services.ec2.elastic_ips", "release_address"] == {"ec2:ReleaseAddress"}
    assert reach()[f"{package}.engine.change_sets", "ChangeSets.take"] == {"cloudformation:ExecuteChangeSet"}
    assert reach()[f"{package}.handlers.kms_key", "Key.apply"] >= {"AWS::KMS::Key"}
    assert "AWS::SSM::Parameter" not in reach()[f"{package}.handlers.kms_key", "Key.apply"]


def test_operations_and_types_that_are_linked_are_there() -> None:
    """A page is named after what botocore's model and CloudFormation's schemas have."""
    named = {name for each in refusals() for name in each.answers}
    operations = {name for name in named if "::" not in name}
    assert {
        name for name in operations if name.partition(":")[2] not in operation_names(name.partition(":")[0])
    } == set()
    assert {name for name in named - operations if resource_schema(name) is None} == set()
    assert page_of("eks:CreateAddon") == "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html"
    assert page_of("AWS::EKS::Addon").endswith("/aws-resource-eks-addon.html")


def test_every_address_is_whole_and_names_an_operation_or_a_structure_that_there_is() -> None:
    from moto.core.utils import get_service_model

    found = set(re.findall(r"https://[^\s)\]>\"]+", "\n".join(refusal_section())))
    assert [address for address in found if not ADDRESS.fullmatch(address)] == []
    for service, row in references().items():
        model = get_service_model(service)
        names = {address.removeprefix(row.reference) for address in found if address.startswith(row.reference)}
        known = {f"{name}.html" for name in (*model.operation_names, *model.shape_names)}
        assert names - known == set(), service


def test_the_addresses_of_references_are_those_that_the_models_link_to() -> None:
    data = Path(botocore.__file__).parent / "data"
    for service in references().keys() - WITHOUT_LINKS:
        newest = max((data / service).glob("*/service-2.json.gz"))
        assert references()[service].reference.encode() in gzip.decompress(newest.read_bytes()), service
