"""Lambda attaches functions to no subnet of a VPC with dedicated tenancy.

Source: inferred: the words; https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html has the constraint
"""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_shared_tenancy(call: Call) -> None:
    ec2 = call.moto_backend("ec2")
    tenancies = {each.id: ec2.get_vpc(each.vpc_id).instance_tenancy for each in ec2.describe_subnets()}
    for subnet_id in call.parameters.get("VpcConfig", {}).get("SubnetIds", []):
        if tenancies.get(subnet_id) == "dedicated":  # one that does not exist is for moto to reject
            words = f"Subnet {subnet_id} is in a VPC with dedicated instance tenancy, which is not supported."
            raise ServiceError("InvalidParameterValueException", words)
