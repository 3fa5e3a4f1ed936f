"""What the services refuse, judged over synthesized templates: one rule in each file, by service."""
