"""Data repository associations."""

from __future__ import annotations

import re

import pytest

BUCKET = "checkpoints-of-300000000000"


@pytest.fixture
def bucket(client):
    s3 = client("s3")
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    yield BUCKET
    s3.delete_bucket(Bucket=BUCKET)


@pytest.fixture
def file_system_id(fsx, ground):
    answer = fsx.create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=ground.subnets[:1],
        FileSystemTypeVersion="2.15",
        LustreConfiguration={"DeploymentType": "SCRATCH_2"},
    )
    return answer["FileSystem"]["FileSystemId"]


@pytest.fixture
def wish(file_system_id, bucket):
    return {
        "FileSystemId": file_system_id,
        "FileSystemPath": "/checkpoints",
        "DataRepositoryPath": f"s3://{bucket}/runs/",
        "S3": {"AutoImportPolicy": {"Events": ["NEW"]}, "AutoExportPolicy": {"Events": ["NEW", "CHANGED"]}},
    }


def test_an_association_is_available_at_once(fsx, wish, account):
    row = fsx.create_data_repository_association(**wish)["Association"]
    (reported,) = fsx.describe_data_repository_associations(
        Filters=[{"Name": "file-system-id", "Values": [wish["FileSystemId"]]}]
    )["Associations"]
    assert re.fullmatch(r"dra-[0-9a-f]{17}", reported["AssociationId"])
    assert reported["ResourceARN"].startswith(f"arn:aws:fsx:us-west-2:{account}:association/")
    assert reported["Lifecycle"] == "AVAILABLE"
    assert reported["S3"] == wish["S3"]
    assert reported["ImportedFileChunkSize"] == 1024
    assert reported == row


@pytest.mark.parametrize(
    ("members", "code", "text"),
    [
        ({"FileSystemPath": "/checkpoints/deep"}, "BadRequest", "FileSystemPath /checkpoints/deep overlaps"),
        ({"FileSystemPath": "/"}, "BadRequest", "FileSystemPath / overlaps"),
        ({"FileSystemPath": "/other"}, "BadRequest", "DataRepositoryPath"),
        ({"FileSystemPath": "relative"}, "BadRequest", "start with a forward slash"),
        (
            {"FileSystemPath": "/other", "DataRepositoryPath": "s3://no-such-bucket-anywhere"},
            "BadRequest",
            "unable to validate access to the S3 bucket",
        ),
        ({"FileSystemId": "fs-00000000000000000"}, "FileSystemNotFound", "does not exist"),
    ],
)
def test_what_a_second_association_may_not_ask(*, fsx, wish, refused, members, code, text):
    fsx.create_data_repository_association(**wish)
    answered = refused(fsx.create_data_repository_association, **{**wish, **members})
    assert answered[0] == code
    assert text in answered[1]


def test_neighbouring_paths_do_not_overlap(fsx, wish, bucket):
    fsx.create_data_repository_association(**wish)
    other = {**wish, "FileSystemPath": "/checkpoints2", "DataRepositoryPath": f"s3://{bucket}/runs2"}
    fsx.create_data_repository_association(**other)
    both = fsx.describe_data_repository_associations()["Associations"]
    assert len(both) == 2
    first = fsx.describe_data_repository_associations(MaxResults=1)
    second = fsx.describe_data_repository_associations(MaxResults=1, NextToken=first["NextToken"])
    assert first["Associations"] + second["Associations"] == both


def test_an_old_lustre_takes_none(fsx, wish, ground, refused):
    older = fsx.create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=ground.subnets[:1],
        LustreConfiguration={"DeploymentType": "SCRATCH_2"},
    )["FileSystem"]["FileSystemId"]
    message = refused(fsx.create_data_repository_association, **{**wish, "FileSystemId": older})[1]
    assert "not supported on SCRATCH_2 file systems of Lustre version 2.10" in message


def test_a_policy_that_is_not_named_stays(fsx, wish):
    association_id = fsx.create_data_repository_association(**wish)["Association"]["AssociationId"]
    fsx.update_data_repository_association(AssociationId=association_id, S3={"AutoImportPolicy": {"Events": []}})
    (reported,) = fsx.describe_data_repository_associations(AssociationIds=[association_id])["Associations"]
    assert reported["S3"] == {"AutoImportPolicy": {"Events": []}, "AutoExportPolicy": wish["S3"]["AutoExportPolicy"]}


def test_an_association_is_created_changed_tagged_and_deleted(fsx, wish, refused, bucket):
    tags = [{"Key": "team", "Value": "research"}]
    first = fsx.create_data_repository_association(**wish, Tags=tags, ClientRequestToken="once")["Association"]
    assert fsx.create_data_repository_association(**wish, Tags=tags, ClientRequestToken="once")["Association"] == first
    code, _ = refused(fsx.create_data_repository_association, **wish, ClientRequestToken="once")
    assert code == "IncompatibleParameterError"
    assert (first["Tags"], first["BatchImportMetaDataOnCreate"]) == (tags, False)
    other = {**wish, "FileSystemPath": "/b", "DataRepositoryPath": f"s3://{bucket}/b", "ImportedFileChunkSize": 2048}
    second = fsx.create_data_repository_association(**{n: v for n, v in other.items() if n != "S3"})["Association"]
    assert (second["ImportedFileChunkSize"], second["Tags"], second.get("S3")) == (2048, [], {})
    describe, named = fsx.describe_data_repository_associations, {"AssociationId": second["AssociationId"]}
    assert describe(Filters=[{"Name": "data-repository-type", "Values": ["NFS"]}])["Associations"] == []
    assert describe(Filters=[{"Name": "data-repository-type", "Values": ["S3"]}])["Associations"] == [first, second]
    page = describe(MaxResults=1)
    assert page["Associations"] + describe(NextToken=page["NextToken"])["Associations"] == [first, second]
    assert refused(describe, NextToken="none") == ("BadRequest", "Invalid NextToken")
    assert refused(describe, AssociationIds=["dra-00000000000000000"])[0] == "DataRepositoryAssociationNotFound"
    fsx.update_data_repository_association(**named, ImportedFileChunkSize=512)
    fsx.tag_resource(ResourceARN=second["ResourceARN"], Tags=tags)
    (found,) = describe(AssociationIds=[second["AssociationId"]])["Associations"]
    assert (found["ImportedFileChunkSize"], found["Tags"]) == (512, tags)
    fsx.untag_resource(ResourceARN=second["ResourceARN"], TagKeys=["team"])
    assert fsx.list_tags_for_resource(ResourceARN=second["ResourceARN"])["Tags"] == []
    gone = fsx.delete_data_repository_association(**named, DeleteDataInFileSystem=True)
    assert (gone["Lifecycle"], gone["DeleteDataInFileSystem"]) == ("DELETING", True)
    assert describe()["Associations"] == [first]


def test_associations_go_with_their_file_system(fsx, wish, refused):
    association_id = fsx.create_data_repository_association(**wish)["Association"]["AssociationId"]
    fsx.delete_file_system(FileSystemId=wish["FileSystemId"])
    code, _ = refused(fsx.delete_data_repository_association, AssociationId=association_id)
    assert code == "DataRepositoryAssociationNotFound"
