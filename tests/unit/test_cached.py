"""A cached property that computes once an object, and side by side for several."""

import threading
from concurrent.futures import ThreadPoolExecutor

from pearljoin._cached import cached_property


class Counted:
    computed = 0

    @cached_property
    def value(self) -> list[int]:
        """What is computed."""
        self.computed += 1
        return [self.computed]


def test_it_computes_once_and_keeps_the_value() -> None:
    one, other = Counted(), Counted()
    assert one.value is one.value
    assert one.computed == 1
    assert other.computed == 0
    assert "value" in vars(one)
    assert Counted.value.__doc__ == "What is computed."


def test_two_objects_compute_at_once() -> None:
    barrier = threading.Barrier(2, timeout=30)

    class Waits:
        @cached_property
        def value(self) -> int:
            barrier.wait()
            return 1

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda one: one.value, [Waits(), Waits()])) == [1, 1]
