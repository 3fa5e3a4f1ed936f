"""The default encryption key of EBS: AWS's own, until another is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Clients = Callable[[str], Any]
Refused = Callable[..., tuple[str, str]]


def test_it_is_aws_own_until_another_is_chosen_and_again_after_a_reset(client: Clients) -> None:
    ec2, key = client("ec2"), client("kms").create_key()["KeyMetadata"]
    assert ec2.get_ebs_default_kms_key_id()["KmsKeyId"] == "alias/aws/ebs"
    assert ec2.modify_ebs_default_kms_key_id(KmsKeyId=key["KeyId"])["KmsKeyId"] == key["Arn"]
    assert ec2.get_ebs_default_kms_key_id()["KmsKeyId"] == key["Arn"]
    assert ec2.reset_ebs_default_kms_key_id()["KmsKeyId"] == "alias/aws/ebs"
    assert ec2.get_ebs_default_kms_key_id()["KmsKeyId"] == "alias/aws/ebs"


def test_a_disabled_key_is_not_chosen(client: Clients, refused: Refused) -> None:
    ec2, kms = client("ec2"), client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    kms.disable_key(KeyId=key)
    assert refused(ec2.modify_ebs_default_kms_key_id, KmsKeyId=key)[0] == "InvalidKmsKey.InvalidState"
    assert ec2.get_ebs_default_kms_key_id()["KmsKeyId"] == "alias/aws/ebs"
