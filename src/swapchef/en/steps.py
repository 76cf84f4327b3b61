"""The English of titles and steps: what stands before and after a food's name, and what changes with it.

`editing` has the rules and takes every word and pattern from here. Another language is another folder with a
`steps.py` of the same names.
"""

import re
from functools import cache

# Right before a food's name; every pattern ends where the name begins -------------------------------------------------

ONE_BEFORE = re.compile(r"\b(a|an|one|each|every|another)\s+$", re.IGNORECASE)
EXACTLY_ONE_BEFORE = re.compile(r"(?<![\d/.½¼¾⅓⅔⅛] )(?<![\d/.-])1 $")  # but not "2 1" or "1/1"
ARTICLE_BEFORE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
LAST_WORD_BEFORE = re.compile(r"(?:^|(?<=[\s,(]))(?P<word>[^\W\d_]+)(?P<gap>,?\s+)$")
VERB_BEFORE = re.compile(
    r"""
    \b (?P<verb> [^\W\d_]+ )
    (?P<rest> \s+ (?: the\s+ | remaining\s+ | some\s+ | a\ little\s+ )* ) $  # "beat the remaining"
    """,
    re.VERBOSE,
)
PAIRED_VERB_BEFORE = re.compile(r"\b(?P<first>[^\W\d_]+) and $")  # "grease and flour"
JOINED_BEFORE = re.compile(r"\b(?:and|or|&)\s+(?:the\s+)?$")  # "carrots and the potatoes"
SPRAY_BEFORE = re.compile(r"\b[Ss]pray\b(?=[^.;]*\bwith\s*$)")  # "Spray a pan with"
INSTEAD_OF_SPRAY = "grease"
LIST_NUMBER_BEFORE = re.compile(r"\d\)\s*$")  # "2) Melt"
PARTICIPLE_ENDINGS = ("ed", "beaten")  # of what was done to a food: "melted", "lightly beaten"
NO_COMMAND_ENDINGS = ("ed", "ing", "en")  # of verbs that do not tell the cook to do something

NUMBER = r"""(?:
    \d+ (?: [ -]\d+/\d+ | /\d+ | \.\d+ )?               # 2, 1 1/2, 1/2, 0.5
    | [½¼¾⅓⅔⅛] | \d+[½¼¾⅓⅔⅛]
    | \b(?: one | two | three | four | five | six | half\ an? )
)"""


def amount_before(unit_words: str) -> re.Pattern[str]:
    """Return what finds an amount that a step repeats before a food: "1/2 cup of the"; units are a choice of words."""
    return re.compile(
        rf"""
        (?<![\w/.])
        (?P<amount> {NUMBER} (?: \s*(?:to|-|or)\s* {NUMBER} )? )  # "2 to 3"
        (?P<unit> \s* (?:{unit_words})\b \.? )?
        (?P<link> \s+ (?:of\s+)? (?:the\s+)? ) $
        """,
        re.IGNORECASE | re.VERBOSE,
    )


# Right after a food's name --------------------------------------------------------------------------------------------

# Verbs that agree with the food before them, for one of it and for many.
PLURAL_OF_VERB = {
    "is": "are", "was": "were", "has": "have", "does": "do", "doesn't": "don't", "turns": "turn", "becomes": "become",
    "begins": "begin", "starts": "start", "looks": "look", "softens": "soften",
}  # fmt: skip
SINGULAR_OF_VERB = {many: one for one, many in PLURAL_OF_VERB.items()}
# The longest first, so that "doesn't" is not taken for "does".
_AGREEING = "|".join(sorted((*PLURAL_OF_VERB, *SINGULAR_OF_VERB), key=len, reverse=True))
AGREEING_VERB = re.compile(rf"(?P<gap>\s+)(?P<verb>{_AGREEING})\b")
GOES_ON = re.compile(r"\s*,|\s+(?:and|with|or)\b")  # a list of foods
SECOND_VERB = re.compile(r" (?:and|&) [^\W\d_]+ ")  # "Butter and flour the pan"
# What a verb is done to: "Butter a large pan and chill it" is about a large pan.
OBJECT = re.compile(
    r"""
    [^.,;:()]*?
    (?= [.,;:()]
      | \s (?: and | with | until | to | before | then | well | in | on | over | or | if | using ) \s
      | $ )
    """,
    re.VERBOSE,
)
PLURAL_OBJECT = re.compile(r"(?<!s)s$")  # "two pans", but not "the glass"
# Words of a title after which the food before them is not said of another thing: "Walnuts with Rice".
NOT_DESCRIBED = frozenset(
    "and with in or on for of the a an to from ii iii iv i over without recipe by style stuffed baked topped wrapped"
    " crusted au la".split()
)

