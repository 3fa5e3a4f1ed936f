"""All security groups of an environment and every rule between them, in one place, so that no cycle can arise."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.machine_plan import SecurityGroupRole
from stacks.constructs.acknowledgement import acknowledge, in_standards
from stacks.constructs.security_group_rules import (
    ALL_PROTOCOLS,
    NO_EGRESS,
    Member,
    allow,
    allow_efa,
    security_group,
)

Ports = tuple[int, int]
HTTPS: Ports = (443, 443)
KUBELET: Ports = (10250, 10250)
LUSTRE: tuple[Ports, ...] = ((988, 988), (1018, 1023))
"""Source: FSx for Lustre guide, file system access control with Amazon VPC."""
NFS: Ports = (2049, 2049)

PURPOSES = {
    SecurityGroupRole.CONTROL_PLANE: "Kubernetes API: who may call it",
    SecurityGroupRole.NODE: "Nodes and their pods",
    SecurityGroupRole.EFA: "EFA interfaces, which reach only each other",
    SecurityGroupRole.STORAGE_CLIENT: "Machines that mount FSx for Lustre",
    SecurityGroupRole.LUSTRE: "FSx for Lustre file systems",
    SecurityGroupRole.KUBECTL: "Functions that run kubectl and helm",
    SecurityGroupRole.ENDPOINT: "Interface endpoints of the VPC",
    SecurityGroupRole.WORKSTATION: "Workstations, which nothing can reach",
    SecurityGroupRole.EFS: "Mount targets of EFS and S3 Files",
    SecurityGroupRole.HYPERPOD: "HyperPod nodes and their pods",
    SecurityGroupRole.TRAINING: "SageMaker training jobs",
}

FLOWS: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.NODE, SecurityGroupRole.CONTROL_PLANE, (HTTPS,)),
    (SecurityGroupRole.KUBECTL, SecurityGroupRole.CONTROL_PLANE, (HTTPS,)),
    (SecurityGroupRole.CONTROL_PLANE, SecurityGroupRole.NODE, (HTTPS, KUBELET)),
    (SecurityGroupRole.NODE, SecurityGroupRole.ENDPOINT, (HTTPS,)),
    (SecurityGroupRole.KUBECTL, SecurityGroupRole.ENDPOINT, (HTTPS,)),
    (SecurityGroupRole.WORKSTATION, SecurityGroupRole.CONTROL_PLANE, (HTTPS,)),
    (SecurityGroupRole.WORKSTATION, SecurityGroupRole.ENDPOINT, (HTTPS,)),
    (SecurityGroupRole.STORAGE_CLIENT, SecurityGroupRole.LUSTRE, LUSTRE),
    (SecurityGroupRole.LUSTRE, SecurityGroupRole.STORAGE_CLIENT, LUSTRE),
    (SecurityGroupRole.LUSTRE, SecurityGroupRole.LUSTRE, LUSTRE),
)
"""Who opens connections to whom: each becomes an egress rule at the one and an ingress rule at the other."""

TO_EFS: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.NODE, SecurityGroupRole.EFS, (NFS,)),
    (SecurityGroupRole.WORKSTATION, SecurityGroupRole.EFS, (NFS,)),
)
"""Likewise, where there is a file system. TLS has the same port."""

OF_HYPERPOD: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.HYPERPOD, SecurityGroupRole.CONTROL_PLANE, (HTTPS,)),
    (SecurityGroupRole.CONTROL_PLANE, SecurityGroupRole.HYPERPOD, (HTTPS, KUBELET)),
    (SecurityGroupRole.HYPERPOD, SecurityGroupRole.ENDPOINT, (HTTPS,)),
    (SecurityGroupRole.HYPERPOD, SecurityGroupRole.LUSTRE, LUSTRE),
    (SecurityGroupRole.LUSTRE, SecurityGroupRole.HYPERPOD, LUSTRE),
)
"""Likewise, for nodes of HyperPod."""

HYPERPOD_TO_EFS: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.HYPERPOD, SecurityGroupRole.EFS, (NFS,)),
)
"""Likewise, where there is a file system."""

OF_TRAINING: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.TRAINING, SecurityGroupRole.ENDPOINT, (HTTPS,)),
    (SecurityGroupRole.TRAINING, SecurityGroupRole.LUSTRE, LUSTRE),
    (SecurityGroupRole.LUSTRE, SecurityGroupRole.TRAINING, LUSTRE),
)
"""Likewise, for training jobs."""

BETWEEN_PODS = "From nodes of the same cluster alone: pods reach each other on any port, as within a group of nodes."

WORKSTATION_TO_LUSTRE: tuple[tuple[SecurityGroupRole, SecurityGroupRole, tuple[Ports, ...]], ...] = (
    (SecurityGroupRole.WORKSTATION, SecurityGroupRole.LUSTRE, LUSTRE),
    (SecurityGroupRole.LUSTRE, SecurityGroupRole.WORKSTATION, LUSTRE),
)
"""Likewise, where a workstation mounts the file system. Servers open connections to clients too."""

TO_THE_INTERNET = (
    *(SecurityGroupRole.NODE, SecurityGroupRole.KUBECTL, SecurityGroupRole.WORKSTATION),
    *(SecurityGroupRole.HYPERPOD, SecurityGroupRole.TRAINING),
)
"""Groups that pull images and charts and call AWS APIs, over HTTPS."""


class SecurityGroups(Construct):
    """One group for each role. None has a rule that is not written here: the default egress rule is gone."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc_id: str,
        endpoint_clients_cidrs: Sequence[str] = (),
        has_efs: bool = False,
        has_hyperpod: bool = False,
        has_training: bool = False,
    ) -> None:
        super().__init__(scope, construct_id)
        optional = {
            SecurityGroupRole.EFS: has_efs,
            SecurityGroupRole.HYPERPOD: has_hyperpod,
            SecurityGroupRole.TRAINING: has_training,
        }
        self._ids = {
            role: self._group(role, vpc_id, purpose) for role, purpose in PURPOSES.items() if optional.get(role, True)
        }
        flows = (*FLOWS, *TO_EFS, *OF_HYPERPOD, *HYPERPOD_TO_EFS, *OF_TRAINING)
        for source, target, ports in flows:
            if source in self._ids and target in self._ids:
                for first, last in ports:
                    allow(self, self._member(source), self._member(target), "tcp", first, last)
        allow_efa(self, self._member(SecurityGroupRole.EFA))
        if has_training:
            allow_efa(self, self._member(SecurityGroupRole.TRAINING))
        if has_hyperpod:
            self._let_pods_of_hyperpod()
        for position, cidr in enumerate(endpoint_clients_cidrs):
            self._let_addresses_use_endpoints(cidr, "" if position == 0 else f" of range {position + 1}")

    def _let_pods_of_hyperpod(self) -> None:
        """All traffic of HyperPod nodes among themselves, and with node groups of the cluster."""
        hyperpod, nodes = self._member(SecurityGroupRole.HYPERPOD), self._member(SecurityGroupRole.NODE)
        allow_efa(self, hyperpod)
        for source, target in ((hyperpod, nodes), (nodes, hyperpod)):
            acknowledge(
                allow(self, source, target, ALL_PROTOCOLS, None, None),
                in_standards("EC2RestrictedCommonPorts", BETWEEN_PODS),
            )

    def id_of(self, role: SecurityGroupRole) -> str:
        """The group's id, as a token."""
        return self._ids[role]

    def let_workstations_use_lustre(self) -> None:
        """In both directions, as for nodes."""
        for source, target, ports in WORKSTATION_TO_LUSTRE:
            for first, last in ports:
                allow(self, self._member(source), self._member(target), "tcp", first, last)

    def let_clients_use(self, lustre_group_id: str, *, with_workstations: bool) -> None:
        """Rules of the clients alone: those of the group of a file system that exists are its owner's."""
        workstations = (SecurityGroupRole.WORKSTATION,) if with_workstations else ()
        services = (SecurityGroupRole.HYPERPOD, SecurityGroupRole.TRAINING)
        for role in (SecurityGroupRole.STORAGE_CLIENT, *workstations, *services):
            if role in self._ids:
                self._let_use(role, lustre_group_id)

    def _let_use(self, role: SecurityGroupRole, lustre_group_id: str) -> None:
        clients = self.id_of(role)
        for first, last in LUSTRE:
            name = f"{role.value} and existing lustre {first}-{last}"
            ec2.CfnSecurityGroupEgress(
                self,
                f"{name} out",
                group_id=clients,
                destination_security_group_id=lustre_group_id,
                ip_protocol="tcp",
                description="To the file system that exists",
                from_port=first,
                to_port=last,
            )
            ec2.CfnSecurityGroupIngress(
                self,
                f"{name} in",
                group_id=clients,
                source_security_group_id=lustre_group_id,
                ip_protocol="tcp",
                description="From the file system that exists",
                from_port=first,
                to_port=last,
            )

    @property
    def by_role(self) -> dict[SecurityGroupRole, str]:
        """The ids of all groups, as tokens."""
        return dict(self._ids)

    @property
    def ids(self) -> list[str]:
        return list(self._ids.values())

    def _member(self, role: SecurityGroupRole) -> Member:
        return Member(role.value, self.id_of(role))

    def _group(self, role: SecurityGroupRole, vpc_id: str, purpose: str) -> str:
        https = ec2.CfnSecurityGroup.EgressProperty(
            ip_protocol="tcp",
            cidr_ip="0.0.0.0/0",
            from_port=443,
            to_port=443,
            description="Images, charts and AWS APIs",
        )
        egress = https if role in TO_THE_INTERNET else NO_EGRESS
        return security_group(self, role.value, vpc_id=vpc_id, purpose=purpose, egress=egress)

    def _let_addresses_use_endpoints(self, cidr: str, which: str) -> None:
        ec2.CfnSecurityGroupIngress(
            self,
            f"endpoint from addresses{which} 443",
            group_id=self.id_of(SecurityGroupRole.ENDPOINT),
            cidr_ip=cidr,
            ip_protocol="tcp",
            description="From nodes that carry no group of ours",
            from_port=443,
            to_port=443,
        )
