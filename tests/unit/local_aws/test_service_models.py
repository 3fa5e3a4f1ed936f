"""Models are those that botocore reads, and are read once."""

from __future__ import annotations

import pytest
from botocore.loaders import create_loader

from local_aws.service_models import kept


@pytest.mark.parametrize(("service", "kind"), [("ec2", "service-2"), ("s3", "paginators-1"), ("eks", "waiters-2")])
def test_a_model_is_that_of_botocore_in_the_same_order(service: str, kind: str) -> None:
    model, of_botocore = (each().load_service_model(service, kind) for each in (kept(create_loader), create_loader))
    assert model == of_botocore
    assert list(model.get("shapes", model)) == list(of_botocore.get("shapes", of_botocore))


def test_what_is_absent_is_unknown_to_both() -> None:
    with pytest.raises(Exception, match="no-such-service") as caught:
        kept(create_loader)().load_service_model("no-such-service", "service-2")
    with pytest.raises(type(caught.value)):
        create_loader().load_service_model("no-such-service", "service-2")


def test_there_is_one_loader_for_the_same_arguments() -> None:
    create = kept(create_loader)
    assert create() is create()
    assert create("/somewhere") is not create()
