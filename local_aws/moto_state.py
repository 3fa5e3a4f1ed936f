"""moto's own state: how it is set up for this local AWS, and how it is emptied."""

from __future__ import annotations

import functools
from typing import Any


def set_up_moto() -> None:
    """Without state, and without Docker; the IAM policies that AWS manages exist; moto's 1,300 images wait until one is
    asked for; every zone that the catalog knows.
    """
    _configure_moto()
    reset_moto()


@functools.cache
def _configure_moto() -> None:
    """Once in a process.

    One loader reads all service models: moto and botocore make a new one for each model and session, which looks
    through every folder of botocore, and reads those of EC2, again (a second of the start).
    """
    import botocore.session
    from moto import backends, settings
    from moto.core import loaders, responses, utils
    from moto.core.config import default_user_config
    from moto.kms import models
    from moto.kms.utils import KeySpec, generate_private_key

    from local_aws.availability_zones import add_known_zones
    from local_aws.moto_caches import keep_possible_keys, keep_valid_names, make_ids_quickly
    from local_aws.moto_ec2 import import_moto_ec2

    vars(utils)["create_loader"] = functools.cache(loaders.create_loader)
    # Asked at every request; the classes, and the folders of moto, are the same each time.
    vars(responses)["method_names_from_class"] = functools.cache(utils.method_names_from_class)
    vars(backends)["list_of_moto_modules"] = functools.partial(tuple, tuple(backends.list_of_moto_modules()))
    # moto gives symmetric keys a key pair too, which takes a tenth of a second: one for all of them.
    shared_pair = functools.cache(generate_private_key)
    vars(models)["generate_private_key"] = lambda spec: (
        shared_pair(spec) if spec == KeySpec.SYMMETRIC_DEFAULT else generate_private_key(spec)
    )
    vars(botocore.session)["create_loader"] = functools.cache(botocore.session.create_loader)
    default_user_config["lambda"] = {"use_docker": False}
    default_user_config["batch"] = {"use_docker": False}
    default_user_config["iam"] = {"load_aws_managed_policies": True}
    settings.ec2_load_default_amis = lambda: False
    import_moto_ec2()
    keep_possible_keys()
    keep_valid_names()
    make_ids_quickly()
    _disable_instance_tracking()
    _reach_nobody()
    add_known_zones()


def _reach_nobody() -> None:
    """moto posts messages of topics, events and delivery streams to any URL, and can record requests in a file."""
    from moto.moto_api import recorder
    from moto.moto_api._internal.recorder import models

    def refuse(_: Any, request: Any, **__: Any) -> Any:
        raise NotImplementedError(f"the local AWS sends nothing to another server, such as {request.url}")

    vars(models)["requests"].Session.send = refuse
    vars(recorder)["_record_request"] = lambda *_, **__: None


def _disable_instance_tracking() -> None:
    """moto lists every object it ever made for a dashboard that is not served here, 60 MB for a cluster's layers."""
    from moto.core.common_models import BaseModel
    from moto.s3.models import FakeKey

    def new(made: type[BaseModel], *_arguments: Any, **_options: Any) -> BaseModel:
        return super(BaseModel, made).__new__(made)

    setattr(BaseModel, "__new__", new)  # noqa: B010 - mypy lets no method be assigned
    # moto relies on that list to close the files of objects in time.
    setattr(FakeKey, "__del__", FakeKey.dispose)  # noqa: B010 - a name that Python looks up on the class


def backends_in_use() -> list[Any]:
    """moto's backends of each service that has any, by account and Region."""
    from moto.core.base_backend import BackendDict

    in_use: Any = vars(BackendDict)["_instances"]  # moto tells nowhere else which backends there are
    return [service for service in in_use if service]


def reset_moto() -> None:
    """Forgets the state of every account and Region.

    moto's own reset fills every backend anew before it drops it, which takes longer than a test. Here only those
    with something to let go of are asked to do so: files, threads.
    """
    from moto.core.base_backend import BackendDict, BaseBackend, backend_lock
    from moto.core.model_instances import reset_model_data

    in_use: Any = vars(BackendDict)["_instances"]  # moto tells nowhere else which backends there are
    with backend_lock:
        for service in in_use:
            for _, _, backend in service.iter_backends():
                if type(backend).reset is not BaseBackend.reset:
                    backend.reset()
            service.clear()
        in_use.clear()
    reset_model_data()
