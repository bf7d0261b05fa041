"""The minutes of a run."""

import pytest

from pearljoin._errors import InputError
from pearljoin_train.training.clock import Clock


class Time:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def clock(time: Time, **given: float) -> Clock:
    return Clock(10, now=time, **{"reserve": 60, **given})


def test_steps_fit_into_what_is_left_by_the_median_pace() -> None:
    time = Time()
    found = clock(time)
    assert found.affordable() == 0
    for seconds in [50.0, *[2.0] * 3]:  # the first step waits for what is read
        found.step_took(seconds)
    assert not found.knows_its_pace()
    found.step_took(2.0)
    assert found.knows_its_pace()
    time.seconds += 140
    assert found.left() == 600 - 60 - 140
    assert found.left_in_all() == 600 - 140
    assert found.affordable() == int(0.97 * 400 / 2)
    time.seconds += 1_000
    assert found.affordable() == 0


def test_sittings_add_up_and_end() -> None:
    time = Time()
    found = clock(time, sitting=2)
    found.resume(300.0)
    assert found.spent() == 300
    assert found.left() == 600 - 60 - 300
    time.seconds += 119
    assert not found.sitting_is_over()
    time.seconds += 1
    assert found.sitting_is_over()
    assert found.spent() == 420
    assert not clock(Time()).sitting_is_over()


@pytest.mark.parametrize("given", [{"reserve": 600}, {"reserve": -1}, {"sitting": 0}])
def test_a_run_without_time_is_refused(given) -> None:
    with pytest.raises(InputError, match=r"needs time to train in\. Got 10 minutes"):
        clock(Time(), **given)
