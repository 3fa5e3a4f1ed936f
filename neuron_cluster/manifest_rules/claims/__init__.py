"""Devices that pods claim (DRA): pod, container and template name each other, and a request counts whole devices."""
