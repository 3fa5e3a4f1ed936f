"""Pod specs: volumes, images, ports, probes, environment variables, tolerations, enum values."""
