"""Averaging weights."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._errors import InputError
from pearljoin_train.__main__ import main
from pearljoin_train.training.weight_average import averaged


@given(share=st.floats(0, 1), base=st.floats(-9, 9), tuned=st.floats(-9, 9))
@settings(deadline=None)
def test_the_average_is_weighed_by_the_share(share, base, tuned) -> None:
    found = averaged({"w": torch.tensor([base])}, {"w": torch.tensor([tuned])}, share)
    expected = share * base + (1 - share) * tuned
    assert float(found["w"]) == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_shares_of_0_and_1_are_the_models_themselves() -> None:
    base, tuned = {"w": torch.randn(3, 2)}, {"w": torch.randn(3, 2)}
    torch.testing.assert_close(averaged(base, tuned, 0.0), tuned, rtol=0, atol=0)
    torch.testing.assert_close(averaged(base, tuned, 1.0), base, rtol=0, atol=0)


def test_what_the_base_lacks_or_counts_stays_as_tuned() -> None:
    base = {"ids": torch.tensor([1, 2]), "gone": torch.ones(1)}
    tuned = {"ids": torch.tensor([3, 4]), "head": torch.ones(2)}
    found = averaged(base, tuned, 0.5)
    assert {name: value.tolist() for name, value in found.items()} == {
        "ids": [3, 4],
        "head": [1, 1],
    }


def test_the_inputs_stay_as_they_are() -> None:
    base, tuned = {"w": torch.zeros(2)}, {"w": torch.ones(2)}
    averaged(base, tuned, 0.5)
    assert (base["w"].tolist(), tuned["w"].tolist()) == ([0, 0], [1, 1])


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(share) -> None:
    with pytest.raises(InputError, match="share is out of range"):
        averaged({}, {}, share)


def test_another_shape_is_refused() -> None:
    with pytest.raises(InputError, match=r"Got \(2,\) and \(3,\) for w"):
        averaged({"w": torch.zeros(2)}, {"w": torch.zeros(3)}, 0.5)


def test_a_command_says_what_is_wrong_without_a_traceback(tmp_path, capsys) -> None:
    gone = ["average", "--tuned", str(tmp_path / "gone"), "--out", str(tmp_path / "out")]
    assert main(gone) == 1
    assert capsys.readouterr().err.startswith("error: There is no model.safetensors in '")
    (tmp_path / "out").mkdir()
    assert main(gone) == 1
    assert "something at" in capsys.readouterr().err
