"""Markdown and plain text: what people type, paste and keep in notes.

One reader serves both: with headings ("Ingredients", "Method") the parts are where the headings say, without them lines
that look like ingredients come first and sentences are steps. The Markdown writer escapes what Markdown would
interpret, so that reading gives the same recipe back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from swapchef.errors import RecipeError
from swapchef.recipes.building import at_most, build_recipe, ingredient_lines
from swapchef.recipes.durations import spoken_duration
from swapchef.recipes.jsonld import sectioned_texts
from swapchef.recipes.lines import parse_line
from swapchef.recipes.model import Recipe, Step, tidy

# The headings that open each part of a recipe, in English and in a few languages more.
_HEADINGS = {
    "ingredients": (
        r"ingredients?", r"ingredients? list", r"list of ingredients", r"what you(?:'ll)? need",
        r"you(?:'ll| will) need", r"shopping list", r"zutaten", r"ingrédients", r"ingredientes", r"ingredienti",
    ),
    "steps": (
        r"(?:recipe |cooking |step[- ]by[- ]step )?(?:directions|instructions|method|preparation|steps|procedure)",
        r"preparation steps", r"how to (?:make|cook|prepare)(?: .{1,30})?", r"to make", r"what to do",
        r"zubereitung", r"préparation", r"preparación", r"elaboración", r"preparazione",
    ),
    "notes": (
        r"(?:recipe |cook'?s |chef'?s |my )?(?:notes?|tips?|remarks)(?: (?:&|and) (?:notes|tips))?",
        r"variations", r"equipment", r"tools", r"nutrition(?:al)?(?: facts| information)?", r"storage",
    ),
}  # fmt: skip
_PART = {part: re.compile("|".join(headings), re.IGNORECASE) for part, headings in _HEADINGS.items()}
_INLINE_LIST = re.compile(r"ingredients?\s*:\s*(?P<items>\S.*)", re.IGNORECASE)
_IN_HEADING = re.compile(r"\s*\(([^()]{0,40})\)|\s+(for \d{1,3} (?:people|persons|servings))\b", re.IGNORECASE)
_FACTS = {
    "title": "title|name",
    "servings": "servings|serves|yields?|makes|portions",
    "prep": "prep(?:aration)?(?: time)?",
    "cook": "cook(?:ing)?(?: time)?|bak(?:e|ing) time",
    "total": "total(?: time)?|ready in|time",
    "author": "author|by|recipe by",
    "url": "source|url|link|from",
    "image": "image|photo",
    "tags": "tags|keywords|categor(?:y|ies)",
}
_FACT = {name: re.compile(rf"(?:{names})\s*:\s*(?P<value>\S.*)", re.IGNORECASE) for name, names in _FACTS.items()}
_SERVES = re.compile(r"(?:serves|makes)\s+(?P<value>(?:about\s+)?\d.{0,60})", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*+–]\s+|[•·‣◦▢□☐▪●✓✔★►]\s*)(?:\[[ xX]\]\s+)?")
_NUMBER = re.compile(r"(?:step\s+\d{1,3}\s*(?:[.):–-]\s*|$)|\d{1,3}\s*[.):](?:\s+|$))", re.IGNORECASE)
_CODE = re.compile(r"[{}<>=;\\|]|://|:\w|\w/\w+/")
_RULE = re.compile(r"([-=*_])(?:\s*\1){2,}$")
_MARKDOWN = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | !?\[(?P<link>[^\[\]]{0,300})\]\([^()\s]{0,500}\)  # a link or an image: its text stays
    | \*++ | `++ | (?P<underscores>_++)
    """,
    re.VERBOSE,
)
_EMPHASISED = re.compile(r"(\*{1,3}|_{1,3})[^*_]{1,80}\1")
_MAX_TEXT_LINES = 20_000
_ESCAPED = re.compile(r"([\\*_`\[\]#>])")


def read_markdown(text: str) -> Recipe:
    """Read a recipe written in Markdown."""
    return _read(text, markdown=True)


