"""Software of the cluster: add-ons, charts, their values, their order."""
