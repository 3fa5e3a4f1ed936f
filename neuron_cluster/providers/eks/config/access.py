"""Who may use the cluster: ``eks.access``."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel

PRINCIPAL_PATTERN = r"^arn:aws(-[a-z]+)*:iam::[0-9]{12}:(role|user)/[A-Za-z0-9+=,.@_/-]{1,512}$"
Principal = Annotated[str, Field(pattern=PRINCIPAL_PATTERN, examples=["arn:aws:iam::111122223333:role/platform-admin"])]


class Access(ClosedModel):
    """IAM principals with access to the cluster. The role that deploys gets no access automatically."""

    admins: list[Principal] = Field(
        default=[],
        description="IAM roles or users with cluster administration (AmazonEKSClusterAdminPolicy); at least one is "
        "required. Absent: no access, which is an error.",
        examples=[["arn:aws:iam::111122223333:role/platform-admin"]],
    )
    viewers: list[Principal] = Field(
        default=[],
        description="IAM roles or users that may read the objects of every namespace except Secrets "
        "(AmazonEKSViewPolicy: neither nodes nor custom resources). They cannot submit jobs.",
        examples=[["arn:aws:iam::111122223333:role/researchers"]],
    )
