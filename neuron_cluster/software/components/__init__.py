"""One file for each switch of ``eks.addons``: what it brings to the cluster."""
