"""The change table is complete, and consistent in itself."""

from __future__ import annotations

from neuron_cluster.changes.change_table import change_rows, change_table
from neuron_cluster.config.change_row import FieldEffect
from neuron_cluster.config.fields import walk_fields
from neuron_cluster.protocol.registry import registered

ROWS = change_rows(registered())


def test_every_field_has_exactly_one_row_and_every_row_a_field() -> None:
    assert sorted(row.path for row in ROWS) == sorted(path for path, _ in walk_fields())


def test_steps_are_said_when_and_only_when_the_edit_is_refused() -> None:
    assert [row.path for row in ROWS if bool(row.steps) != row.effect.is_blocked] == []


def test_a_key_is_at_least_as_bad_as_the_keys_below_it() -> None:
    milder = [
        (above.path, below.path)
        for above in ROWS
        for below in ROWS
        if below.path.startswith((f"{above.path}.", f"{above.path}[]")) and not above.effect.at_least(below.effect)
    ]
    assert milder == []


def test_what_happens_does_not_begin_with_the_words_of_the_effect() -> None:
    """`explain` and `diff` say both, one after the other."""
    assert [row.path for row in ROWS if row.what.lower().startswith(f"{row.effect.value}:")] == []


def test_an_edit_that_names_another_place_is_refused() -> None:
    """No template shows it, so that the row alone says it."""
    elsewhere = [row for row in ROWS if not row.seen_in_templates]
    assert {row.path for row in elsewhere} == {"account", "region"}
    assert all(row.effect.is_blocked for row in elsewhere)


def test_the_table_is_read_by_pattern_path() -> None:
    table = change_table(registered())
    assert table["network.cidr"].effect is FieldEffect.STATE
    assert table["eks.node_groups[].count.max"].effect is FieldEffect.IN_PLACE


def test_effects_are_ordered_from_harmless_to_worst() -> None:
    assert FieldEffect.STATE.at_least(FieldEffect.PUBLISHED)
    assert not FieldEffect.NONE.at_least(FieldEffect.IN_PLACE)
    assert FieldEffect.IN_PLACE.at_least(FieldEffect.IN_PLACE)