# Words that are made of a food's name ---------------------------------------------------------------------------------

# What the pan gets instead, where the verb is the food that goes: "butter the pan", "a floured board".
INSTEAD_OF_VERB = {
    "butter": "grease", "oil": "grease", "flour": "dust", "salt": "season", "pepper": "season", "sugar": "sprinkle",
}  # fmt: skip
INSTEAD_OF_ADJECTIVE = {
    "buttered": "greased", "oiled": "greased", "floured": "dusted", "salted": "seasoned", "peppered": "seasoned",
    "sugared": "sweetened",
}  # fmt: skip
FOOD_IN_ADJECTIVE = {
    "buttered": "butter", "oiled": "oil", "floured": "flour", "salted": "salt", "sugared": "sugar",
    "peppered": "pepper",
}  # fmt: skip

# Words of names -------------------------------------------------------------------------------------------------------

HOW_HOT = frozenset({"boiling", "hot", "warm", "lukewarm", "cold"})
# Verbs of the new food alone, not of what else stands in the list with it.
DONE_TO_IT_ALONE = frozenset({"mash", "blend", "crumble", "spoon", "pour"})
# By which cut a piece is made: a food that cannot be zested has no juice to press.
CUT_OF_PIECE = {
    **dict.fromkeys(("juice", "zest", "rind", "peel"), "zested"),
    **dict.fromkeys(("breast", "thigh", "leg", "wing"), "boneless"),
}
JOINING_WORDS = frozenset({"and", "or", "with", "in", "to", "for", "as"})  # inside a name that has no shorter form
PARTS_OF_VEGETABLES = frozenset({"rib", "spear"})
PARTS_OF_EGG = frozenset({"white", "yolk"})
# Sauces that are known by their first word: "worcestershire".
NAMED_SAUCES = frozenset("worcestershire tabasco sriracha hoisin".split())
# Words of a food's name for which no dish is named.
OF_NO_NAME = frozenset(
    "wine liqueur cream pudding instant gelatin pasta noodle cookie cooky cookies cooked uncooked fresh frozen white"
    " whole wheat flavored sweet sugar free light with and package mix".split()
)
WORD_TWICE = re.compile(r"\b([^\W\d_]{4,}) \1\b")  # "Vanilla Vanilla Frozen Yogurt"


def food_twice(names: str) -> re.Pattern[str]:
    """Return what finds a food named twice in a row: "margarine or margarine"; names are a choice of words."""
    return re.compile(
        rf"""
        \b({names})
        (?: ,?[ ](?: and | or | and/or | & )[ ] | / )
        (?: the[ ] | \1 )? \b\1\b
        """,
        re.IGNORECASE | re.VERBOSE,
    )


# When a food is done --------------------------------------------------------------------------------------------------


@cache
def until(signs: re.Pattern[str]) -> re.Pattern[str]:
    """Find the signs that a food is done, and what is said with them: "until the shrimp just turn pink and curl"."""
    word = r"[^\W\d_]+"
    return re.compile(
        rf"""
        \b(until|till|when) (?: [ ]{word} ){{0,5}}?
        [ ]{signs.pattern}
        (?: ,?[ ](?:and|or|&)[ ] (?: {word}[ ] )? {signs.pattern} )?  # "and curl"
        (?: [ ]in[ ]color | [ ]inside | [ ]throughout | [ ]easily | [ ](?:when[ ]tested[ ])?with[ ]a[ ]fork
          | [ ]in[ ]the[ ](?:center|middle) )*
        """,
        re.IGNORECASE | re.VERBOSE,
    )
