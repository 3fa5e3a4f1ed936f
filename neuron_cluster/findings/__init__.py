"""Findings (errors and warnings with location and hint): their ids, specs, references and suggestions."""
