"""`import` on the command line, without a bucket and without an account."""

from __future__ import annotations

from .conftest import Command


def test_a_file_without_a_bucket_is_named_before_anything_is_read(command: Command) -> None:
    ran = command("import", "dev-inf2", "--bucket", "team-checkpoints", "--format", "json")
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert finding["message"] == "dev-inf2 has no checkpoint bucket: the file has no storage.checkpoint_bucket"


def test_the_bucket_is_required(command: Command) -> None:
    ran = command("import", "train-trn1")
    assert ran.status == 2
    assert "--bucket" in ran.err


def test_a_name_that_no_bucket_has_is_rejected_before_anything_is_read(command: Command) -> None:
    ran = command("import", "train-trn1", "--bucket", "Bad Name")
    assert ran.status == 1
    assert "'Bad Name' is not the name of a bucket: it must be lower-case letters" in " ".join(ran.err.split())
