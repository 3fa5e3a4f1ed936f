"""The findings of the preflight checks: what the account lacks, before anything is created."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

ROWS = {
    "E9550": (
        "The vCPU quotas of EC2 allow the instances that a deploy starts (`count.desired`, workstations).",
        (
            "New accounts have 5 vCPUs of Standard instances and none of Inf and Trn. Above a quota no instance "
            "starts, and half an hour later the group is CREATE_FAILED and its stack rolls back. "
            "Quotas are queried by code (servicequotas:GetServiceQuota), in the Region of the file. A group with an "
            "instance type above the quota is rejected at any count. Other instances of the account, and nodes that "
            "Auto Mode starts, use the quota too and are not included."
        ),
    ),
    "W9551": (
        "The vCPU quotas of EC2 allow the maximum sizes of the environment (`count.max`).",
        (
            "The deploy succeeds; the node group becomes DEGRADED when it grows beyond the quota. Instances in a "
            "reservation count against the quota of the account that owns it, from the time it is created; capacity "
            "blocks have separate quotas."
        ),
    ),
    "E9581": (
        "Quotas allow the Elastic IP addresses, networks, storage and clusters that a deploy creates.",
        (
            "An account has 5 Elastic IP addresses and 5 VPCs in a Region, unless a request raised it; each NAT "
            "gateway takes an address. They are limits of `neuron-cluster plan NAME --scale`; what the account has is "
            "queried, and an edit needs the difference from the deployed templates. A stack that meets a quota rolls "
            "back."
        ),
    ),
    "W9582": (
        "Quotas allow the environment at its maximum sizes, and those whose value or code is not certain.",
        (
            "Network interfaces and volumes are created when groups grow. Where Service Quotas returns no value for "
            "the account, the default of the catalog is compared. Defaults differ between Regions."
        ),
    ),
    "E9583": (
        "EC2 offers the instance type of each group and workstation that starts instances in all of its zones.",
        (
            "Offers are queried by zone id (ec2:DescribeInstanceTypeOfferings); `validate` compares the zones that the "
            "catalog has (W3003). A group without `availability_zone` may start instances in every zone of the "
            "network: in a zone that does not sell the type they fail, after the network and the cluster were created."
        ),
    ),
    "E9553": (
        "Capacity Reservations and Capacity Blocks exist, have not ended, and match their group (`capacity`).",
        (
            "A managed node group reads the block when it is created, and EC2 starts no instance in a reservation of "
            "another instance type, zone, platform, tenancy or placement group, or without a free instance. The "
            "platform is that of the AMI (PlatformDetails of ec2:DescribeImages). In a resource group, all matching "
            "reservations are added up, and the message names what each of the others differs in."
        ),
    ),
    "W9554": (
        "Capacity Reservations and Capacity Blocks are active and keep `count.max` instances for the environment.",
        (
            "Instances start when the reservation begins, up to its size. An open reservation also takes instances "
            "that name none; the owner of a shared one, or an end date, may take it away. With `match: open` instances "
            "without a free place in an open reservation start On-Demand."
        ),
    ),
    "E9555": (
        "The default encryption key of EBS is enabled, and the service that launches nodes may use it.",
        (
            "Volumes are encrypted with the default key of the account. If that is a customer managed key, its policy "
            "or a grant must name the service-linked role that launches nodes, such as AWSServiceRoleForAutoScaling; "
            "else instances terminate at launch (Client.InvalidKMSKey.InvalidState)."
        ),
    ),
    "E9558": (
        "Nodes reach every service that they call through the endpoints of the VPC that exists.",
        (
            "With private DNS the name of a service leads every call from the VPC to the interface endpoint, even "
            "where a subnet has a NAT gateway. Its security groups admit TCP 443 from the private subnets, its policy "
            "allows the calls, and its state is available; a gateway endpoint is in the route tables of the subnets. "
            "Without this check nodes start, and never join the cluster."
        ),
    ),
    "W9559": (
        "Nothing in the VPC that exists makes calls of nodes slower, dearer or uncertain.",
        (
            "An endpoint policy with conditions, principals or resources may deny calls of nodes. An interface "
            "endpoint without an interface in the zone of a subnet is reached in another zone. Other name servers in "
            "the DHCP options have to forward the names of endpoints to the resolver of the VPC. Dedicated tenancy, "
            "public addresses of nodes and subnets that others fill are settings of the owner."
        ),
    ),
    "W9606": (
        "The account has the service-linked role of EC2 Spot, where groups have `capacity: {kind: spot}`.",
        (
            "EC2 Auto Scaling creates AWSServiceRoleForEC2Spot. Whether another service that launches instances "
            "may create it, no source states: without it the first instance fails with "
            "AuthFailure.ServiceLinkedRoleCreationNotPermitted, at the first job and not at the deploy."
        ),
    ),
    "E9570": (
        "The VPC of `network.existing` and its subnets are as the lock has them, with DNS support and DNS hostnames.",
        (
            "Its owner may change a range, a route or a subnet at any time. `neuron-cluster lock` pins what "
            "synthesis uses, and `deploy` compares it with the account before it changes anything. Without DNS "
            "support and DNS hostnames nodes do not find the cluster."
        ),
    ),
    "W9571": (
        "Existing subnets have the tags by which the AWS Load Balancer Controller of the file finds them.",
        (
            "A deploy sets no tag on a subnet that exists. Without kubernetes.io/role/internal-elb on private subnets, "
            "and kubernetes.io/role/elb on public ones, a service of type LoadBalancer stays pending unless its "
            "annotations name the subnets."
        ),
    ),
    "E9572": (
        (
            "A bucket that exists is in the account and Region, encrypted and versioned as in the file; keys that "
            "exist are symmetric customer managed keys; and no policy denies every role."
        ),
        (
            "A deploy sets nothing on them, and could not repair a bucket without versions or a key that is disabled. "
            "Nodes would find it at the first checkpoint."
        ),
    ),
    "W9573": (
        "A key and a bucket that exist have the statements and lifecycle rules that the environment needs.",
        (
            "Their owners add them; `neuron-cluster plan NAME --details` prints them. Without the statement for FSx an "
            "association imports nothing, without the one for CloudWatch Logs log groups are not created, without the "
            "one for instances their roles read and write no object, and without a lifecycle rule archived checkpoints "
            "stay. Deny statements with conditions and the default retention of Object Lock may meet the environment. "
            "A key of another account cannot be checked."
        ),
    ),
    "E9574": (
        (
            "A file system that exists is as `storage.lustre` describes it, in the VPC and zone of its nodes, with the "
            "security group of the file."
        ),
        (
            "Nodes mount it by its DNS name and mount name, in its own VPC; in another zone each byte is billed and "
            "slower. A folder has one association. Without this check the first pod that mounts it finds the "
            "difference."
        ),
    ),
    "W9575": (
        "The security group of a file system that exists admits the nodes.",
        (
            "A deploy changes no rule of that group. It admits TCP 988 and 1018 to 1023 from the private subnets, or "
            "from the security group of the environment's Lustre clients. Mounts of pods wait until it does."
        ),
    ),
    "W9556": (
        "Every preflight query to the account returned a result.",
        (
            "The role that deploys lacks a read permission, a service has no endpoint in the network, or the quota "
            "of an instance type is not known. What was not checked may fail later; it is never treated as passed."
        ),
    ),
    "E9585": (
        "The ECR of the account has the charts that no registry has, in the version of this toolkit release.",
        (
            "The chart of SageMaker HyperPod exists in a Git repository only. The user packages it "
            "from the commit of the catalog and pushes it, once for each account and Region. Without it Helm finds no "
            "chart, and the software stack rolls back."
        ),
    ),
    "W9584": (
        "The policies of the caller allow the calls of a deploy, as IAM simulates them (`preflight`).",
        (
            "`preflight` simulates sts:AssumeRole on the roles of `cdk bootstrap`, and the actions of its checks. "
            "The simulation sees policies of the identity and its groups, a permissions boundary and service control "
            "policies; it sees no policy of a resource, no session policy and no resource control policy. Where the "
            "CDK command may not assume a role it uses the credentials of the caller."
        ),
    ),
    "E9557": (
        "The target of replication exists in its Region, with versioning and Object Lock (`replication.bucket`).",
        (
            "S3 rejects replication rules for a target that does not exist or has no versioning, in the middle of the "
            "deploy, which then rolls back. The target of a bucket with `object_lock` has Object Lock too; else no "
            "object is copied. The bucket of another account is not read (W4122)."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the account, before anything is built", ROWS)
