"""One ingredient line -> amount, unit, package size, name and note.

The stages are pure functions over the text: normalise the numbers, take the measure off the front (or off the end, as
many European recipes write it), cut the remarks off the name. A line that is not understood becomes a name without an
amount, and the words of the language come from `en.lines` and `en/units.tsv`.
"""

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from swapchef.en import lines as language
from swapchef.recipes.model import Amount, IngredientLine, Measure
from swapchef.recipes.units import ENGLISH as UNIT_TABLE

_MAX_LINE = 1000  # characters
_DIGITS = r"\d{1,6}"
_NUMBER = rf"""(?:
    {_DIGITS}\s*(?:-|\s|\s{language.AND}\s)\s*{_DIGITS}\s*/\s*{_DIGITS}  # "1 1/2", "1-1/2", "1 and 1/2"
    | {_DIGITS}\s*/\s*{_DIGITS}  # "1/2"
    | {_DIGITS}(?:\.\d{{1,6}})?  # "2", "2.5"
    | \.\d{{1,6}}  # ".5"
)"""
# Spaces in the language's words are escaped for patterns that ignore them.
_NUMBER_WORD = language.NUMBER_WORD.replace(" ", r"\ ")
_QUANTITY = rf"""(?:
    {_NUMBER}(?![\w/%]|\.\d)  # "2nd layer", "2% milk" and "80/20 beef" do not begin with an amount
    | {_NUMBER_WORD}(?!-)
)"""
_AMOUNT = re.compile(
    rf"(?P<low>{_QUANTITY}) (?: \s*(?:-|{language.RANGE_WORDS})\s* (?P<high>{_QUANTITY}) )?",
    re.VERBOSE | re.IGNORECASE,
)
_BETWEEN_NUMBERS = re.compile(rf"\s*-\s*|\s+{language.AND}\s+|\s+", re.IGNORECASE)
_UNIT_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SECOND_MEASURE = re.compile(rf"(?:(?:{language.PLUS_WORDS}|\+)\s+|/\s*|)(?=\d)")
_PARENTHESIS = re.compile(r"\(+([^()]*)\)+|\[([^\[\]]*)\]")
_TIMES = re.compile(r"\s*(?:[x×*]\s*(?=\d)|[x×]\s+(?=\w))", re.IGNORECASE)
_BRAND = re.compile(r"^[^®™]{1,60}[®™]\s*(?=\w)")
_TRAILING_COUNT = re.compile(
    rf"""
    ^ (?P<name> [^\d,;()]{{2,60}}? )
    (?: \s*[:–-]\s+ | \s+[x×]\s* | \s+\((?=\d+\)) )  # "Eggs: 3", "Eggs x 3", "Onions (2)"
    (?P<count> {_DIGITS}(?:\s*/\s*{_DIGITS})? ) \)?
    (?P<rest> ,.* )? $
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TRAILING_MEASURE = re.compile(rf"^ (?P<name> .*?\w ) [\s,:;-]+ (?P<measure> {_NUMBER}\s*[^\W\d_]+\.? ) $", re.VERBOSE)
_FRACTION_CHARS = str.maketrans({"⁄": "/", "∕": "/", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "\xa0": " "})
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SYMBOLS_BEFORE_NUMBER = re.compile(r"^[^\w(.\[\"']+(?=\d)")  # bullets of all kinds: "▪ 2 tbsp oil", "🥚 2 eggs"
# Ways to write a number, and how the patterns above expect it; the order matters.
_NUMBER_SPELLINGS: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"(?<![\d,])0,(\d{1,3})(?!\d)"), r"0.\1"),  # "0,125 l"
    (re.compile(r"(\d),(\d{3})(?!\d)"), r"\1\2"),  # "1,000 g"
    (re.compile(r"(\d),(\d{1,2})(?=\s*[^\W\d])"), r"\1.\2"),  # "1,5 l"
    (language.THOUSANDS, r"\1\2"),  # "1.000 g"
    (language.AND_A_HALF, " 1/2"),
    (language.WORD_AND_FRACTION, lambda match: f"{language.NUMBER_WORDS[match[1].lower()]} "),
    (language.UNITS_AFTER_DIGITS, " "),  # "250ml"
    (re.compile(r"(?<=\d)(?=[xX×](?:\s|\d))"), " "),  # "3x eggs"
]


class _Front(NamedTuple):
    """What was taken off the front of a line, and the rest of it."""

    measure: Measure | None
    pack: Measure | None
    unit_text: str
    note: str
    rest: str
    bare_unit: str = ""  # "pinch of salt": a unit without an amount


def parse_line(text: str, section: str = "") -> IngredientLine:
    """Understand one ingredient line; what is too long to be one stays whole.

    >>> line = parse_line("1 (14 ounce) can diced tomatoes, drained")
    >>> str(line.amount), line.unit, str(line.pack.amount), line.name, line.note
    ('1', 'can', '14', 'diced tomatoes', 'drained')
    """
    if len(text) > _MAX_LINE:
        return IngredientLine(text, text, section=section)
    return _parsed(text, section)


@lru_cache(maxsize=10_000)  # "1 teaspoon salt" comes again and again
def _parsed(text: str, section: str) -> IngredientLine:
    front = _front_measure(_plain_numbers(text))
    if front.measure is None and front.pack is None and (back := _back_measure(front.rest)):
        front = back
    name, note = _name_and_note(front.rest)
    unit = front.measure.unit if front.measure else front.bare_unit
    if not name and unit:  # "2 cloves": the unit was the food
        name, unit = front.unit_text.strip(" ."), ""
    if unit not in UNIT_TABLE.containers:  # what comes in a can is that product: "diced tomatoes"
        name, preparation = _without_preparation(name)
        note = _joined(preparation, note)
    if front.measure and not unit and (counted := language.COUNTED_AFTER.match(name)):
        name, unit = counted["name"], UNIT_TABLE.units[counted["unit"].lower()]
    return IngredientLine(
        text=text,
        name=name or text,
        amount=front.measure.amount if front.measure else None,
        unit=unit,
        pack=front.pack,
        note=_joined(front.note, note),
        section=section,
    )


# Numbers --------------------------------------------------------------------------------------------------------------


def _plain_numbers(text: str) -> str:
    """Rewrite every way to write a number as ASCII digits: "1½" and "1¹⁄₂" -> "1 1/2", "1,5 l" -> "1.5 l"."""
    in_digits = text if text.isascii() else "".join(map(_digits_of, " " + text, text))
    plain = in_digits.translate(_FRACTION_CHARS).replace("&", f" {language.AND} ")
    for pattern, replacement in _NUMBER_SPELLINGS:
        plain = pattern.sub(replacement, plain)
    return _SYMBOLS_BEFORE_NUMBER.sub("", re.sub(r"\s+", " ", plain)).lstrip(" -•*·▢□☐").rstrip(" -•*·.")


def _digits_of(previous: str, char: str) -> str:
    """Write a character in digits if it is a number by itself: "½", "²", "₂"."""
    value = unicodedata.numeric(char, None) if unicodedata.category(char) == "No" else None
    if value is None:
        return char
    if char in _SUPERSCRIPTS:
        return (" " if previous.isdecimal() else "") + str(int(value))
    if "₀" <= char <= "₉":
        return str(int(value))
    return f" {Fraction(value).limit_denominator(16)}"


def _amount(text: str) -> tuple[Amount | None, str]:
    """Take an amount off the front, and return what follows it."""
    match = _AMOUNT.match(text)
    if not match:
        return None, text
    low, high = _value(match["low"]), _value(match["high"]) if match["high"] else None
    if low is None or (match["low"].isalpha() and not _word_counts(text[match.end() :])):
        return None, text
    if high is not None and high <= low:  # "3-2" is not a range
        return Amount(low), text[match.end("low") :].lstrip(" -") if high < low else text[match.end() :].lstrip()
    return Amount(low, high), text[match.end() :].lstrip(" ")


def _word_counts(rest: str) -> bool:
    """Tell "a pinch" and "one 10-ounce box" from "a good olive oil": the word counts if a unit or a number follows."""
    rest = _drop(language.SIZE, rest.strip())
    if rest[:1].isdigit() or rest[:1] == "(" or _unit(rest)[0]:
        return True
    return not rest.lower().startswith(language.NOT_COUNTED)


def _value(text: str) -> Fraction | None:
    words = text.lower().split()
    if words[0] in language.NUMBER_WORDS:
        return Fraction(language.NUMBER_WORDS[words[0]])
    parts = [part for part in _BETWEEN_NUMBERS.split(re.sub(r"\s*/\s*", "/", text)) if part]
    try:
        values = [Fraction(part) for part in parts]
    except ZeroDivisionError:
        return None
    is_lean_to_fat = any("/" in part and value > 20 for part, value in zip(parts, values, strict=True))
    if is_lean_to_fat or re.fullmatch(r"\d{2}/\d{2}", text):  # "80/20 ground beef"
        return None
    return sum(values, Fraction(0))


# Measures -------------------------------------------------------------------------------------------------------------


def _front_measure(text: str) -> _Front:
    """Take everything off the front that comes before the name."""
    if product := language.PRODUCT_OF.match(text):  # "juice of 1 lemon" is lemon juice
        front = _front_measure(product["rest"])
        name, note = _name_and_note(front.rest)
        return front._replace(rest=f"{name} {product['what'].lower()}, {note}".rstrip(", "))
    leading = _PARENTHESIS.match(text)  # "(optional) 1 tsp vanilla"
    notes = [_inner_text(leading)] if leading and leading.end() < len(text) else []
    rest = text[leading.end() :].lstrip() if leading and notes else text
    rest = _drop(language.SOME, _drop(language.APPROXIMATELY, _drop(language.LABEL, rest)))
    if fullness := language.FULLNESS.match(rest):  # "Rounded 1/4 teaspoon pepper", "Large pinch of salt"
        notes, rest = [*notes, (fullness[1] or fullness[2]).lower()], rest[fullness.end() :]
    if counted := language.COUNT_BEFORE_WIDTH.match(rest):
        notes, rest = [*notes, counted["width"]], f"{counted['count']} {rest[counted.end() :]}"
    amount, after = _amount(rest)
    if amount is None:
        return _unit_without_amount(rest, ", ".join(notes), is_shortened=rest != text)
    front = _after_first_amount(amount, after)
    return front._replace(note=_joined(*notes, front.note))


def _unit_without_amount(rest: str, note: str, is_shortened: bool) -> _Front:
    """Take a unit off the front where it stands for some: "a few sprigs thyme", "pinch of salt"."""
    unit, unit_text, after_unit = _unit(rest, counters_only=True)
    means_some = is_shortened or unit in UNIT_TABLE.pinches or language.OF.match(after_unit)
    if unit and means_some and after_unit:
        return _Front(None, None, unit_text, note, _drop(language.OF, after_unit), bare_unit=unit)
    return _Front(None, None, "", note, rest)


def _after_first_amount(amount: Amount, rest: str) -> _Front:
    """Read what follows the first number: a package size, an adjective of size, the unit, a second measure."""
    pack, remark, rest = _pack_before_unit(rest)
    size, unit, unit_text, rest = _size_and_unit(_drop(language.OF, _drop(language.APPROXIMATELY, rest)))
    if pack is None and unit in UNIT_TABLE.measures:  # "400g tin chopped tomatoes"
        container, container_text, after_container = _unit(rest, counters_only=True)
        if container in UNIT_TABLE.containers:
            pack, amount = Measure(amount, unit), Amount(Fraction(1))
            unit, unit_text, rest = container, container_text, after_container
    if pack is None and unit in UNIT_TABLE.containers and (inner := _PARENTHESIS.match(rest)):
        pack, _ = _size_of_one(_inner_text(inner))  # "1 can (14 oz) tomatoes"
        rest = rest[inner.end() :].lstrip() if pack else rest
    if unit and (other := language.OR_UNIT.match(rest)):  # "1 can or bottle beer"
        second_unit, _, after_second = _unit(rest[other.end() :])
        rest = after_second if second_unit else rest
    second, rest = _second_measure(rest) if unit in UNIT_TABLE.measures else ("", rest)
    rest = _drop(language.OF, rest.lstrip(" .,-/"))
    return _Front(Measure(amount, unit), pack, unit_text, _joined(size, second, remark), rest)


def _pack_before_unit(rest: str) -> tuple[Measure | None, str, str]:
    """Take the size of one package off the front; also return a remark that stands in its place."""
    if times := _TIMES.match(rest):
        pack, after = _size_of_one(rest[times.end() :])
        return (pack, "", after) if pack else (None, "", rest[times.end() :])  # "2 x 400 g tins", "3 x eggs"
    if inner := _PARENTHESIS.match(rest):  # "1 (14 ounce) can"
        pack, _ = _size_of_one(_inner_text(inner))
        return pack, "" if pack else _inner_text(inner), rest[inner.end() :].lstrip()
    if rest[:1].isdigit():  # "1 14-ounce can"
        pack, after = _size_of_one(rest)
        if pack and pack.unit not in {"inch", "centimeter"}:  # "1 8-inch pie crust" says which crust
            return pack, "", after
    return None, "", rest


def _size_and_unit(rest: str) -> tuple[str, str, str, str]:
    """Return (size, unit, unit as written, rest): "large cloves garlic" -> ("large", "clove", "cloves ", "garlic")."""
    sized = language.SIZE.match(rest)
    size = sized.group().strip() if sized else ""
    unit, unit_text, after = _unit(rest[sized.end() :] if sized else rest)
    if unit and not (sized and (not after or after[0] in ",;(")):  # "4 large cloves": the unit is the food itself
        return size, unit, unit_text, after
    if sized and size.lower() != language.SIZE_IN_NAME:
        return size, "", "", rest[sized.end() :]
    return "", "", "", rest


def _second_measure(text: str) -> tuple[str, str]:
    """Take "plus 2 tablespoons", "/ 250 g" or "2 oz." off the front, between the unit and the name."""
    link = _SECOND_MEASURE.match(text)
    if not link:
        return "", text
    amount, after = _amount(text[link.end() :])
    unit, _, rest = _unit(after)
    if amount is None or unit not in UNIT_TABLE.measures or not rest.strip(" ."):
        return "", text
    return text[: len(text) - len(rest)].strip(" ."), _drop(language.OF, rest)


def _back_measure(text: str) -> _Front | None:
    """Read "flour 200 g", "Milk - 1 cup", "Eggs: 3" and "Onions (2), chopped"."""
    if counted := _TRAILING_COUNT.match(text):
        amount, _ = _amount(counted["count"])
        return _Front(Measure(amount), None, "", "", counted["name"] + (counted["rest"] or "")) if amount else None
    measured = _TRAILING_MEASURE.match(text)
    if not measured:
        return None
    amount, rest = _amount(measured["measure"])
    unit, unit_text, after = _unit(rest)
    if amount is None or unit not in UNIT_TABLE.measures or after.strip(" ."):
        return None
    return _Front(Measure(amount, unit), None, unit_text, "", measured["name"])


def _size_of_one(text: str) -> tuple[Measure | None, str]:
    """Read a package size such as "14-ounce", "3 to 4 pound" or "about 400 g", and return what follows it."""
    amount, rest = _amount(_drop(language.APPROXIMATELY, text.strip()))
    if amount is None:
        return None, text
    unit, _, after = _unit(rest.lstrip("- "))
    return (Measure(amount, unit), after) if unit in UNIT_TABLE.measures else (None, text)


def _unit(text: str, counters_only: bool = False) -> tuple[str, str, str]:
    """Return (unit, as written, rest of the text) where the text starts with a unit word, else ("", "", text)."""
    text = text.lstrip(" -")
    match = _UNIT_WORD.match(text)
    if not match:
        return "", "", text
    word, end = match.group(), match.end()
    unit = "" if counters_only else UNIT_TABLE.letters.get(word, "")
    two_word_unit, second_word = language.TWO_WORD_UNITS.get(word.lower(), ("", None))
    if second_word and (second := second_word.match(text[end:])):
        unit, end = two_word_unit, end + second.end()
    elif not unit:
        unit = (UNIT_TABLE.counters if counters_only else UNIT_TABLE.units).get(word.lower(), "")
    rest = text[end:]
    following = _UNIT_WORD.match(rest.lstrip(" -"))
    is_name = following and (unit, following.group().lower().rstrip("s")) in language.NOT_UNITS
    if not unit or is_name:
        return "", "", text
    if rest.startswith("(s)"):
        rest = rest[3:]
    return unit, text[: len(text) - len(rest)], rest.lstrip(" .")


# The name and its remarks ---------------------------------------------------------------------------------------------


def _name_and_note(text: str) -> tuple[str, str]:
    """Cut "boneless chicken breast (skin on), diced" into the name and the remarks."""
    notes = [inner for parenthesis in _PARENTHESIS.finditer(text) if (inner := _inner_text(parenthesis))]
    bare = re.sub(r"\s+", " ", _PARENTHESIS.sub(" ", text)).strip(" ,;-")
    bare = _BRAND.sub("", bare).replace("®", "").replace("™", "")
    name_end = _name_end(bare)
    name, remark = bare[:name_end].strip(" ,;:-*."), bare[name_end:].strip(" ,;-")
    if alternative := language.ALTERNATIVE.search(name):
        first, other = name[: alternative.start()], name[alternative.end() :]
        name, remark = _shared_noun(first, other), f"{alternative.group().strip()} {other}, {remark}".strip(", ")
    sized = language.SIZE.match(name)
    if sized and not sized.group().lower().startswith(language.SIZES_IN_NAME):
        name, remark = name[sized.end() :], f"{sized.group().strip()} {remark}".strip()
    return name.strip(), _joined(remark, *notes)


def _name_end(text: str) -> int:
    """Find where the name ends; a comma after nothing but adjectives ("boneless, skinless chicken") does not end it."""
    for remark in language.REMARK.finditer(text):
        before = text[: remark.start()].strip(" ,")
        if not before:
            continue
        if remark.group().strip() == "," and _only_adjectives(before):
            continue
        return remark.start()
    return len(text)


def _shared_noun(first: str, other: str) -> str:
    """Complete the first of two kinds of one thing: "chicken" or "vegetable broth" -> "chicken broth"."""
    if _only_adjectives(first):  # "fresh or frozen raspberries"
        food = [word for word in other.split() if word.lower() not in language.ADJECTIVES]
        return " ".join([first, *food])
    first_words, other_words = first.split(), other.split()
    if not first_words or len(other_words) < 2:
        return first
    shares = first_words[-1].lower() in language.KINDS and other_words[-1].lower() in language.KIND_NOUNS
    return f"{first} {other_words[-1]}" if shares else first


def _without_preparation(name: str) -> tuple[str, str]:
    """Move "finely chopped" from the front of a name into the note, as long as a name remains."""
    preparation = ""
    while (match := language.PREPARATION.match(name)) and match.end() < len(name):
        preparation, name = preparation + match.group(), name[match.end() :]
    return name, preparation.strip(" ,")


def _only_adjectives(text: str) -> bool:
    return all(word.strip(",").lower() in language.ADJECTIVES for word in text.split())


def _inner_text(parenthesis: re.Match[str]) -> str:
    return (parenthesis.group(1) or parenthesis.group(2) or "").strip(" ,;")


def _joined(*notes: str) -> str:
    return ", ".join(note for note in notes if note)


def _drop(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text[match.end() :] if match else text
