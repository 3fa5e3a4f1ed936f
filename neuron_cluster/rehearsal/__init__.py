"""Rehearses a workload: the programs of its pods run here, under a model of the controllers that would run them."""
