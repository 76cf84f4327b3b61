"""The English of what an ingredient line says beside amount and name: what it is for, what was done to it, what else.

`editing` has the rules and takes every word and pattern from here. Another language is another folder with a
`remarks.py` of the same names.
"""

import re

# Remarks that hold for any food, whole.
HOLDS_FOR_ANY_FOOD = re.compile(
    r"""
    (?: and\  | or\  )?
    (?:
      # how much
      to\ taste | divided | optional | as\ needed(?:\ to\ .*)? | as\ desired | or\ as\ needed(?:\ to\ .*)?
      | if\ (?: desired | needed | necessary | you\ like )
      | (?:or\ )?(?:more|less)(?:\ (?:or\ less|as|to|if).*)?
      | (?:plus\ )?(?:more|extra|additional|some)(?:\ .*)?
      # what for
      | to\ (?: serve | garnish | decorate | coat | cover ) | garnish
      | for\ (?: serving | garnish | garnishing | dusting | frying | deep[- ]frying | greasing | brushing | sprinkling
               | topping | drizzling | coating | rolling | decorati(?:on|ng) | dipping | saut[eé]ing | cooking
               | dredging | the | pan | pans )(?:\b.*)?
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
PLUS_AMOUNT = re.compile(r"(?:plus|and|\+)\s+(?=\d)", re.IGNORECASE)  # "plus 2 tablespoons"
SECOND_AMOUNT = re.compile(r"\b(?:plus|and)\s+(\d.*)$", re.IGNORECASE)  # "1 cup plus 2 tablespoons"
# A second food after the first: "sugar mixed with 2 tsp cinnamon".
WITH_ANOTHER_FOOD = re.compile(
    r"""
    \b (?: mixed | combined | tossed | dissolved | blended | stirred | beaten | whisked | sprinkled )
    \s+ (?:together\s+)? (?: with | in | into ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
IN_HALVES = re.compile(
    r"""
    cut\ (?:in|into)\ (?: half | halves | quarters )
    (?: \ (?:crosswise|lengthwise) )?  # of what is in one piece
    """,
    re.IGNORECASE | re.VERBOSE,
)
ROOM_TEMPERATURE = re.compile(r"(?:at )?room temperature", re.IGNORECASE)
SIZE_OF_PIECES = re.compile(r"\binch|\bcm\b|cut|slice|piece|chunk|half|halves")  # what a number in a remark may tell
OTHER_CHOICE = ("or ", "such as", "like ", "preferably")  # how a remark begins that names other foods
# One remark after the name, with what stands before it: a comma, a dash or a bracket.
REMARK = re.compile(
    r"""
    (?P<mark> \s*[,;]\s* | \s+[-–—]+\s+ | \s* )
    (?P<remark> \([^()]*\) | \[[^\[\]]*\] | [^,;()\[\]]+ )
    """,
    re.VERBOSE,
)
# Where a remark begins inside another, without a comma: "chopped to taste".
REMARK_WITHOUT_COMMA = re.compile(
    r"""
    (?<!\bor)(?<!\bmore)(?<!\band) \s+
    (?= (?: to\ taste | for\ (?:serving|garnish|dusting|frying|greasing|the) | at\ room | cut | plus )\b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What a name says first of a food and the steps rely on.
STATES = frozenset(
    "instant cold hot warm boiling chilled fresh frozen cooked uncooked baked unbaked ripe large small medium".split()
)
# Foods that have a word for one of them: "2 stalks celery".
COUNTED_AS = {"celery": "stalk", "garlic": "clove", "asparagus": "spear", "bacon": "slice", "bread": "slice"}

COOKED = re.compile(
    r"""
    \b (?: cooked | roasted | grilled | broiled | poached | barbecued
         | rotisserie | leftover | deli | canned ) \b  # where it was cooked by somebody else
    """,
    re.IGNORECASE | re.VERBOSE,
)
COOKED_FIRST = re.compile(
    r"""
    \b (?: (?:hard|soft)[- ] )?  # of eggs
    (?: boiled | cooked | poached | scalded | toasted | fried ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What a line may have that is only called after a food: a gelatin dessert "strawberry", a flour of cooked maize.
MADE_OF_IT = re.compile(
    r"""
    \b(?: jell-?o | gelatin | pudding | ice\ cream | sherbet                # desserts
    | beverage | soda | drink\ mix | creamer | liqueur | extract | sauce    # drinks and bottles
    | arepa | masa | boil | nuggets? | tots )\b                             # made of maize, fish or potato
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What ends a name and is never the food before it: corn dogs, ice-pop molds, sheep's-milk ricotta; a fruit in a husk.
ANOTHER_THING = re.compile(
    r"""
    \b(?: dogs? | pops? | wrappers? | fluff | filling | starter | sprouts | sports\ drink   # made with it
    | mou?lds? | ramekins? | cups | mill                                                    # tools
    | ricotta | mozzarella | blood | ground\ cherr(?:y|ies) )$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A second food of a line: "chicken breasts and thighs".
AND_ANOTHER = re.compile(
    r"""
    (?P<comma> ,\s* )? (?: \band | & ) \s+
    (?P<what> [^,;]+? )
    (?= $ | [,;] | \s(?: and | or | to | for | cut | in | from | into | at | with )\b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What names no food to be bought: brackets, and all that follows "such as" or "for".
ASIDE = re.compile(
    r"""
    \([^()]*\)
    | (?<=\s)(?: such\ as | like | or | for | to | from | into | in | with | without | plus | at | until )\s .*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
TRIMMINGS = frozenset({"fat", "skin", "rind", "bone", "bones", "juice", "stem", "stems", "seed", "seeds", "leaves"})
