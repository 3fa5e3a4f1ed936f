"""Facts about hardware, AWS services and software: dated rows with sources, and queries."""
