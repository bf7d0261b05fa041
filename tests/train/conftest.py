"""What the tests of training share."""

from pathlib import Path

import pytest
import torch
from threads import one_torch_thread
from tiny_models import save_tiny_bert


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    """Folder of a random BERT in Hugging Face's layout."""
    return save_tiny_bert(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture
def one_thread():
    """Train on one thread: two tests at a time have two cores, and sums come in one order."""
    with one_torch_thread():
        yield


@pytest.fixture(scope="module")
def tiny_t5(tmp_path_factory) -> Path:
    """A text-to-text model of random weights, one letter a token."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("t5")
    words = ["<pad>", "</s>", "<unk>", *"abcdefghijklmnop"]
    tokenizer = Tokenizer(models.WordLevel({w: at for at, w in enumerate(words)}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.post_processor = processors.TemplateProcessing("$A </s>", None, [("</s>", 1)])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(words), d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2,
        decoder_start_token_id=0,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder
