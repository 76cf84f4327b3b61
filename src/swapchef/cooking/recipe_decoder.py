"""The network that writes a recipe: a transformer that attends to its text, to the ingredients and to the photo.

An ingredient is the tokens of its name, so that the network can copy names it has hardly seen, and a photo is its
parts; either may be missing, which is how the network learns from recipes without photos. `Prefill` and `DecodeStep`
are the same network cut for writing one token at a time with KV caches: what is exported and served.
"""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.tokenizer import PAD


@dataclass(frozen=True)
class DecoderShape:
    """How large the network is."""

    vocabulary: int
    photo_width: int  # of an encoder's parts
    width: int = 320
    layers: int = 5
    heads: int = 5
    feed_forward_width: int = 1280
    max_length: int = 384  # tokens of a recipe
    max_name_length: int = 6  # tokens of an ingredient's name
    dropout: float = 0.0


class Attention(nn.Module):
    """Attention with its keys and values computed apart, so that they can be cached."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def keys_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values: [b, heads, t, width / heads] each."""
        return self._split_heads(self.key(x)), self._split_heads(self.value(x))

    def forward(
        self, x: Tensor, keys_values: tuple[Tensor, Tensor], mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """Attend from x to keys and values."""
        attended = functional.scaled_dot_product_attention(
            self._split_heads(self.query(x)), *keys_values, attn_mask=mask, is_causal=causal
        )
        joined: Tensor = self.out(attended.transpose(1, 2).flatten(2))
        return joined

    def _split_heads(self, x: Tensor) -> Tensor:
        rows, length, width = x.shape
        return x.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


class Block(nn.Module):
    """One layer: self-attention, cross-attention to the memory, feed-forward."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.text, self.memory = Attention(shape.width, shape.heads), Attention(shape.width, shape.heads)
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(3))
        self.feed_forward = nn.Sequential(
            nn.Linear(shape.width, shape.feed_forward_width),
            nn.GELU(),
            nn.Linear(shape.feed_forward_width, shape.width, bias=False),
        )
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """Read whole texts at once."""
        normed = self.norms[0](x)
        x = x + self.drop(self.text(normed, self.text.keys_values(normed), causal=True))
        return self._after_self_attention(x, memory, mask)

    def step(
        self, x: Tensor, past: tuple[Tensor, Tensor], memory: tuple[Tensor, Tensor], mask: Tensor
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Read one token, with the cached keys and values of all before it; also return its own."""
        normed = self.norms[0](x)
        key, value = self.text.keys_values(normed)
        cache = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        return self._after_self_attention(x + self.text(normed, cache), memory, mask), (key, value)

    def _after_self_attention(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        x = x + self.drop(self.memory(self.norms[1](x), memory, mask))
        out: Tensor = x + self.drop(self.feed_forward(self.norms[2](x)))
        return out


class RecipeDecoder(nn.Module):
    """Tokens of recipes in, logits of each next token out."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.tokens = nn.Embedding(shape.vocabulary, shape.width, padding_idx=PAD)
        self.positions = nn.Embedding(shape.max_length, shape.width)
        self.name_positions = nn.Embedding(shape.max_name_length, shape.width)
        self.from_photo = nn.Linear(shape.photo_width, shape.width)
        self.memory_norm, self.out_norm = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.apply(_initialise)
        for block in self.layers:
            for last in (block.text.out, block.memory.out, cast("nn.Linear", block.feed_forward[2])):
                nn.init.normal_(last.weight, std=0.02 / (3 * shape.layers) ** 0.5)

    def forward(
        self, tokens: Tensor, names: Tensor, name_positions: Tensor, parts: Tensor, has_photo: Tensor
    ) -> Tensor:
        """Return the logits of each next token [b, t, v] for texts [b, t] and what they are written from."""
        memory, mask = self.encode_memory(names, name_positions, parts, has_photo)
        x = self.tokens(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.layers:
            x = block(x, block.memory.keys_values(memory), mask)
        return functional.linear(self.out_norm(x), self.tokens.weight)

    @property
    def layers(self) -> list[Block]:
        """The blocks, with their type."""
        return cast("list[Block]", list(self.blocks))

    def encode_memory(
        self, names: Tensor, name_positions: Tensor, parts: Tensor, has_photo: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the embedded ingredients and photo [b, m, width] and the mask of those that exist [b, 1, 1, m].

        `names` [b, k] are the tokens of all ingredients one after another and `name_positions` where in its name each
        is; `parts` [b, p, d] are an encoder's features, valid where `has_photo` [b].
        """
        words = self.tokens(names) + self.name_positions(name_positions)
        memory = torch.cat([words, self.from_photo(parts)], dim=1)
        present = torch.cat([names != PAD, has_photo[:, None].expand(-1, parts.shape[1])], dim=1)
        empty = ~present.any(dim=1, keepdim=True)  # attention to nothing at all would be NaN
        return self.memory_norm(memory), (present | empty)[:, None, None, :]


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


class Prefill(nn.Module):
    """The part of the network that runs once for a recipe: keys and values of ingredients and photo in every layer."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(
        self, names: Tensor, name_positions: Tensor, parts: Tensor, has_photo: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return keys and values [layers, b, heads, m, d] and the mask."""
        memory, mask = self.decoder.encode_memory(names, name_positions, parts, has_photo)
        cache = [block.memory.keys_values(memory) for block in self.decoder.layers]
        return torch.stack([key for key, _ in cache]), torch.stack([value for _, value in cache]), mask


class DecodeStep(nn.Module):
    """The part of the network that runs once for each token that is written."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(
        self,
        token: Tensor,
        past_keys: Tensor,
        past_values: Tensor,
        memory_keys: Tensor,
        memory_values: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the logits [b, v] of the next token and the keys and values [layers, b, heads, 1, d] of this [b]."""
        decoder = self.decoder
        position = torch.full((1,), past_keys.shape[3], dtype=torch.int64)
        x = (decoder.tokens(token) + decoder.positions(position))[:, None]
        keys, values = [], []
        for number, block in enumerate(decoder.layers):
            past, memory = (past_keys[number], past_values[number]), (memory_keys[number], memory_values[number])
            x, (key, value) = block.step(x, past, memory, mask)
            keys.append(key)
            values.append(value)
        logits = functional.linear(decoder.out_norm(x[:, 0]), decoder.tokens.weight)
        return logits, torch.stack(keys), torch.stack(values)
