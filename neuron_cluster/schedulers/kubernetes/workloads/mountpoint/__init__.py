"""Checkpoints that pods of user manifests write through Mountpoint for S3."""
