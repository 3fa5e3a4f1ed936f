"""Keys keep their policy and rotation, and wait for their deletion without being of use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.engine.status_reasons import ResourceFailedError

TYPE = "AWS::KMS::Key"
POLICY: dict[str, Any] = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Sid": "fsx",
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": ["kms:Decrypt", "kms:GenerateDataKey", "kms:PutKeyPolicy"],
            "Resource": "*",
            "Condition": {"StringEquals": {"kms:ViaService": "s3.us-west-2.amazonaws.com"}},
        }
    ],
}


def test_round_trip(bench: Any, holds: Callable[[Any, Any], bool]) -> None:
    """Policy, description, rotation, state and tags, at first and after an update in place."""
    old = {
        "KeyPolicy": POLICY,
        "Description": "data",
        "EnableKeyRotation": "true",
        "RotationPeriodInDays": "180",
        "KeySpec": "SYMMETRIC_DEFAULT",
        "KeyUsage": "ENCRYPT_DECRYPT",
        "Tags": [{"Key": "a", "Value": "b"}],
    }
    new = {
        "KeyPolicy": {**POLICY, "Id": "second"},
        "Description": "",
        "EnableKeyRotation": False,
        "Enabled": False,
        "Tags": [{"Key": "c", "Value": "d"}],
    }
    key = bench.create(TYPE, old)
    assert key.attributes == {
        "Arn": f"arn:aws:kms:us-west-2:{bench.account}:key/{key.physical_id}",
        "KeyId": key.physical_id,
    }
    assert holds(bench.read(TYPE, key), old)
    bench.update(TYPE, key, old, new)
    assert holds(bench.read(TYPE, key), new)
    bench.update(TYPE, key, new, old)
    assert holds(bench.read(TYPE, key), old)


def test_deletion_is_scheduled_and_the_key_is_of_no_use(bench: Any) -> None:
    """It still exists, and neither encrypts nor takes an alias or rotation."""
    properties = {"PendingWindowInDays": "7"}
    key = bench.create(TYPE, properties)
    bench.delete(TYPE, key, properties)
    kms = bench.client("kms")
    metadata = kms.describe_key(KeyId=key.physical_id)["KeyMetadata"]
    assert metadata["KeyState"] == "PendingDeletion"
    assert (metadata["DeletionDate"] - metadata["CreationDate"]).days == 7
    with pytest.raises(ClientError, match="KMSInvalidStateException"):
        kms.encrypt(KeyId=key.physical_id, Plaintext=b"x")
    with pytest.raises(ClientError, match="KMSInvalidStateException"):
        kms.generate_data_key(KeyId=key.physical_id, KeySpec="AES_256")
    with pytest.raises(ClientError, match="KMSInvalidStateException"):
        kms.enable_key_rotation(KeyId=key.physical_id)
    with pytest.raises(ClientError, match="KMSInvalidStateException"):
        bench.create("AWS::KMS::Alias", {"AliasName": "alias/x", "TargetKeyId": key.physical_id})
    bench.delete(TYPE, key, properties)


def test_what_a_key_encrypted_waits_with_it(bench: Any) -> None:
    """Decryption needs the key too, and comes back with it."""
    key = bench.create(TYPE, {})
    kms = bench.client("kms")
    secret = kms.encrypt(KeyId=key.physical_id, Plaintext=b"x")["CiphertextBlob"]
    bench.delete(TYPE, key, {})
    with pytest.raises(ClientError, match="KMSInvalidStateException"):
        kms.decrypt(CiphertextBlob=secret)
    kms.cancel_key_deletion(KeyId=key.physical_id)
    kms.enable_key(KeyId=key.physical_id)
    assert kms.decrypt(CiphertextBlob=secret)["Plaintext"] == b"x"


@pytest.mark.parametrize("properties", [{"EnableKeyRotation": True, "RotationPeriodInDays": 10}, {"KeySpec": "AES_1"}])
def test_a_key_that_cannot_be(bench: Any, properties: dict[str, Any]) -> None:
    """A rotation below 90 days, an unknown kind."""
    with pytest.raises(ResourceFailedError, match="Properties validation failed"):
        bench.create(TYPE, properties)


@pytest.mark.parametrize(
    "changed",
    [
        {"KeySpec": "RSA_2048", "KeyUsage": "ENCRYPT_DECRYPT"},
        {"KeyUsage": "SIGN_VERIFY"},
        {"MultiRegion": True},
        {"Origin": "EXTERNAL"},
    ],
)
def test_a_key_is_never_replaced(bench: Any, changed: dict[str, Any]) -> None:
    """The rollback of such an update changes nothing."""
    key = bench.create(TYPE, {"Description": "own"})
    with pytest.raises(ResourceFailedError, match=f"You cannot change the {next(iter(changed))} of an existing key"):
        bench.update(TYPE, key, {"Description": "own"}, changed)
    bench.update(TYPE, key, changed, {"KeySpec": "SYMMETRIC_DEFAULT", "MultiRegion": "false", "Description": "own"})
    assert bench.read(TYPE, key)["Description"] == "own"


def test_a_policy_that_locks_its_owner_out_is_put_when_the_check_is_turned_off(bench: Any) -> None:
    key = bench.create(TYPE, {"KeyPolicy": POLICY})
    locked = {**POLICY, "Statement": [{**POLICY["Statement"][0], "Action": "kms:Decrypt"}]}
    with pytest.raises(ClientError, match="will not allow you to update the key policy"):
        bench.update(TYPE, key, {"KeyPolicy": POLICY}, {"KeyPolicy": locked})
    bench.update(TYPE, key, {"KeyPolicy": POLICY}, {"KeyPolicy": locked, "BypassPolicyLockoutSafetyCheck": True})
    assert bench.read(TYPE, key)["KeyPolicy"] == locked
