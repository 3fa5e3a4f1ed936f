"""Schedulers: what places work on the machines that providers run. Several providers may share one."""
