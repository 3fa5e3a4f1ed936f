"""Manifest rules: what JSON schemas of Kubernetes objects cannot check, in rendered manifests. One rule a file."""
