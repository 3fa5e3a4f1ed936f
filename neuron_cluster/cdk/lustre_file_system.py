"""An FSx for Lustre file system for datasets and checkpoints."""

from __future__ import annotations

from typing import cast

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from constructs import Construct

from neuron_cluster.cdk.data_key import data_key
from neuron_cluster.cdk.planned_parameters import planned_parameters
from neuron_cluster.plan.storage_plan import LustrePlan
from stacks.constructs.lustre_file_system import lustre_file_system
from stacks.constructs.retained import RETAINED
from stacks.constructs.security_group_rules import NO_EGRESS, Member, allow, security_group
from stacks.constructs.security_groups import LUSTRE


class LustreFileSystem(Construct):
    """A file system in one zone, its security group, and one for its clients.

    File system, key and the group of the file system outlive the stack: its network interfaces are in that group.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc_id: str,
        subnet_id: str,
        availability_zone: str,
        capacity_gib: int,
        key: kms.IKey | None = None,
        throughput_mbps_per_tib: int | None = None,
        deployment_type: str | None = None,
        data_compression: str | None = None,
        maintenance_window: str | None = None,
        metadata: str | None = None,
    ) -> None:
        """Parameters that `storage.lustre` of an environment file has mean what they mean there."""
        super().__init__(scope, construct_id)
        section = {
            "availability_zone": availability_zone,
            "capacity_gib": capacity_gib,
            "throughput_mbps_per_tib": throughput_mbps_per_tib,
            "deployment_type": deployment_type,
            "data_compression": data_compression,
            "maintenance_window": maintenance_window,
            "metadata": metadata,
        }
        plan = self._plan(section, availability_zone)
        servers = self._group("Servers", vpc_id, "FSx for Lustre file system")
        cast("cdk.CfnResource", self.node.find_child("Servers")).apply_removal_policy(RETAINED)
        clients = self._group("Clients", vpc_id, "Machines that mount FSx for Lustre")
        for source, target in ((clients, servers), (servers, clients), (servers, servers)):
            for first, last in LUSTRE:
                allow(self, source, target, "tcp", first, last)
        self.client_security_group_id = clients.group_id
        """Id of the security group of instances that mount the file system, as a token."""
        self.key: kms.IKey = key or data_key(self, "Key", self.node.path, removal_policy=RETAINED)
        """Encrypts the files."""
        self.file_system_id, self.dns_name, self.mount_name = lustre_file_system(
            self,
            "FileSystem",
            plan,
            name=self.node.path,
            subnet_id=subnet_id,
            security_group_id=servers.group_id,
            key_arn=self.key.key_arn,
            removal_policy=RETAINED,
        )

    def _plan(self, section: dict[str, object], zone_id: str) -> LustrePlan:
        under = ("storage", "lustre")
        storage = planned_parameters(self, {"storage": {"lustre": section}}, under, [zone_id]).storage
        if storage is None or storage.lustre is None:
            raise LookupError("an environment with a file system has a plan of it")
        return storage.lustre

    def _group(self, name: str, vpc_id: str, purpose: str) -> Member:
        group_id = security_group(self, name, vpc_id=vpc_id, purpose=purpose, egress=NO_EGRESS)
        return Member(name.lower(), group_id)
