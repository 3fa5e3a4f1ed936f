"""On the day a block starts, W3042 says when to deploy and does not claim that the block is still to come."""

from pathlib import Path

from rule_fixture import rule_fixture

from neuron_cluster.pipeline import check_environment


def test_on_the_first_day_the_hint_says_after_which_time_to_deploy(tmp_path: Path) -> None:
    first_day = [case for case in rule_fixture("W3042").bad if str(case.as_of) == "2026-12-01"]
    assert len(first_day) == 2
    for number, case in enumerate(first_day):
        folder = tmp_path / str(number)
        folder.mkdir()
        file = case.write(folder)
        found = check_environment(
            file, display_name="environment.yaml", catalog=case.catalog, as_of=case.as_of
        ).findings
        (finding,) = [finding for finding in found if finding.id == "W3042"]
        assert "only" not in finding.message
        assert finding.hint.startswith("deploy after 11:30 UTC, once `aws ec2 describe-capacity-reservations")
