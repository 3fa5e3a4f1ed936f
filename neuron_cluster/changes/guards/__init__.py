"""Change guards: reasons why an edit must not be deployed over what exists."""
