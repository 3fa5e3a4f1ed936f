"""Registries of charts and container images: what digest a version has. The only calls to them."""
