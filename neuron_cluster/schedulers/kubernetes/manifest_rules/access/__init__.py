"""Kubernetes RBAC: roles and role bindings."""
