"""A test of many cases runs all of them, and names those that fail."""

import pytest

from tests.every_case import every_case

CASES = [pytest.param(number, number * 2, id=f"{'even' if number % 2 == 0 else 'odd'}-{number}") for number in range(6)]


def failures(test: object) -> list[str]:
    with pytest.raises(BaseExceptionGroup) as caught:
        test()  # type: ignore[operator]
    return [error.__notes__[-1] for error in caught.value.exceptions]


def test_each_case_runs_and_each_that_fails_is_named() -> None:
    seen = []

    @every_case("number, double", CASES)
    def test(number: int, double: int) -> None:
        seen.append((number, double))
        assert number % 3, "a multiple of three"

    assert failures(test) == ["in the case even-0", "in the case odd-3"]
    assert seen == [(number, number * 2) for number in range(6)]


def test_a_tuple_has_a_value_for_each_name_and_is_a_name_itself() -> None:
    @every_case("number, double", [(1, 2), (2, 5)])
    def test(number: int, double: int) -> None:
        assert number * 2 == double

    assert failures(test) == ["in the case (2, 5)"]


def test_one_that_skips_or_fails_by_hand_fails_too() -> None:
    @every_case("number", [1, 2, 3])
    def test(number: int) -> None:
        if number == 1:
            pytest.skip("not here")
        with pytest.raises(ValueError):
            int("7" if number == 2 else "seven")

    assert failures(test) == ["in the case 1", "in the case 2"]


def test_no_cases_and_two_of_one_name_are_errors() -> None:
    with pytest.raises(AssertionError):
        every_case("number", [])
    with pytest.raises(AssertionError, match="1"):
        every_case("number", [1, 1])


@every_case("number, double", CASES, group=lambda case: case.split("-")[0])
def test_a_group_is_a_test_with_its_cases_and_fixtures(
    request: pytest.FixtureRequest, number: int, double: int
) -> None:
    assert request.node.callspec.id == ("odd" if number % 2 else "even")
    assert double == number * 2
