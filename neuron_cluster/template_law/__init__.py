"""What the services refuse, judged over synthesized templates: one law in each file, by service."""
