"""FSx's refusals by error code; its JSON protocol answers all of them with status 400."""

from __future__ import annotations

from local_aws.service import ServiceError


def bad_request(message: str) -> ServiceError:
    return ServiceError("BadRequest", message)


def file_system_not_found(file_system_id: str) -> ServiceError:
    return ServiceError("FileSystemNotFound", f"File system '{file_system_id}' does not exist.")


def association_not_found(association_id: str) -> ServiceError:
    return ServiceError(
        "DataRepositoryAssociationNotFound", f"Data repository association '{association_id}' does not exist."
    )