def read_text(text: str) -> Recipe:
    """Read a recipe from plain text: with headings, without, or just a list of ingredients."""
    return _read(text, markdown=False)


def write_markdown(recipe: Recipe) -> str:
    """Write a recipe as Markdown that any renderer shows well."""
    lines = [f"# {_escape(recipe.title)}"]
    if recipe.description:
        lines += ["", f"> {_escape(recipe.description)}"]
    if facts := _facts(recipe):
        lines += ["", *(f"- **{label}:** {_escape(value)}" for label, value in facts)]
    lines += ["", "## Ingredients", *_markdown_items([(line.text, line.section) for line in recipe.ingredients], "-")]
    if recipe.steps:
        lines += ["", "## Directions", *_markdown_items([(step.text, step.section) for step in recipe.steps], "1.")]
    if recipe.notes:
        lines += ["", "## Notes", *_markdown_items([(note, "") for note in recipe.notes], "-")]
    return "\n".join(lines) + "\n"


def write_text(recipe: Recipe) -> str:
    """Write a recipe as plain text for a terminal, a message or a printer."""
    lines = [recipe.title, "=" * min(max(len(recipe.title), 3), 72)]
    if recipe.description:
        lines += ["", recipe.description]
    if facts := _facts(recipe):
        lines += ["", *(f"{label}: {value}" for label, value in facts)]
    lines += ["", "Ingredients", "", *_bullets([(line.text, line.section) for line in recipe.ingredients])]
    if recipe.steps:
        lines += ["", "Directions", ""]
        current = ""
        for number, step in enumerate(recipe.steps, start=1):
            if step.section and step.section != current:
                current = step.section
                lines.append(f"{current}:")
            lines.append(f"{number}. {step.text}")
    if recipe.notes:
        lines += ["", "Notes", "", *_bullets([(note, "") for note in recipe.notes])]
    return "\n".join(lines) + "\n"


def _bullets(pairs: list[tuple[str, str]]) -> list[str]:
    headings = {f"{section}:" for _, section in pairs if section}
    return [text if text in headings else f"- {text}" for text in sectioned_texts(pairs)]


def _markdown_items(pairs: list[tuple[str, str]], marker: str) -> Iterator[str]:
    current = ""
    yield ""
    for number, (text, section) in enumerate(pairs, start=1):
        if section and section != current:
            if number > 1:
                yield ""
            current = section
            yield from (f"### {_escape(section)}", "")
        yield f"{f'{number}.' if marker == '1.' else marker} {_escape(text)}"


def _facts(recipe: Recipe) -> list[tuple[str, str]]:
    times = [
        ("Prep time", recipe.prep_minutes),
        ("Cook time", recipe.cook_minutes),
        ("Total time", recipe.total_minutes),
    ]
    facts = [("Servings", recipe.servings), *((label, spoken_duration(m)) for label, m in times if m)]
    facts += [
        ("Author", recipe.author),
        ("Source", recipe.url),
        ("Image", recipe.image),
        ("Tags", ", ".join(recipe.tags)),
    ]
    return [(label, value) for label, value in facts if value]


def _escape(text: str) -> str:
    escaped = _ESCAPED.sub(r"\\\1", text)
    return "\\" + escaped if escaped[:1] in {"-", "+", "="} else escaped  # which would open a list or draw a rule


@dataclass
class _Line:
    """One line of the file, taken apart once."""

    text: str
    heading: int = 0  # the level of a Markdown heading
    marker: str = ""  # "bullet", "number" or ""
    quoted: bool = False
    emphasised: bool = False  # the whole line: "**For the sauce**"
    after_blank: bool = False


@dataclass
class _Parts:
    head: list[_Line] = field(default_factory=list)
    ingredients: list[_Line] = field(default_factory=list)
    steps: list[_Line] = field(default_factory=list)
    notes: list[_Line] = field(default_factory=list)


