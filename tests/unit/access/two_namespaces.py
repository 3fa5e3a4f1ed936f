"""An environment with all kinds of access: two namespaces with roles, a compile cache, Mountpoint and S3 Express."""

from __future__ import annotations

ENVIRONMENT = "train-trn1"
EDITS = {
    "eks.namespaces": [
        {"name": "a", "bucket_access": [
            {"service_account": "trainer", "access": "write"},
            {"service_account": "llama", "access": "write", "job": "llama-70b"}]},
        {"name": "b", "bucket_access": [{"service_account": "reader"}]},
    ],
    "eks.addons.mountpoint_s3_csi_driver": True,
    "storage.compile_cache": {},
    "storage.express": {"availability_zone": "usw2-az4"},
}  # fmt: skip
OWN, JOB, OTHER = "teams/a/", "teams/a/checkpoints/llama-70b/", "teams/b/"
SHARED = ("golden/", "datasets/", "compile-cache/")
PREFIXES = ("checkpoints/", *SHARED, OWN, JOB, OTHER, "teams/ab/", "teams/", "")
