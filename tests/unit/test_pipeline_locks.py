"""Hints of a check with the locks of the local AWS name the command that writes these locks."""

from pathlib import Path

import pytest
from rule_fixture import rule_fixture

from neuron_cluster.lock.paths import local_locks, locks_beside
from neuron_cluster.pipeline import check_environment


@pytest.mark.parametrize(("is_local", "command"), [(False, "lock dev-inf2`"), (True, "lock --local dev-inf2`")])
def test_a_closed_subnet_is_mended_by_a_route_and_the_lock_in_use(is_local: bool, command: str, tmp_path: Path) -> None:
    case = rule_fixture("E1046").bad[0]
    file = case.write(tmp_path)
    locks = local_locks(tmp_path)
    locks.parent.mkdir(parents=True, exist_ok=True)
    locks_beside(file).rename(locks) if is_local else None
    checked = check_environment(
        file, display_name="environments/dev-inf2.yaml", locks=locks if is_local else None, catalog=case.catalog
    )
    (found,) = [each for each in checked.findings if each.id == "E1046"]
    assert found.hint.endswith(
        "; or ask the owner of the VPC for a default route of subnet-0123456789abcdef0, then run "
        f"`neuron-cluster {command}"
    )
