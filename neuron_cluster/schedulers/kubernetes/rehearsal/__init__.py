"""Rehearsals of charts, and the diagnosis of a rehearsed one."""
