"""Kubernetes: bundled charts that helm installs, and their releases, whichever provider runs the cluster."""
