"""Names of resources for people: words of the service and of the environment file, not a template's logical id."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address, Reference
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.plan.workstation_plan import WORKSTATION_TAG

NODE_GROUP_TAG = "neuron-cluster:node-group"

Properties = Mapping[str, Any]


def resource_name(stacks: StackSet, address: Address) -> str:
    """``the Lustre file system``, ``the private subnet of usw2-az4``, ``the node group trn1``.

    A resource without these in the templates is named by its type and its construct.
    """
    try:
        kind = str(stacks.resource(address)["Type"])
    except KeyError:  # an export that is about no resource
        return address.logical_id
    known = registered_resource_kinds().get(kind)
    if known is not None:
        name = known.display_name(stacks.properties(address), address.logical_id)
    else:
        name = NAMES[kind](stacks.properties(address)) if kind in NAMES else ""
    return name or f"{kind} {HASH.sub('', address.logical_id)}"


def name_in(comparison: Comparison, address: Address) -> str:
    """The name as it is deployed; of what is new, as the file has it."""
    is_deployed = address in comparison.before.addresses()
    return resource_name(comparison.before if is_deployed else comparison.after, address)


def describe(stacks: StackSet, value: Any) -> Any:
    """A value in the normal form with the names of resources in the place of references to them."""
    match value:
        case Reference() | [Reference()]:
            reference = value if isinstance(value, Reference) else value[0]
            name = resource_name(stacks, reference.target)
            return f"{reference.attribute} of {name}" if reference.attribute in TELLING else name
        case {"Fn::Join": [*parts]} if all(isinstance(part, str | Reference) for part in parts):
            return "".join(part if isinstance(part, str) else f"({describe(stacks, part)})" for part in parts)
        case dict():
            return {key: describe(stacks, item) for key, item in value.items()}
        case list():
            return [describe(stacks, item) for item in value]
        case _:
            return value


def workstation_name(properties: Properties) -> str:
    """The user's name of a workstation; empty where the template has none."""
    return _tags(properties.get("Tags")).get(WORKSTATION_TAG, "")


TELLING = ("LatestVersionNumber", "DefaultVersionNumber")
"""Attributes that are not just another name of the resource."""
HASH = re.compile(r"(?<=.)[0-9A-F]{8}$")
"""The hash that CDK puts at the end of a logical id."""


def home_name(properties: Properties) -> str:
    """The user's name of a home; empty for any other volume."""
    return _tags(properties.get("Tags")).get("Name", "").partition(" home ")[2]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _tags(tags: Any) -> dict[str, str]:
    found = tags if isinstance(tags, list) else ()
    return {tag["Key"]: _text(tag.get("Value")) for tag in found if isinstance(tag, dict) and "Key" in tag}


def _by(noun: str, key: str) -> Callable[[Properties], str]:
    """The noun and the value of a property; empty where the template does not have it."""
    return lambda properties: f"{noun} {_text(properties[key])}" if _text(properties.get(key)) else ""


def _quoted(noun: str, key: str) -> Callable[[Properties], str]:
    """The noun and a description; what follows a comma or colon in it explains."""

    def name(properties: Properties) -> str:
        description = re.split(r"[:,]", _text(properties.get(key)))[0]
        return f'{noun} "{description}"' if description else ""

    return name


def _always(name: str) -> Callable[[Properties], str]:
    return lambda _: name


def _subnet(properties: Properties) -> str:
    zone = _text(properties.get("AvailabilityZoneId"))
    kind = _tags(properties.get("Tags")).get("Name", "").removesuffix(zone).strip()
    subnet = f"the {kind} subnet" if kind else "the subnet"
    return f"{subnet} of {zone}" if zone else ""


def _file_system(properties: Properties) -> str:
    return "the Lustre file system" if properties.get("FileSystemType") == "LUSTRE" else ""


def _access_point(properties: Properties) -> str:
    folder = _text(value_at(properties, ("RootDirectory", "Path")))
    return f"the EFS access point of {folder}" if folder else ""


def _volume(properties: Properties) -> str:
    name = home_name(properties)
    return f"the home {name}" if name else ""


def _launch_template(properties: Properties) -> str:
    specifications = value_at(properties, ("LaunchTemplateData", "TagSpecifications", "*", "Tags")) or [None]
    tags = _tags(specifications[0])
    if WORKSTATION_TAG in tags:
        return f"the launch template of the workstation {tags[WORKSTATION_TAG]}"
    return f"the launch template of the node group {tags[NODE_GROUP_TAG]}" if NODE_GROUP_TAG in tags else ""


def _workstation(properties: Properties) -> str:
    name = workstation_name(properties)
    return f"the workstation {name}" if name else ""


def _bucket(properties: Properties) -> str:
    """Only the bucket of life cycle scripts has a name in the template."""
    return "the bucket of life cycle scripts" if "BucketName" in properties else "the checkpoint bucket"


NAMES: Mapping[str, Callable[[Properties], str]] = {
    "AWS::EC2::VPC": _always("the VPC"),
    "AWS::EC2::InternetGateway": _always("the internet gateway"),
    "AWS::EC2::VPCGatewayAttachment": _always("the attachment of the internet gateway"),
    "AWS::EC2::VPCCidrBlock": _by("the secondary range", "CidrBlock"),
    "AWS::EC2::Subnet": _subnet,
    "AWS::EC2::SecurityGroup": _quoted("the security group", "GroupDescription"),
    "AWS::EC2::VPCEndpoint": _by("the VPC endpoint", "ServiceName"),
    "AWS::EC2::Volume": _volume,
    "AWS::EC2::LaunchTemplate": _launch_template,
    "AWS::EC2::Instance": _workstation,
    "AWS::FSx::FileSystem": _file_system,
    "AWS::FSx::DataRepositoryAssociation": _by("the data repository association of", "FileSystemPath"),
    "AWS::SSM::Association": _by("the State Manager association", "AssociationName"),
    "AWS::S3::Bucket": _bucket,
    "AWS::S3Files::FileSystem": _by("the S3 Files file system of", "Prefix"),
    "AWS::EFS::FileSystem": _always("the EFS file system"),
    "AWS::EFS::AccessPoint": _access_point,
    "AWS::S3Express::DirectoryBucket": _by("the S3 Express bucket in", "LocationName"),
    "AWS::Backup::BackupVault": _always("the backup vault"),
    "AWS::Backup::BackupPlan": _always("the backup plan"),
    "AWS::KMS::Key": _quoted("the KMS key", "Description"),
    "AWS::KMS::Alias": _by("the KMS alias", "AliasName"),
    "AWS::Logs::LogGroup": _by("the log group", "LogGroupName"),
}
"""Names by resource type; a provider adds its own."""
