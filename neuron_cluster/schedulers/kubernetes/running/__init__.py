"""Releases of bundled charts in a cluster: why one does not run, its status, its pods and how it is stopped."""