def _read(text: str, markdown: bool) -> Recipe:
    parts = _sort_into_parts(list(_split(text, markdown)))
    if not parts.ingredients:
        _part_by_look(parts)
    facts: dict[str, str] = {}
    title, description = _read_head(parts.head, facts)
    return build_recipe(
        title=facts.get("title") or title,
        description=description,
        ingredients=ingredient_lines(
            f"{line.text}:" if line.heading or (line.emphasised and parse_line(line.text).amount is None) else line.text
            for line in parts.ingredients
        ),
        steps=_read_steps(parts.steps),
        notes=[line.text for line in parts.notes],
        servings=facts.get("servings", ""),
        prep=facts.get("prep"),
        cook=facts.get("cook"),
        total=facts.get("total"),
        author=facts.get("author", ""),
        url=facts.get("url", ""),
        image=facts.get("image", ""),
        tags=facts.get("tags", ""),
    )


def _sort_into_parts(lines: list[_Line]) -> _Parts:
    parts = _Parts()
    into, level = parts.head, 0
    titled = any(line.heading > 1 and _part(line) == "ingredients" for line in lines)
    for position, line in enumerate(lines):
        is_title = position == 0 and line.heading == 1 and titled  # a dish may be called "Notes"
        is_section = 0 < level < line.heading  # "### Preparation" below "## Directions"
        if not is_title and not is_section and (part := _part(line)):
            into, level = getattr(parts, part), line.heading
            parts.head += [replace(line, text=f"Serves {extra}") for extra in _servings_in(line.text)]
        elif into is parts.head and (inline := _INLINE_LIST.fullmatch(line.text)):
            parts.ingredients += [
                replace(line, text=item.strip()) for item in inline["items"].split(",") if item.strip()
            ]
        else:
            into.append(line)
    return parts


def _servings_in(heading: str) -> list[str]:
    """Find "4" in "Ingredients (serves 4)" and "Ingredients for 4 people"."""
    return [number[0] for part in _IN_HEADING.findall(heading) if (number := re.search(r"\d{1,3}", "".join(part)))]


def _split(text: str, markdown: bool) -> Iterator[_Line]:
    blank, numbered = False, False
    for raw in at_most(text.splitlines(), _MAX_TEXT_LINES):
        bare = raw.strip()
        if not bare or _RULE.match(bare):
            blank = True
            continue
        line = _Line("", after_blank=blank, marker="number" if numbered else "")
        blank = numbered = False
        if markdown and (level := _heading_level(bare)):
            line.heading, bare = level, _heading_text(bare[level:].strip())
        elif markdown and bare.startswith(">"):
            line.quoted, bare = True, bare.lstrip("> ")
        elif bullet := _BULLET.match(bare):
            line.marker, bare = "bullet", bare[bullet.end() :]
        elif number := _NUMBER.match(bare):
            line.marker, bare = "number", bare[number.end() :]
            numbered = not bare  # "Step 1" on a line of its own belongs to the next
        elif markdown and _EMPHASISED.fullmatch(bare):
            line.emphasised = True
        line.text = tidy(_unmark(bare) if markdown else bare)
        if line.text:
            yield line


def _heading_level(bare: str) -> int:
    level = len(bare) - len(bare.lstrip("#"))
    return level if 1 <= level <= 6 and bare[level : level + 1].isspace() else 0


def _heading_text(text: str) -> str:
    """Drop the hashes that may close a heading."""
    open_text = text.rstrip("#")
    return open_text.rstrip() if open_text != text and open_text[-1:] in {"", " "} else text


def _unmark(text: str) -> str:
    """Drop Markdown's inline marks and undo its escapes."""
    return _MARKDOWN.sub(_mark_as_text, text)


def _inside_word(mark: re.Match[str]) -> bool:
    before, after = mark.string[max(mark.start() - 1, 0) : mark.start()], mark.string[mark.end() : mark.end() + 1]
    return before.isalnum() and after.isalnum()


def _mark_as_text(mark: re.Match[str]) -> str:
    if mark["underscores"] and _inside_word(mark):
        return mark["underscores"]  # inside a word they are no mark: "semi_sweet"
    return mark["escaped"] or mark["link"] or ""


