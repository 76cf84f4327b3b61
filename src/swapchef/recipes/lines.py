"""One ingredient line -> amount, unit, package size, name and note.

Pure stages over the text: normalise the numbers, peel the measure off the front (or off the end, as many European
recipes write it), cut the remarks off the name. The whole line always survives in `IngredientLine.text`, so a line
that is not understood loses nothing: it becomes a name without an amount.
"""

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from swapchef.recipes.model import Amount, IngredientLine, Measure

# Surface form -> unit. Upper and lower case differ only in the one-letter forms of the first table.
_CASED_UNITS = {
    "T": "tablespoon",
    "t": "teaspoon",
    "C": "cup",
    "c": "cup",
    "g": "gram",
    "G": "gram",
    "l": "liter",
    "L": "liter",
}
_MEASURES = {
    "teaspoon": "teaspoons teasp tsp tsps tspn",
    "tablespoon": "tablespoons tablesp tbsp tbsps tbs tbl tb tblsp tbls tbspn",
    "cup": "cups cupful",
    "fluid ounce": "fluid-ounce fluid-ounces floz fl-oz fl-ounce fl-ounces",
    "pint": "pints pt pts",
    "quart": "quarts qt qts",
    "gallon": "gallons gal gals",
    "ounce": "ounces oz ozs",
    "pound": "pounds lb lbs",
    "gram": "grams gramme grammes gr gm gms",
    "kilogram": "kilograms kilo kilos kg kgs",
    "milligram": "milligrams mg",
    "milliliter": "milliliters millilitre millilitres ml mls",
    "centiliter": "centiliters centilitre centilitres cl",
    "deciliter": "deciliters decilitre decilitres dl",
    "liter": "liters litre litres ltr",
    "inch": "inches",
    "centimeter": "centimeters centimetre centimetres cm",
}
_COUNTERS = {
    "bag": "bags", "ball": "balls", "bar": "bars", "batch": "batches", "block": "blocks", "bottle": "bottles",
    "bowl": "bowls", "box": "boxes", "bulb": "bulbs", "bunch": "bunches", "bundle": "bundles", "can": "cans",
    "carton": "cartons", "clove": "cloves", "container": "containers", "cube": "cubes", "dash": "dashes",
    "dollop": "dollops", "dozen": "dozens doz", "drizzle": "", "drop": "drops", "ear": "ears",
    "envelope": "envelopes env", "fillet": "fillets filet filets", "glass": "glasses", "handful": "handfuls",
    "head": "heads", "jar": "jars", "jigger": "jiggers", "knob": "knobs", "leaf": "leaves", "link": "links",
    "loaf": "loaves", "log": "logs", "package": "packages pkg pkgs pack packs", "packet": "packets pkt sachet sachets",
    "pat": "pats", "part": "parts", "piece": "pieces pcs pc", "pinch": "pinches", "punnet": "punnets", "rack": "racks",
    "rasher": "rashers", "recipe": "", "rib": "ribs", "roll": "rolls", "round": "rounds", "scoop": "scoops",
    "serving": "servings", "sheet": "sheets", "shot": "shots", "slice": "slices", "splash": "splashes",
    "sprig": "sprigs", "square": "squares", "stalk": "stalks", "stem": "stems", "stick": "sticks", "strip": "strips",
    "tin": "tins", "tray": "trays", "tub": "tubs", "tube": "tubes", "wedge": "wedges", "wheel": "wheels",
}  # fmt: skip
# What looks like a unit and is part of a name: "2 rib eye steaks".
_NOT_UNITS = {("rib", "eye"), ("cube", "steak"), ("round", "steak"), ("leaf", "lettuce"), ("head", "cheese")}
# Only these hold a stated amount each: "2 sticks (1 cup) butter" is one cup in all.
_CONTAINERS = frozenset(
    "bag block bottle box can carton container envelope jar loaf package packet punnet tin tray tub tube".split()
)
_MEASURE_UNITS = {form: unit for unit, forms in _MEASURES.items() for form in (unit, *forms.split())}
_COUNTER_UNITS = {form: unit for unit, forms in _COUNTERS.items() for form in (unit, *forms.split())}
UNITS: dict[str, str] = {**_COUNTER_UNITS, **_MEASURE_UNITS}

_NUMBER_WORDS: dict[str, int | Fraction] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "half": Fraction(1, 2), "quarter": Fraction(1, 4),
}  # fmt: skip

