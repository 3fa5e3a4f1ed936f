"""Rules over an environment: stage 1 before there is a plan, stage 2 over the plan."""
