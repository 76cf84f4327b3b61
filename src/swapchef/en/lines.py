"""The English of ingredient lines: number words, the patterns of remarks, and lists of words.

`recipes.lines` has the stages of parsing and takes every word from here; units are in `units.tsv` beside this file.
Another language is another folder with a `lines.py` of the same names.
"""

import re
from fractions import Fraction

# Numbers --------------------------------------------------------------------------------------------------------------

NUMBER_WORDS: dict[str, int | Fraction] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "half": Fraction(1, 2), "quarter": Fraction(1, 4),
}  # fmt: skip
# The same words as a pattern; "half a" and "half an" are one half.
NUMBER_WORD = rf"(?:half an?|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b"
AND = "and"  # "1 and 1/2"
RANGE_WORDS = r"to\b|or\b"  # "2 to 3", "2 or 3"
PLUS_WORDS = "plus|and"  # "1 cup plus 2 tablespoons"
AND_A_HALF = re.compile(r"(?i)(?<=\d)\s+and\s+a\s+half\b")  # "1 and a half"
WORD_AND_FRACTION = re.compile(r"(?i)\b(one|two|three|four|five)\s+and\s+(?=\d/\d)")  # "one and 1/2"
# "1.000 g": a full stop before three zeros in a weight or a volume parts thousands, as Germans write them.
THOUSANDS = re.compile(r"(?<![\d.])([1-9]\d{0,2})\.(000|500)(?=\s*(?:g|gr|grams?|ml)\b)")
UNITS_AFTER_DIGITS = re.compile(
    r"""
    (?<=[/\d])  # between a number ...
    (?=(?:oz|ounces?|lbs?|g|kg|ml|cl|dl|l|cm|tsps?|tbsps?|tbs|cups?|inch|in)\b)  # ... and its unit: "250ml"
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A word after which "a" or "an" does not count: "a good olive oil", unlike "a pinch".
NOT_COUNTED = ("of ", "good ")

# Units ----------------------------------------------------------------------------------------------------------------

# Units of two words: how they begin, and what must follow.
TWO_WORD_UNITS = {
    first: ("fluid ounce", re.compile(r"\.?\s*(?:oz|ounces?)\b", re.IGNORECASE)) for first in ("fl", "fluid")
}
# A unit and a word after it that together are the name of a food: "2 rib eye steaks".
NOT_UNITS = {("rib", "eye"), ("cube", "steak"), ("round", "steak"), ("leaf", "lettuce"), ("head", "cheese")}
OR_UNIT = re.compile(r"or\s+(?=\w)")  # "1 can or bottle beer"
# A unit after the name: "3 garlic cloves".
COUNTED_AFTER = re.compile(
    r"""
    (?P<name> .*garlic(?=\ clove) | .+(?=\ sprig) | .+(?=\ stalk) ) \s
    (?P<unit> cloves? | sprigs? | stalks? ) $
    """,
    re.VERBOSE | re.IGNORECASE,
)
HOW_FULL = r"(?:heaping|heaped|scant|generous|rounded|level)"  # a spoon or a cup
WIDTH = r"\d/\d[- ]inch(?:es)?(?:[- ](?:thick|long|wide))?"
FULLNESS = re.compile(
    rf"""
    # "Large pinch of salt"
    (?:an?\ )? ({HOW_FULL}|good|big|large|small) \s+
    (?= (?:pinch|dash|handful|splash|drizzle|knob|dollop)(?:es|s)?\b )
    # "Rounded 1/4 teaspoon pepper", "a slightly heaping 1/2 cup"
    | (?:(?:an?|one|1)\ )? (?:slightly\ )? ({HOW_FULL}) \s+ (?=\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "4 1/2-inch-thick slices" are four of them; "1 1/2-inch pieces" are of an inch and a half.
COUNT_BEFORE_WIDTH = re.compile(
    rf"""
    (?P<count> (?!1\ )\d{{1,6}} ) \  (?P<width> {WIDTH} ) [- ]
    (?= (?:slices|pieces|strips|rounds|steaks|chops)\b )
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Before the name ------------------------------------------------------------------------------------------------------

APPROXIMATELY = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|up to|at least|~|circa|ca\.?)\s+", re.IGNORECASE
)
SOME = re.compile(r"(?:an? (?:few|little|couple(?: of)?)|some|several)\s+(?=\w)", re.IGNORECASE)
LABEL = re.compile(
    r"""
    (?: accompaniments? | garnish(?:es)? | for\ serving | for\ garnish | optional | topping )
    \s* : \s* (?=\w)  # a label has something after it; a heading has not
    """,
    re.VERBOSE | re.IGNORECASE,
)
OF = re.compile(r"(?:of|de)\s+(?:the\s+)?", re.IGNORECASE)
SIZE = re.compile(
    r"""
    (?: extra[- ]large | extra[- ]small | jumbo | large | medium(?:[- ]sized?)? | small | lg\.? | med\.? | sm\.? | big
      | heaping | heaped | scant | generous | rounded | level | whole
      | (?:very\ )?(?:thin|thick)(?=\ (?:slice|strip|rasher)s?\b)
    )
    (?:[- ]to[- ](?:large|medium))?  # "medium to large"
    \s+ (?:sized?\s+)?  # "medium size"
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Sizes that are part of what a food is: "whole cloves", "whole milk".
SIZE_IN_NAME = "whole"
SIZES_IN_NAME = ("whole", "long", "thick", "thin")
# "juice of 1 lemon", "the grated zest and juice of 2 limes"
PRODUCT_OF = re.compile(
    r"""
    (?:the\s+)? (?:(?:finely|freshly|coarsely)\s+)? (?:grated\s+|squeezed\s+)?
    (?P<what>juice|zest|rind|peel)
    (?:\s+and\s+(?:grated\s+)?(?:juice|zest|rind|peel))?
    \s+(?:of|from)\s+ (?P<rest>.*)
    """,
    re.VERBOSE | re.IGNORECASE,
)

# After the name -------------------------------------------------------------------------------------------------------

# Where a name ends and a remark on it begins.
REMARK = re.compile(
    r"""
    \s* (?: , | ; | \s[-–—]+\s
      # how much
      | \b to\ (?:taste|cover) \b | \b as\ needed \b | \b or\ to\ taste \b
      | \b if\ (?:desired|needed|necessary|available|using|you) \b
      | \b plus\ (?:more|extra|additional|\d) | \s\+\s(?=\d) | \b about \b | \b per\ (?:person|serving) \b
      # what for
      | \b for\ (?:serving|garnish|dusting|frying|rolling|greasing|brushing|sprinkling|decoration|decorating|topping
                |drizzling|coating|the\b)
      # in which state
      | \b at\ room\ temp | \b (?:cut|sliced|chopped|torn|broken)\ (?:in|into|up) \b | \b until \b
      | \b with\ (?:juice|liquid|syrup|skin|bone|the) \b
      # which one
      | \b as\ an? \b | \b made\ (?:from|with) \b | \b such\ as \b | \b preferably \b
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
ALTERNATIVE = re.compile(r"\s+(?:or|and/or)\s+", re.IGNORECASE)

_HOW = r"(?:finely|freshly|coarsely|thinly|roughly|lightly|firmly|loosely|thickly|gently|very|well)"
PREPARATION = re.compile(
    rf"""
    # "finely chopped", "peeled and", "crushed" but not "crushed red pepper"
    (?:{_HOW}[- ])?
    (?: chopped | minced | diced | sliced | shredded | grated | peeled | packed | sifted | crumbled | crushed(?!\ red)
      | cubed | melted | softened | beaten | shelled | seeded | halved | quartered | julienned | mashed | torn | snipped
      | trimmed | rinsed | drained | washed | squeezed | cored | stemmed | deveined
    )
    (?: \s*,\s* | \s+and\s+ | \s+ )
    # an adverb whose participle is not listed: "lightly salted"
    | {_HOW} \s+
    # "ice cold water"
    | (?: ice[- ]cold | cold | warm | hot | lukewarm | boiling | iced? ) \s+
      (?= (?:tap\ )? (?:water|milk|cream|butter|broth|stock|coffee) \b )
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Words of a name that a comma or an "or" after them does not end: "boneless, skinless chicken", "fresh or frozen peas".
ADJECTIVES = frozenset(
    "boneless skinless bone-in skin-on fresh freshly frozen dried dry raw ripe large small medium lean extra thick thin"
    " chopped diced minced sliced shredded grated cooked uncooked cold warm hot unsalted salted unsweetened sweetened"
    " low-fat fat-free nonfat reduced-fat low-sodium reduced-sodium finely coarsely peeled pitted seedless firm soft"
    " crisp crushed ground melted softened packed organic plain good-quality crumbled toasted roasted smoked canned"
    " cubed julienned mashed pure natural skinned deboned trimmed rinsed drained all-purpose free-range hard-boiled"
    " warmed chilled washed seeded cored halved quartered thinly roughly light dark day-old very and or long short"
    " whole full-fat condensed lightly beaten sifted separated".split()
)
# Kinds of a food that share its noun, and the nouns: "chicken or vegetable broth".
KINDS = frozenset(
    "chicken beef vegetable canola corn flour olive peanut sunflower red white green yellow brown black orange sweet"
    " kosher sea light dark low-fat skim whole dry fresh frozen russet turkey fish veal balsamic semisweet bittersweet"
    " flat-leaf curly greek plain vanilla jasmine basmati navel wheat rye salted unsalted cheddar".split()
)
KIND_NOUNS = frozenset(
    "broth stock oil vinegar wine tortilla tortillas milk cream cheese sugar flour pepper peppers salt onion onions"
    " bread rice bean beans sauce juice chips syrup mustard yogurt apples potatoes parsley chocolate butter bouillon"
    " grapes stew gravy rum chile chiles".split()
)
