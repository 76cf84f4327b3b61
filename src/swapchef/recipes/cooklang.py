"""Cooklang `.cook` files: steps with the ingredients marked where they are used, `@flour{2%cups}(sifted)`.

The writer marks each ingredient at its first mention and puts those never mentioned in a first paragraph of their own.
The list as the cook wrote it is repeated in one block comment at the end, which other tools ignore; the reader uses it
only while it agrees with the markup, so that hand edits win.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator

from swapchef.recipes.building import build_recipe, ingredient_lines, under_headings
from swapchef.recipes.durations import spoken_duration
from swapchef.recipes.jsonld import sectioned_texts
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import IngredientLine, Recipe, Step, tidy

_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(?P<body>.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_AS_WRITTEN = "ingredients as written"
_COMMENT = re.compile(r"(?P<escaped>\\.)|\[-(?P<block>(?:\\.|(?!-\]).)*)(?:-\]|\Z)|--[^\n]*", re.DOTALL)
_TOKEN = re.compile(
    r"""
    \\(?P<escaped>.)
    # the mark of an ingredient, a tool or a timer, and its modifiers: "@", "#", "~", "@?", "@&"
    | (?<!\w)(?P<mark>[@\#~])[&?+@-]{0,3}
    (?:
        # a name of several words, its amount and a note: "@olive oil{2%tbsp}(warm)"
        (?P<long>(?!\s)(?:\\.|[^@\#~{}\n\\]){0,2000})
        \{(?P<amount>(?:\\.|[^{}\n\\]){0,200})\}
        (?:\((?P<note>(?:\\.|[^()\n\\]){0,2000})\))?
        # a name of one word: "@salt"
        | (?P<short>\w[\w'-]{0,60})
    )
    """,
    re.VERBOSE,
)
_OLD_METADATA = re.compile(r">>\s*(?P<key>[^:\n]{1,60}):\s*(?P<value>.*)")
_SPECIAL = re.compile(r"([\\@#~{}()\[\]]|--)")
_BETWEEN_MARKS = " ,.;\n"
_KEYS = {
    "title": "title", "servings": "servings", "serves": "servings", "yield": "servings", "prep time": "prep",
    "time.prep": "prep", "cook time": "cook", "time.cook": "cook", "time": "total", "time required": "total",
    "duration": "total", "total time": "total", "author": "author", "source.author": "author", "source": "url",
    "source.url": "url", "url": "url", "image": "image", "picture": "image", "description": "description",
    "introduction": "description", "tags": "tags",
}  # fmt: skip

_Mark = tuple[str, str, str]  # name, quantity%unit, note: what the markup says, for comparison


def read(text: str) -> Recipe:
    """Read a Cooklang recipe."""
    metadata, body = _read_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    body, as_written = _strip_comments(body)
    steps: list[Step] = []
    marks: list[_Mark] = []
    notes: list[str] = []
    section = ""
    for paragraph in _paragraphs(body):
        if old := _OLD_METADATA.match(paragraph):
            metadata.setdefault(_KEYS.get(old["key"].strip().lower(), ""), old["value"])
        elif paragraph.startswith(">"):
            notes.append(_plain_text(re.sub(r"(?m)^>\s?", "", paragraph), []))
        elif paragraph.startswith("="):
            section = tidy(_plain_text(paragraph.strip("= "), []))
        else:
            marks_here: list[_Mark] = []
            step_text = tidy(_plain_text(paragraph, marks_here))
            marks += marks_here
            if step_text and not (marks_here and _is_only_marks(paragraph)):
                steps.append(Step(step_text, section))
    metadata.pop("", None)
    return build_recipe(
        title=metadata.pop("title", ""),
        ingredients=_lines(marks, as_written),
        steps=steps,
        notes=notes,
        **{
            key: metadata.get(key, "")
            for key in ("description", "servings", "prep", "cook", "total", "author", "url", "image", "tags")
        },
    )


def write(recipe: Recipe) -> str:
    """Write a recipe as Cooklang."""
    unused = dict(enumerate(recipe.ingredients))
    paragraphs, current = [], ""
    for step in recipe.steps:
        if step.section and step.section != current:
            current = step.section
            paragraphs.append(f"= {_escape(current)}")
        paragraphs.append(_mark_mentions(step.text, unused))
    if unused:
        paragraphs.insert(0, "\n".join(_markup(line, line.name) for line in unused.values()))
    paragraphs += [f"> {_escape(note)}" for note in recipe.notes]
    paragraphs.append(_as_written(recipe.ingredients))
    return f"---\n{_front_matter(recipe)}---\n\n" + "\n\n".join(paragraphs) + "\n"


def _read_front_matter(text: str) -> tuple[dict[str, str], str]:
    """Read the simple `key: value` lines and lists of a front matter; nested values are not ours to keep."""
    front_matter = _FRONT_MATTER.match(text)
    if not front_matter:
        return {}, text
    metadata: dict[str, str] = {}
    key = ""
    for line in front_matter["body"].splitlines():
        if item := re.match(r"\s*-\s+(.*)", line):
            if key:
                metadata[key] = ",".join(part for part in (metadata.get(key, ""), _unquote(item[1])) if part)
        elif entry := re.match(r"([\w. -]{1,60}):\s*(.*)", line):
            key = _KEYS.get(entry[1].strip().lower(), "")
            value = entry[2].strip()
            if value.startswith("[") and value.endswith("]") and key == "tags":
                value = ",".join(_unquote(part) for part in value[1:-1].split(","))
            if key:
                metadata[key] = _unquote(value)
    return metadata, text[front_matter.end() :]


def _unquote(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return str(json.loads(value))
        except ValueError:
            return value[1:-1]
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def _strip_comments(body: str) -> tuple[str, list[str]]:
    """Remove comments, and return the ingredient list that our own writer left in one."""
    as_written: list[str] = []

    def drop(comment: re.Match[str]) -> str:
        if comment["escaped"]:
            return comment.group()
        block = comment["block"]
        if block and block.lstrip().startswith(_AS_WRITTEN):
            lines = block.lstrip()[len(_AS_WRITTEN) :].strip("\n").splitlines()
            as_written[:] = [re.sub(r"\\(.)", r"\1", line) for line in lines if line.strip()]
        return ""

    return _COMMENT.sub(drop, body), as_written


def _paragraphs(body: str) -> Iterator[str]:
    """Yield paragraphs; headings, notes and metadata end at their line."""
    gathered: list[str] = []
    for line in [*body.splitlines(), ""]:
        bare = line.strip()
        alone = bare.startswith(("=", ">"))
        if (not bare or alone) and gathered:
            yield "\n".join(gathered)
            gathered = []
        if alone:
            yield bare
        elif bare:
            gathered.append(bare)


def _plain_text(paragraph: str, marks: list[_Mark]) -> str:
    """Replace markup by the words it stands for, collecting the ingredients."""

    def words(markup: re.Match[str]) -> str:
        if markup["escaped"]:
            return markup["escaped"]
        name = _unescape(markup["long"] if markup["short"] is None else markup["short"]).strip()
        amount, note = _unescape(markup["amount"] or ""), _unescape(markup["note"] or "")
        if markup["mark"] == "@" and name:
            name = name.rsplit("/", 1)[-1] if name.startswith("./") else name  # another recipe: its file's name
            marks.append((tidy(name), tidy(amount), tidy(note)))
            return name
        if markup["mark"] == "~":
            return amount.replace("%", " ") or name
        return name

    return _TOKEN.sub(words, paragraph)


def _is_only_marks(paragraph: str) -> bool:
    """Say whether a paragraph is a list of ingredients rather than a step."""
    return not _TOKEN.sub(lambda token: token["escaped"] or "", paragraph).strip(_BETWEEN_MARKS)


def _lines(marks: list[_Mark], as_written: list[str]) -> list[IngredientLine]:
    if as_written:
        lines = list(under_headings(ingredient_lines(tidy(text) for text in as_written)))
        if Counter(_comparable(mark) for mark in marks) == Counter(_comparable(_mark(line)) for line in lines):
            return lines
    seen: set[str] = set()
    lines = []
    for name, amount, note in marks:
        if not amount and name.lower() in seen:  # "the @salt again" is not a second ingredient
            continue
        seen.add(name.lower())
        measure = amount.lstrip("=").replace("%", " ").strip()
        lines.append(parse_line(tidy(f"{measure} {name}" + (f", {note}" if note else ""))))
    return lines


def _comparable(mark: _Mark) -> _Mark:
    name, amount, note = mark
    return name.lower(), amount, note


def _mark(line: IngredientLine) -> _Mark:
    amount = str(line.amount) if line.amount else ""
    if line.unit:
        amount = f"{amount or 1}%{line.unit}"
    return tidy(line.name), tidy(amount), tidy(line.note)


def _markup(line: IngredientLine, mention: str) -> str:
    _, amount, note = _mark(line)
    name = _escape(mention)
    if name[0] in "&?+-":  # which would otherwise mean "optional", "hidden"...
        name = "\\" + name
    return f"@{name}{{{_escape(amount)}}}" + (f"({_escape(note)})" if note else "")


def _mark_mentions(text: str, unused: dict[int, IngredientLine]) -> str:
    """Mark the first mention of each ingredient not marked yet; longer names claim their words first."""
    spans: list[tuple[int, int, int]] = []
    lowered = text.lower()
    for index, line in sorted(unused.items(), key=lambda item: -len(item[1].name)):
        if line.name.lower() not in lowered:  # cheap, and settles nearly all
            continue
        if _SPECIAL.search(line.name) or len(line.name) > 100:
            continue
        for mention in re.finditer(rf"(?<!\w){re.escape(line.name)}(?!\w)", text, re.IGNORECASE):
            if mention.group().lower() == line.name.lower() and all(
                mention.end() <= s or mention.start() >= e for s, e, _ in spans
            ):
                spans.append((*mention.span(), index))
                break
    spans.sort()
    if not _outside(text, spans).strip(_BETWEEN_MARKS):  # nothing but ingredients would read as a list, not as a step
        spans = []
    marked, position = "", 0
    for start, end, index in spans:
        marked += _escape(text[position:start]) + _markup(unused.pop(index), text[start:end])
        position = end
    marked += _escape(text[position:])
    return rf"\{marked}" if marked[:1] in ">=" else marked


def _outside(text: str, spans: list[tuple[int, int, int]]) -> str:
    for start, end, _ in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda special: r"\-\-" if special.group() == "--" else rf"\{special.group()}", text)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _as_written(lines: tuple[IngredientLine, ...]) -> str:
    texts = sectioned_texts([(line.text, line.section) for line in lines])
    escaped = (re.sub(r"([\\\]])", r"\\\1", text) for text in texts)
    return f"[- {_AS_WRITTEN}\n" + "\n".join(escaped) + "\n-]"


def _front_matter(recipe: Recipe) -> str:
    times = {"prep time": recipe.prep_minutes, "cook time": recipe.cook_minutes, "time required": recipe.total_minutes}
    metadata = {
        "title": recipe.title,
        "description": recipe.description,
        "servings": recipe.servings,
        **{key: spoken_duration(minutes) for key, minutes in times.items() if minutes},
        "author": recipe.author,
        "source": recipe.url,
        "image": recipe.image,
        "tags": ", ".join(recipe.tags),
    }
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in metadata.items() if value)
