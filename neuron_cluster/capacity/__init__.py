"""Which zones sell an instance type, and when: queries, offers, purchase commands."""
