"""Registries of charts and container images: the digest of a version. The only calls to registries."""
