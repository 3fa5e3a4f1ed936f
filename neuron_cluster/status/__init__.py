"""The state of one deployed environment: what each service reports, with a verdict, next to the plan of the file."""
