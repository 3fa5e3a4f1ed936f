"""Lambda attaches functions to no subnet of a VPC with dedicated tenancy."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.service import Call


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration")
def require_shared_tenancy(call: Call) -> None:
    ec2 = call.moto_backend("ec2")
    tenancies = {each.id: ec2.get_vpc(each.vpc_id).instance_tenancy for each in ec2.describe_subnets()}
    for subnet_id in call.parameters.get("VpcConfig", {}).get("SubnetIds", []):
        if tenancies.get(subnet_id) == "dedicated":  # one that does not exist is for moto to reject
            raise api_error("lambda.dedicated_tenancy", subnet_id=subnet_id)