def _part(line: _Line) -> str:
    """Name the part of the recipe that a heading opens, or ""."""
    if line.marker or line.quoted or len(line.text) > 80:
        return ""
    words = _IN_HEADING.sub("", line.text.replace("’", "'")).strip(": ")
    words = re.sub(r"^[^\w]+|[^\w]+$", "", words)  # "🛒 Ingredients"
    return next((part for part, pattern in _PART.items() if pattern.fullmatch(words)), "")


def _part_by_look(parts: _Parts) -> None:
    """Sort lines without headings: a title, then what looks like ingredients, then sentences."""
    lines, parts.head = parts.head, []
    start = next((i for i, line in enumerate(lines) if _looks_like_ingredient(line)), None)
    if start is None or start > 6:  # no amounts anywhere near the top: a bare list of names
        start = 1 if len(lines) > 1 and (lines[0].heading or lines[1].after_blank) else 0
        if sum(map(_looks_like_a_name, lines[start:])) * 2 <= len(lines[start:]):
            raise RecipeError(
                "I see no ingredient list here; put one ingredient on each line, or a heading above them."
            )
    while start > 1 and not lines[start].after_blank:  # "Butter", "Salt" above "2 slices bread"
        start -= 1
    parts.head, rest = lines[:start], lines[start:]
    for position, line in enumerate(rest):
        if _looks_like_step(line):
            parts.steps = rest[position:] + parts.steps
            break
        parts.ingredients.append(line)


def _looks_like_ingredient(line: _Line) -> bool:
    if line.heading or _looks_like_step(line):
        return False
    return line.marker == "bullet" or parse_line(line.text).amount is not None


def _looks_like_a_name(line: _Line) -> bool:
    return len(line.text.split()) <= 8 and not _CODE.search(line.text)


def _looks_like_step(line: _Line) -> bool:
    if line.heading:
        return False
    words = line.text.split()
    sentence = line.text.endswith((".", "!")) and len(words) > 1
    return (
        line.marker == "number"
        or len(words) > 25
        or (sentence and (len(words) > 5 or parse_line(line.text).amount is None))
    )


def _read_head(lines: list[_Line], facts: dict[str, str]) -> tuple[str, str]:
    title, description = "", []
    for line in lines:
        if not title and not line.quoted and not line.marker and (line.heading or not _take_facts(line, facts)):
            title = line.text
        elif line.quoted or not _take_facts(line, facts):
            description.append(line.text)
    return title, " ".join(description)


def _take_facts(line: _Line, facts: dict[str, str]) -> bool:
    """Take a line that tells servings, times and the like; several may share it: "Prep: 15 min | Cook: 1 h"."""
    parts = [part.strip() for part in line.text.split("|")] if not line.marker else [line.text]
    if len(parts) > 1 and all(any(pattern.fullmatch(part) for pattern in (*_FACT.values(), _SERVES)) for part in parts):
        return all(_take_fact(part, facts) for part in parts)
    return _take_fact(line.text, facts)


def _take_fact(text: str, facts: dict[str, str]) -> bool:
    for name, pattern in _FACT.items():
        if match := pattern.fullmatch(text):
            facts.setdefault(name, match["value"])
            return True
    if match := _SERVES.fullmatch(text):
        facts.setdefault("servings", match["value"])
        return True
    return False


def _read_steps(lines: list[_Line]) -> list[Step]:
    steps: list[Step] = []
    section = ""
    marked = any(line.marker for line in lines)
    paragraphs = not marked and any(line.after_blank for line in lines[1:])
    for line in lines:
        if line.heading or line.emphasised or (not line.marker and line.text.endswith(":") and len(line.text) < 60):
            section = line.text.rstrip(": ") or section
        elif (
            steps
            and not line.after_blank
            and ((marked and not line.marker) or paragraphs)
            and steps[-1].section == section
        ):
            steps[-1] = Step(f"{steps[-1].text} {line.text}", section)
        else:
            steps.append(Step(line.text, section))
    return steps
