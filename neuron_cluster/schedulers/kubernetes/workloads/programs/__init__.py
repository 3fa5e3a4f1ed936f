"""Whether the containers of a workload can do what their programs need by the catalog."""
