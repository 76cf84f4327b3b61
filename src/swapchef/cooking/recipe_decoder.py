"""The network that writes a recipe: a transformer that attends to what it wrote, to the ingredients and to the photo.

An ingredient is remembered as the pieces of its name, so the network can copy names it has hardly seen, and a photo as its
parts; either may be missing, which is how it learns from recipes without photos. `Remember` and `Step` are the same network
cut for writing one piece at a time with everything before it kept: what is exported and served.
"""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from swapchef.cooking.text import PAD


@dataclass(frozen=True)
class DecoderShape:
    """How large the network is."""

    vocabulary: int
    photo_width: int  # of an encoder's parts
    width: int = 320
    layers: int = 5
    heads: int = 5
    inner: int = 1280
    longest: int = 384  # pieces of a recipe
    name_pieces: int = 6  # of an ingredient
    dropout: float = 0.0


class Attention(nn.Module):
    """Attention with its keys and values computed apart, so that they can be kept."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def kept(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values: [b, heads, t, width / heads] each."""
        return self._apart(self.key(x)), self._apart(self.value(x))

    def forward(
        self, x: Tensor, kept: tuple[Tensor, Tensor], mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """Attend from x to what was kept."""
        seen = functional.scaled_dot_product_attention(
            self._apart(self.query(x)), *kept, attn_mask=mask, is_causal=causal
        )
        joined: Tensor = self.out(seen.transpose(1, 2).flatten(2))
        return joined

    def _apart(self, x: Tensor) -> Tensor:
        rows, length, width = x.shape
        return x.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


class Block(nn.Module):
    """One layer: attend to the text so far, to the memory, then think."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.text, self.memory = Attention(shape.width, shape.heads), Attention(shape.width, shape.heads)
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(3))
        self.think = nn.Sequential(
            nn.Linear(shape.width, shape.inner), nn.GELU(), nn.Linear(shape.inner, shape.width, bias=False)
        )
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """Read whole texts at once."""
        normed = self.norms[0](x)
        x = x + self.drop(self.text(normed, self.text.kept(normed), causal=True))
        return self._rest(x, memory, mask)

    def step(
        self, x: Tensor, past: tuple[Tensor, Tensor], memory: tuple[Tensor, Tensor], mask: Tensor
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Read one piece, with keys and values of all before it."""
        normed = self.norms[0](x)
        key, value = self.text.kept(normed)
        kept = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        return self._rest(x + self.text(normed, kept), memory, mask), (key, value)

    def _rest(self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        x = x + self.drop(self.memory(self.norms[1](x), memory, mask))
        thought: Tensor = x + self.drop(self.think(self.norms[2](x)))
        return thought


class RecipeDecoder(nn.Module):
    """Writes recipes; pieces in, how likely each next piece is out."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.pieces = nn.Embedding(shape.vocabulary, shape.width, padding_idx=PAD)
        self.positions = nn.Embedding(shape.longest, shape.width)
        self.places = nn.Embedding(shape.name_pieces, shape.width)
        self.from_photo = nn.Linear(shape.photo_width, shape.width)
        self.memory_norm, self.out_norm = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.apply(_small)
        for block in self.layers:
            for last in (block.text.out, block.memory.out, cast("nn.Linear", block.think[2])):
                nn.init.normal_(last.weight, std=0.02 / (3 * shape.layers) ** 0.5)

    def forward(self, pieces: Tensor, names: Tensor, places: Tensor, parts: Tensor, has_photo: Tensor) -> Tensor:
        """Return the scores of each next piece [b, t, v] for texts [b, t] and what they are written from."""
        memory, mask = self.remember(names, places, parts, has_photo)
        x = self.pieces(pieces) + self.positions.weight[: pieces.shape[1]]
        for block in self.layers:
            x = block(x, block.memory.kept(memory), mask)
        return functional.linear(self.out_norm(x), self.pieces.weight)

    @property
    def layers(self) -> list[Block]:
        """The blocks, as what they are."""
        return cast("list[Block]", list(self.blocks))

    def remember(self, names: Tensor, places: Tensor, parts: Tensor, has_photo: Tensor) -> tuple[Tensor, Tensor]:
        """Return the memory [b, m, width] and which of it is there [b, 1, 1, m].

        `names` [b, k] are the pieces of all ingredients one after another and `places` where in its name each stands;
        `parts` [b, p, d] is what an encoder saw, where `has_photo` [b].
        """
        words = self.pieces(names) + self.places(places)
        memory = torch.cat([words, self.from_photo(parts)], dim=1)
        there = torch.cat([names != PAD, has_photo[:, None].expand(-1, parts.shape[1])], dim=1)
        nothing = ~there.any(dim=1, keepdim=True)  # attention to nothing at all would be no number
        return self.memory_norm(memory), (there | nothing)[:, None, None, :]


def _small(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


class Remember(nn.Module):
    """The part of the network that runs once for a recipe: from ingredients and photo to keys and values of every layer."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(self, names: Tensor, places: Tensor, parts: Tensor, has_photo: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return keys and values [layers, b, heads, m, d] and the mask."""
        memory, mask = self.decoder.remember(names, places, parts, has_photo)
        kept = [block.memory.kept(memory) for block in self.decoder.layers]
        return torch.stack([key for key, _ in kept]), torch.stack([value for _, value in kept]), mask


class Step(nn.Module):
    """The part of the network that runs once for each piece that is written."""

    def __init__(self, decoder: RecipeDecoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(
        self,
        piece: Tensor,
        past_keys: Tensor,
        past_values: Tensor,
        memory_keys: Tensor,
        memory_values: Tensor,
        mask: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores [b, v] of the next piece and the keys and values [layers, b, heads, 1, d] of this one [b]."""
        decoder = self.decoder
        position = torch.full((1,), past_keys.shape[3], dtype=torch.int64)
        x = (decoder.pieces(piece) + decoder.positions(position))[:, None]
        keys, values = [], []
        for number, block in enumerate(decoder.layers):
            past, memory = (past_keys[number], past_values[number]), (memory_keys[number], memory_values[number])
            x, (key, value) = block.step(x, past, memory, mask)
            keys.append(key)
            values.append(value)
        scores = functional.linear(decoder.out_norm(x[:, 0]), decoder.pieces.weight)
        return scores, torch.stack(keys), torch.stack(values)
