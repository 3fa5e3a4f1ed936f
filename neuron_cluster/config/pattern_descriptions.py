"""Descriptions of the regular expressions of the model: messages and documentation show no pattern."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping

from neuron_cluster.config import (
    allowed_image,
    backup,
    bucket_replication,
    budget,
    capacity,
    checkpoints,
    efs,
    environment_config,
    existing_network,
    existing_storage,
    lustre,
    machine,
    namespace,
    network,
    observability,
    permission_set,
    scalars,
    team,
    workstation,
)
from neuron_cluster.config.sections import sections
from neuron_cluster.config.zone_examples import ZoneExamples

COMMON = {
    scalars.ACCOUNT_PATTERN: "exactly twelve digits",
    scalars.GROUP_NAME_PATTERN: "1 to 63 lower case letters, digits and hyphens, from a letter to a letter or digit",
    scalars.ZONE_ID_PATTERN: ZoneExamples().text,
    scalars.CIDR_PATTERN: "an IPv4 address range such as 10.20.0.0/16, or 203.0.113.7/32 for a single address",
    environment_config.EXTENDS_PATTERN: "a relative path of a .yaml file such as bases/train.yaml",
    environment_config.NAME_PATTERN: "lower case letters, digits and hyphens, from a letter to a letter or digit",
    scalars.REGION_PATTERN: "a Region's name such as us-west-2",
    environment_config.SDK_PATTERN: "a release in three numbers such as 2.32.0",
    environment_config.FRAMEWORK_PATTERN: "a framework's name such as jax "
    "(`neuron-cluster catalog frameworks` lists them)",
    environment_config.CONTAINER_PATTERN: "an image with its tag such as "
    "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
    environment_config.TAG_KEY_PATTERN: "the key of a tag, 1 to 128 printable characters such as cost-center",
    existing_network.VPC_PATTERN: "the id of a VPC such as vpc-0123456789abcdef0",
    existing_network.SUBNET_PATTERN: "the id of a subnet such as subnet-0123456789abcdef0",
    existing_storage.BUCKET_PATTERN: "the name of a bucket such as team-checkpoints",
    existing_storage.KEY_PATTERN: "the ARN of a KMS key such as "
    "arn:aws:kms:us-west-2:111122223333:key/12345678-90ab-cdef-1234-567890abcdef",
    existing_storage.FILE_SYSTEM_PATTERN: "the id of a file system such as fs-0123456789abcdef0",
    existing_storage.DNS_NAME_PATTERN: "a DNS name such as fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    existing_storage.MOUNT_NAME_PATTERN: "a Lustre mount name, 1 to 8 lower case letters, digits and underscores",
    existing_storage.GROUP_PATTERN: "the id of a security group such as sg-0123456789abcdef0",
    network.SERVICE_PATTERN: "a service name in lower case such as ecr.api",
    machine.INSTANCE_TYPE_PATTERN: "an instance type such as trn1.32xlarge",
    capacity.RESERVATION_ID_PATTERN: "a reservation id such as cr-0123456789abcdef0",
    capacity.RESOURCE_GROUP_PATTERN: "the ARN of a resource group such as "
    "arn:aws:resource-groups:us-west-2:111122223333:group/trn1-reservations",
    capacity.ULTRASERVER_PATTERN: "an UltraServer type such as u-trn2x64",
    capacity.TIME_PATTERN: "a time in UTC such as 2026-12-01T11:30:00Z",
    namespace.CLAIM_PATTERN: "lustre, datasets, s3-files, or efs- with the name of an access point such as efs-home",
    team.TEAM_NAME_PATTERN: "1 to 40 lower case letters, digits and hyphens, from a letter to a letter or digit",
    permission_set.PERMISSION_SET_PATTERN: "the name of a permission set, 1 to 32 letters, digits and _ + = , . @ - "
    "such as Research",
    team.ROLE_PATTERN: "the ARN of an IAM role such as arn:aws:iam::111122223333:role/research, not of a session "
    "(assumed-role), user or account",
    allowed_image.ALLOWED_IMAGE_PATTERN: "an image with its registry: a repository such as "
    "public.ecr.aws/neuron/trainer, a folder with / at its end such as public.ecr.aws/neuron/, or a reference with a "
    "tag or digest",
    team.LINE_PATTERN: "one line of 1 to 200 characters such as ml-research@example.com",
    budget.EMAIL_PATTERN: "an e-mail address such as research-leads@example.com",
    lustre.FOLDER_PATTERN: "an absolute folder such as /checkpoints",
    efs.EFS_FOLDER_PATTERN: "an absolute folder of at most four names such as /home/research",
    efs.MODE_PATTERN: "permissions in three or four octal digits such as 0750",
    backup.BACKUP_SCHEDULE_PATTERN: "a schedule of AWS Backup with six fields, one of the days ?, such as "
    "cron(0 5 ? * * *)",
    bucket_replication.BUCKET_PATTERN: "the name of a bucket, 3 to 63 lower case letters, digits, hyphens and dots",
    bucket_replication.KEY_ARN_PATTERN: "the ARN of a KMS key such as "
    "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
    checkpoints.SCHEDULE_PATTERN: "a schedule of cron such as 0 6 * * 1, or @hourly, @daily, @weekly or @monthly",
    lustre.MAINTENANCE_PATTERN: "a day and time d:HH:MM in UTC such as 7:03:30, from 1 for Monday to 7 for Sunday",
    lustre.PREFIX_PATTERN: "a prefix such as checkpoints/run-1, without slashes at the ends",
    checkpoints.PARAMETERS_PATTERN: "a number above 0 with M, B or T such as 70.6B",
    observability.TOPIC_PATTERN: "the ARN of an SNS topic such as arn:aws:sns:us-west-2:111122223333:on-call",
    workstation.DLAMI_PATTERN: "a kind of image such as multi_framework_ubuntu_24_04",
    workstation.VIRTUAL_ENVIRONMENT_PATTERN: "a virtual environment's short name such as jax_0_10",
    workstation.AMI_ID_PATTERN: "an AMI id such as ami-0123456789abcdef0",
}


def pattern_descriptions() -> Mapping[str, str]:
    """Returns descriptions by regular expression: those of all environments, and those of sections of providers."""
    return ChainMap(COMMON, *(dict(spec.pattern_descriptions) for spec in sections()))
