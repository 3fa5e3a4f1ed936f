"""Pods of the software, of bundled charts and of user manifests, evaluated on the nodes of an environment."""
