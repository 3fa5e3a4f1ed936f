"""Purchase options of a new environment: kinds of ``capacity``. Whole UltraServers have templates of their own.

The command line reads them for its help: this module imports nothing.
"""

ON_DEMAND = "on_demand"
RESERVED = ("reservation", "capacity_block")
PURCHASE_OPTIONS = (ON_DEMAND, "spot", *RESERVED)
