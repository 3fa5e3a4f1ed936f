"""The EFS file system of an environment."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, GroupName, Switch, WholeNumber, text_or_number

EFS_FOLDER_PATTERN = r"^(/[A-Za-z0-9_][A-Za-z0-9._-]*){1,4}$"
MODE_PATTERN = r"^0?[0-7]{3}$"
LARGEST_ID = 4_294_967_295
"""The largest id of POSIX users and groups in EFS (boto/botocore 1.44.5: efs Uid, Gid)."""


class EfsThroughput(enum.StrEnum):
    """Throughput mode of a file system."""

    ELASTIC = "elastic"
    BURSTING = "bursting"


class AccessPoint(ClosedModel):
    """A folder of the file system, and the POSIX user as which every client works there."""

    name: GroupName = Field(description="Name of the access point, unique in the environment.", examples=["home"])
    path: Annotated[str, Field(pattern=EFS_FOLDER_PATTERN, max_length=100)] = Field(
        description="Folder on the file system; EFS creates it at the first mount.", examples=["/home"]
    )
    uid: Annotated[WholeNumber, Field(ge=1, le=LARGEST_ID)] = Field(
        default=1000, description="User id of the folder and of all clients; never root.", examples=[1000]
    )
    gid: Annotated[WholeNumber, Field(ge=1, le=LARGEST_ID)] = Field(
        default=1000, description="Group id of the folder and of all clients.", examples=[1000]
    )
    mode: Annotated[str, Field(pattern=MODE_PATTERN), text_or_number(MODE_PATTERN)] = Field(
        default="0770",
        description="Permissions of the folder in octal digits, set when EFS creates it.",
        examples=["0750"],
    )


class Efs(ClosedModel):
    """An encrypted EFS file system in all zones of the network. It survives `destroy`."""

    access_points: Annotated[list[AccessPoint], Field(min_length=1, max_length=100)] = Field(
        description="Folders that clients mount; nothing else of the file system can be mounted.",
        examples=[[{"name": "home", "path": "/home"}]],
    )
    throughput: EfsThroughput = Field(
        default=EfsThroughput.ELASTIC,
        description="elastic: throughput follows the load; each GB read and written is billed. bursting: it follows "
        "the stored size, without a charge.",
        examples=["elastic"],
    )
    backup: Switch = Field(
        default=False,
        description="Daily backups by the default plan of AWS Backup, which keeps them for 35 days.",
        examples=[True],
    )