_MAX_LINE = 1000  # characters
_D = r"\d{1,6}"
_NUMBER = rf"(?:{_D}\s*(?:-|\s|\sand\s)\s*{_D}\s*/\s*{_D}|{_D}\s*/\s*{_D}|{_D}(?:\.\d{{1,6}})?|\.\d{{1,6}})"
_WORD_NUMBER = r"(?:half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)\b"
_RANGE_LINK = r"\s*(?:-|to\b|or\b)\s*"
_END = r"(?![\w/%]|\.\d)"  # "2nd layer", "2% milk" and "80/20 beef" do not begin with an amount
_AMOUNT = re.compile(
    rf"(?P<low>{_NUMBER}{_END}|{_WORD_NUMBER}(?!-))(?:{_RANGE_LINK}(?P<high>{_NUMBER}{_END}|{_WORD_NUMBER}(?!-)))?",
    re.IGNORECASE,
)
_UNIT_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_APPROXIMATELY = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|up to|at least|~|circa|ca\.?)\s+", re.IGNORECASE
)
_SIZE = re.compile(
    r"(?:extra[- ]large|extra[- ]small|jumbo|large|medium(?:[- ]size[d]?)?|small|lg\.?|med\.?|sm\.?|big|heaping|heaped"
    r"|scant|generous|rounded|level|whole|(?:very )?(?:thin|thick)(?= (?:slice|strip|rasher)s?\b))(?:[- ]to[- ](?:large|medium))?\s+(?:size[d]?\s+)?",
    re.IGNORECASE,
)
HOW_FULL = r"(?:heaping|heaped|scant|generous|rounded|level)"  # a spoon or a cup
WIDTH = r"\d/\d[- ]inch(?:es)?(?:[- ](?:thick|long|wide))?"
_FULLNESS = re.compile(
    rf"(?:an? )?({HOW_FULL}|good|big|large|small)\s+(?=(?:pinch|dash|handful|splash|drizzle|knob|dollop)(?:es|s)?\b)"
    rf"|(?:(?:an?|one|1) )?(?:slightly )?({HOW_FULL})\s+(?=\d)",
    re.IGNORECASE,
)
# "4 1/2-inch-thick slices": four of them; "1 1/2-inch pieces" are of an inch and a half.
_COUNT_BEFORE_WIDTH = re.compile(
    rf"(?P<count>(?!1 ){_D}) (?P<width>{WIDTH})[- ](?=(?:slices|pieces|strips|rounds|steaks|chops)\b)", re.IGNORECASE
)
_SOME = re.compile(r"(?:an? (?:few|little|couple(?: of)?)|some|several)\s+(?=\w)", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:accompaniments?|garnish(?:es)?|for serving|for garnish|optional|topping)\s*:\s*(?=\w)", re.IGNORECASE
)
_OF = re.compile(r"(?:of|de)\s+(?:the\s+)?", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\(+([^()]*)\)+|\[([^\[\]]*)\]")
_TIMES = re.compile(r"\s*(?:[x×*]\s*(?=\d)|[x×]\s+(?=\w))", re.IGNORECASE)
_PRODUCT_OF = re.compile(
    r"(?:the\s+)?(?:(?:finely|freshly|coarsely)\s+)?(?:grated\s+|squeezed\s+)?(?P<what>juice|zest|rind|peel)"
    r"(?:\s+and\s+(?:grated\s+)?(?:juice|zest|rind|peel))?\s+(?:of|from)\s+(?P<rest>.*)",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\s*(?:,|;|\s[-–—]+\s|\bto (?:taste|cover)\b|\bas needed\b|\bif (?:desired|needed|necessary|available|using|you)\b|\bor to taste\b"
    r"|\bplus (?:more|extra|additional|\d)|\bat room temp|\bfor (?:serving|garnish|dusting|frying|rolling|greasing|brushing"
    r"|sprinkling|decoration|decorating|topping|drizzling|coating|the\b)|\b(?:cut|sliced|chopped|torn|broken) (?:in|into|up)\b"
    r"|\s\+\s(?=\d)|\babout\b|\bas an?\b|\bmade (?:from|with)\b|\bsuch as\b|\bpreferably\b|\bper (?:person|serving)\b|\buntil\b|\bwith (?:juice|liquid|syrup|skin|bone|the)\b)",
    re.IGNORECASE,
)
_BRAND = re.compile(r"^[^®™]{1,60}[®™]\s*(?=\w)")
_HOW = r"(?:finely|freshly|coarsely|thinly|roughly|lightly|firmly|loosely|thickly|gently|very|well)"
_PREPARATION = re.compile(
    rf"(?:(?:{_HOW}[- ])?(?:chopped|minced|diced|sliced|shredded|grated|peeled|packed|sifted|crumbled|crushed(?! red)|cubed|melted"
    r"|softened|beaten|shelled|seeded|halved|quartered|julienned|mashed|torn|snipped|trimmed|rinsed|drained|washed|squeezed"
    rf"|cored|stemmed|deveined)(?:\s*,\s*|\s+and\s+|\s+)|{_HOW}\s+|(?:ice[- ]cold|cold|warm|hot|lukewarm|boiling|iced?)\s+(?=(?:tap )?(?:water"
    r"|milk|cream|butter|broth|stock|coffee)\b))",
    re.IGNORECASE,
)
_COUNTED_AFTER = re.compile(
    r"(?P<name>.*garlic(?= clove)|.+(?= sprig)|.+(?= stalk))\s(?P<unit>cloves?|sprigs?|stalks?)$", re.IGNORECASE
)
_BARE_UNITS = frozenset({"pinch", "dash", "handful", "splash", "drizzle", "knob", "dollop"})
_ALTERNATIVE = re.compile(r"\s+(?:or|and/or)\s+", re.IGNORECASE)
_FRACTION_CHARS = str.maketrans({"⁄": "/", "∕": "/", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "\xa0": " "})
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TRAILING_COUNT = re.compile(
    rf"^(?P<name>[^\d,;()]{{2,60}}?)(?:\s*[:–-]\s+|\s+[x×]\s*|\s+\((?=\d+\)))(?P<count>{_D}(?:\s*/\s*{_D})?)\)?(?P<rest>,.*)?$",
    re.IGNORECASE,
)
_TRAILING_MEASURE = re.compile(rf"^(?P<name>.*?\w)[\s,:;-]+(?P<measure>{_NUMBER}\s*[^\W\d_]+\.?)$")


def parse_line(text: str, section: str = "") -> IngredientLine:
    """Understand one ingredient line; what is too long to be one is kept whole.

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
    if unit not in _CONTAINERS:  # what comes in a can is that product: "diced tomatoes"
        name, preparation = _without_preparation(name)
        note = ", ".join(part for part in (preparation, note) if part)
    if front.measure and not unit and (counted := _COUNTED_AFTER.match(name)):
        name, unit = counted["name"], UNITS[counted["unit"].lower()]
    note = ", ".join(part for part in (front.note, note) if part)
    return IngredientLine(
        text=text,
        name=name or text,
        amount=front.measure.amount if front.measure else None,
        unit=unit,
        pack=front.pack,
        note=note,
        section=section,
    )


class _Front(NamedTuple):
    """What was peeled off the front of a line, and the rest of it."""

    measure: Measure | None
    pack: Measure | None
    unit_text: str
    note: str
    rest: str
    bare_unit: str = ""  # "pinch of salt": a unit without an amount


def _plain_numbers(text: str) -> str:
    """Rewrite every way to write a number as ASCII digits: "1½" and "1¹⁄₂" -> "1 1/2", "1,5 l" -> "1.5 l"."""
    spelled = text if text.isascii() else "".join(map(_digits_of, " " + text, text))
    plain = spelled.translate(_FRACTION_CHARS).replace("&", " and ")
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


_NUMBER_SPELLINGS: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"(?<![\d,])0,(\d{1,3})(?!\d)"), r"0.\1"),  # "0,125 l"
    (re.compile(r"(\d),(\d{3})(?!\d)"), r"\1\2"),  # "1,000 g"
    (re.compile(r"(\d),(\d{1,2})(?=\s*[^\W\d])"), r"\1.\2"),  # "1,5 l"
    (
        re.compile(r"(?<![\d.])([1-9]\d{0,2})\.(000|500)(?=\s*(?:g|gr|grams?|ml)\b)"),
        r"\1\2",
    ),  # "1.000 g", German for 1,000
    (re.compile(r"(?i)(?<=\d)\s+and\s+a\s+half\b"), " 1/2"),
    (
        re.compile(r"(?i)\b(one|two|three|four|five)\s+and\s+(?=\d/\d)"),
        lambda found: f"{_NUMBER_WORDS[found[1].lower()]} ",
    ),
    (
        re.compile(r"(?i)(?<=[/\d])(?=(?:oz|ounces?|lbs?|g|kg|ml|cl|dl|l|cm|tsps?|tbsps?|tbs|cups?|inch|in)\b)"),
        " ",
    ),  # "250ml"
    (re.compile(r"(?<=\d)(?=[xX×](?:\s|\d))"), " "),  # "3x eggs"
]
_SYMBOLS_BEFORE_NUMBER = re.compile(r"^[^\w(.\[\"']+(?=\d)")  # bullets of all kinds: "▪ 2 tbsp oil", "🥚 2 eggs"


def _front_measure(text: str) -> _Front:
    if product := _PRODUCT_OF.match(text):  # "juice of 1 lemon" is lemon juice
        front = _front_measure(product["rest"])
        name, note = _name_and_note(front.rest)
        return front._replace(rest=f"{name} {product['what'].lower()}, {note}".rstrip(", "))
    leading = _PARENTHESIS.match(text)  # "(optional) 1 tsp vanilla"
    notes = [_inner_text(leading)] if leading and leading.end() < len(text) else []
    rest = text[leading.end() :].lstrip() if leading and notes else text
    rest = _drop(_SOME, _drop(_APPROXIMATELY, _drop(_LABEL, rest)))
    if full := _FULLNESS.match(rest):  # "Rounded 1/4 teaspoon pepper", "Large pinch of salt"
        notes, rest = [*notes, (full[1] or full[2]).lower()], rest[full.end() :]
    if wide := _COUNT_BEFORE_WIDTH.match(rest):
        notes, rest = [*notes, wide["width"]], f"{wide['count']} {rest[wide.end() :]}"
    amount, after = _amount(rest)
    if amount is None:
        unit, unit_text, after_unit = _unit(rest, counters_only=True)
        some = rest != text or unit in _BARE_UNITS or _OF.match(after_unit)  # "a few sprigs thyme", "pinch of salt"
        if unit and some and after_unit:
            return _Front(None, None, unit_text, ", ".join(notes), _drop(_OF, after_unit), bare_unit=unit)
        return _Front(None, None, "", ", ".join(notes), rest)
    front = _after_first_amount(amount, after)
    return front._replace(note=", ".join(part for part in (*notes, front.note) if part))


def _after_first_amount(amount: Amount, rest: str) -> _Front:
    """Read what follows the first number: a package size, an adjective of size, the unit, a second measure."""
    pack, remark, rest = _pack_before_unit(rest)
    size, unit, unit_text, rest = _size_and_unit(_drop(_OF, _drop(_APPROXIMATELY, rest)))
    if pack is None and unit in _MEASURES and (container := _unit(rest, counters_only=True))[0] in _CONTAINERS:
        pack, amount = Measure(amount, unit), Amount(Fraction(1))  # "400g tin chopped tomatoes"
        unit, unit_text, rest = container
    if pack is None and unit in _CONTAINERS and (inner := _PARENTHESIS.match(rest)):  # "1 can (14 oz) tomatoes"
        pack, _ = _size_of_one(_inner_text(inner))
        rest = rest[inner.end() :].lstrip() if pack else rest
    if unit and (other := re.match(r"or\s+(?=\w)", rest)) and (second := _unit(rest[other.end() :]))[0]:
        rest = second[2]  # "1 can or bottle beer"
    more, rest = _second_measure(rest) if unit in _MEASURES else ("", rest)
    rest = _drop(_OF, rest.lstrip(" .,-/"))
    notes = ", ".join(part for part in (size, more, remark) if part)
    return _Front(Measure(amount, unit), pack, unit_text, notes, rest)


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
    sized = _SIZE.match(rest)
    size = sized.group().strip() if sized else ""
    unit, unit_text, after = _unit(rest[sized.end() :] if sized else rest)
    if unit and not (sized and (not after or after[0] in ",;(")):  # "4 large cloves": the unit is the food itself
        return size, unit, unit_text, after
    if sized and size.lower() != "whole":  # "whole cloves" and "whole milk" are foods
        return size, "", "", rest[sized.end() :]
    return "", "", "", rest


def _second_measure(text: str) -> tuple[str, str]:
    """Take "plus 2 tablespoons", "/ 250 g" or "2 oz." off the front, between the unit and the name."""
    link = re.match(r"(?:(?:plus|and|\+)\s+|/\s*|)(?=\d)", text)
    if not link:
        return "", text
    amount, after = _amount(text[link.end() :])
    unit, _, rest = _unit(after)
    if amount is None or unit not in _MEASURES or not rest.strip(" ."):
        return "", text
    return text[: len(text) - len(rest)].strip(" ."), _drop(_OF, rest)


def _back_measure(text: str) -> _Front | None:
    """Read "flour 200 g", "Milk - 1 cup", "Eggs: 3" and "Onions (2), chopped"."""
    if counted := _TRAILING_COUNT.match(text):
        amount, _ = _amount(counted["count"])
        return _Front(Measure(amount), None, "", "", counted["name"] + (counted["rest"] or "")) if amount else None
    found = _TRAILING_MEASURE.match(text)
    if not found:
        return None
    amount, rest = _amount(found["measure"])
    unit, unit_text, after = _unit(rest)
    if amount is None or unit not in _MEASURES or after.strip(" ."):
        return None
    return _Front(Measure(amount, unit), None, unit_text, "", found["name"])


def _size_of_one(text: str) -> tuple[Measure | None, str]:
    """Read a package size such as "14-ounce", "3 to 4 pound" or "about 400 g", and return what follows it."""
    amount, rest = _amount(_drop(_APPROXIMATELY, text.strip()))
    if amount is None:
        return None, text
    unit, _, after = _unit(rest.lstrip("- "))
    return (Measure(amount, unit), after) if unit in _MEASURES else (None, text)


def _amount(text: str) -> tuple[Amount | None, str]:
    found = _AMOUNT.match(text)
    if not found:
        return None, text
    low, high = _value(found["low"]), _value(found["high"]) if found["high"] else None
    if low is None or (found["low"].isalpha() and not _word_counts(text[found.end() :])):
        return None, text
    if high is not None and high <= low:  # "3-2" is not a range
        return Amount(low), text[found.end("low") :].lstrip(" -") if high < low else text[found.end() :].lstrip()
    return Amount(low, high), text[found.end() :].lstrip(" ")


def _word_counts(rest: str) -> bool:
    """Tell "a pinch" and "one 10-ounce box" from "a good olive oil": the word counts if a unit or a number follows."""
    rest = _drop(_SIZE, rest.strip())
    return bool(rest[:1].isdigit() or rest[:1] == "(" or _unit(rest)[0]) or not rest.lower().startswith(
        ("of ", "good ")
    )


def _value(text: str) -> Fraction | None:
    words = text.lower().split()
    if words[0] in _NUMBER_WORDS:
        return Fraction(_NUMBER_WORDS[words[0]])
    parts = [part for part in re.split(r"\s*-\s*|\s+and\s+|\s+", re.sub(r"\s*/\s*", "/", text)) if part]
    try:
        values = [Fraction(part) for part in parts]
        lean = any("/" in part and value > 20 for part, value in zip(parts, values, strict=True))
        return None if lean or re.fullmatch(r"\d{2}/\d{2}", text) else sum(values, Fraction(0))  # "80/20 ground beef"
    except ZeroDivisionError:
        return None


def _unit(text: str, counters_only: bool = False) -> tuple[str, str, str]:
    """Return (unit, as written, rest of the text) where the text starts with a unit word, else ("", "", text)."""
    text = text.lstrip(" -")
    found = _UNIT_WORD.match(text)
    if not found:
        return "", "", text
    word, end = found.group(), found.end()
    unit = "" if counters_only else _CASED_UNITS.get(word, "")
    if word.lower() in {"fl", "fluid"} and (second := re.match(r"\.?\s*(?:oz|ounces?)\b", text[end:], re.IGNORECASE)):
        unit, end = "fluid ounce", end + second.end()
    elif not unit:
        unit = (_COUNTER_UNITS if counters_only else UNITS).get(word.lower(), "")
    tail = text[end:]
    if not unit or (
        (following := _UNIT_WORD.match(tail.lstrip(" -")))
        and (unit, following.group().lower().rstrip("s")) in _NOT_UNITS
    ):
        return "", "", text
    if tail.startswith("(s)"):
        tail = tail[3:]
    return unit, text[: len(text) - len(tail)], tail.lstrip(" .")


def _name_and_note(text: str) -> tuple[str, str]:
    """Cut "boneless chicken breast (skin on), diced" into the name and the remarks."""
    notes = [inner for found in _PARENTHESIS.finditer(text) if (inner := _inner_text(found))]
    bare = re.sub(r"\s+", " ", _PARENTHESIS.sub(" ", text)).strip(" ,;-")
    bare = _BRAND.sub("", bare).replace("®", "").replace("™", "")
    cut = _first_cut(bare)
    name, remark = bare[:cut].strip(" ,;:-*."), bare[cut:].strip(" ,;-")
    if alternative := _ALTERNATIVE.search(name):
        first, other = name[: alternative.start()], name[alternative.end() :]
        name, remark = _shared_noun(first, other), f"{alternative.group().strip()} {other}, {remark}".strip(", ")
    sized = _SIZE.match(name)
    if sized and not sized.group().lower().startswith(("whole", "long", "thick", "thin")):
        name, remark = name[sized.end() :], f"{sized.group().strip()} {remark}".strip()
    return name.strip(), ", ".join(part for part in (remark, *notes) if part)


def _shared_noun(first: str, other: str) -> str:
    """Complete the first of two kinds of one thing: "chicken" or "vegetable broth" -> "chicken broth"."""
    last, noun = first.split()[-1:], other.split()[-1:]
    if _only_adjectives(first):  # "fresh or frozen raspberries"
        kept = [word for word in other.split() if word.lower() not in _ADJECTIVES]
        return " ".join([first, *kept]) if kept else first
    if last and noun and len(other.split()) > 1 and last[0].lower() in _KINDS and noun[0].lower() in _KIND_NOUNS:
        return f"{first} {noun[0]}"
    return first


_KINDS = frozenset(
    "chicken beef vegetable canola corn flour olive peanut sunflower red white green yellow brown black orange sweet kosher sea light dark"
    " low-fat skim whole dry fresh frozen russet turkey fish veal balsamic semisweet bittersweet flat-leaf curly"
    " greek plain vanilla jasmine basmati navel wheat rye salted unsalted cheddar".split()
)
_KIND_NOUNS = frozenset(
    "broth stock oil vinegar wine tortilla tortillas milk cream cheese sugar flour pepper peppers salt onion onions bread rice bean beans"
    " sauce juice chips syrup mustard yogurt apples potatoes parsley chocolate butter bouillon grapes stew gravy rum chile chiles".split()
)


def _without_preparation(name: str) -> tuple[str, str]:
    """Move "finely chopped" from the front of a name into the note, as long as a name remains."""
    done = ""
    while (found := _PREPARATION.match(name)) and found.end() < len(name):
        done, name = done + found.group(), name[found.end() :]
    return name, done.strip(" ,")


def _first_cut(text: str) -> int:
    """Find where the name ends; a comma after nothing but adjectives ("boneless, skinless chicken") does not end it."""
    for found in _REMARK.finditer(text):
        before = text[: found.start()].strip(" ,")
        if not before:
            continue
        if found.group().strip() == "," and _only_adjectives(before):
            continue
        return found.start()
    return len(text)


_ADJECTIVES = frozenset(
    "boneless skinless bone-in skin-on fresh freshly frozen dried dry raw ripe large small medium lean extra thick thin chopped diced minced sliced"
    " shredded grated cooked uncooked cold warm hot unsalted salted unsweetened sweetened low-fat fat-free nonfat reduced-fat"
    " low-sodium reduced-sodium finely coarsely peeled pitted seedless firm soft crisp crushed ground melted softened"
    " packed organic plain good-quality crumbled toasted roasted smoked canned cubed julienned mashed pure natural skinned deboned"
    " trimmed rinsed drained all-purpose free-range hard-boiled warmed chilled washed seeded cored halved quartered thinly roughly"
    " light dark day-old very and or long short whole full-fat condensed lightly beaten sifted separated".split()
)


def _only_adjectives(text: str) -> bool:
    return all(word.strip(",").lower() in _ADJECTIVES for word in text.split())


def _inner_text(found: re.Match[str]) -> str:
    return (found.group(1) or found.group(2) or "").strip(" ,;")


def _drop(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return text[found.end() :] if found else text
