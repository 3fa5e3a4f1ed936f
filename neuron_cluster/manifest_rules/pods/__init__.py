"""What makes a pod start: volumes, images, ports, probes, settings from a fixed list."""
