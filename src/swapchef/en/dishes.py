"""Words that tell how a dish is made, as patterns to be compiled with `re.VERBOSE`."""

DISH_PATTERNS = {
    "baked goods": r"""
        \b(?: cakes? | cupcakes? | coffeecakes? | cheesecakes?  # cakes
        | shortbreads? | gingerbreads? | cornbreads? | breads? | buns? | bagels? | loaf | pretzels? | focaccia  # breads
        | cookies? | brownies? | blondies? | biscotti | macaroons? | muffins? | scones? | biscuits?  # small
        | pies? | tarts? | cobblers? | crisps? | crumbles? | pastry | pastries | strudel | danish | clafouti\w*  # pies
        | pancakes? | waffles? | crepes? | donuts? | doughnuts? | popovers? )\b  # of batter
        """,
    "not baked": r"""
        \bno[-\ ]bake | ice\ cream | frozen | \braw\b
        | \bmeat\ ?loaf | \b(?:tuna|ham|turkey|salmon|nut|veal)\ loaf  # of meat, fish or nuts
        | \b(?:crab|fish|shrimp|salmon|rice|potato|tuna|corn)\ ?cakes?  # out of the pan
        | shepherd | cottage\ pie | pot\ pie | bread\ salad | pudding | stuffing""",
    "oven": r"\bbak(?:e|es|ed|ing)\b | \boven\b",
    "flour": r"\bflour\b | \bbaking\ mix\b | \bbisquick\b | \bcake\ mix\b",
    "leavener": r"""
        \bbaking\ (?:powder|soda)\b | \byeast\b | \bself[-\ ](?:ris|rais)ing\b
        | \bbisquick\b | \bcake\ mix\b""",
    "fried": r"""
        \b(?: (?:deep|pan|stir|oven)?[-\ ]?fried | stir[-\ ]?fry
        | fritters? | tempura | saut[eé]ed | schnitzel )\b  # which are always fried
        """,
    "frying": r"""
        \b(?:deep[-\ ]|pan[-\ ]|stir[-\ ])?fr(?:y|ied|ying)\b | \bsaut[eé](?:ed|ing)?\b
        | \b(?:hot|heat(?:ed)?|heat\ the)\ (?:oil|butter)\b  # what it is fried in
        """,
    "heat": r"""
        \b(?: bak(?:e|ed|ing) | boil(?:ed|ing)? | simmer\w* | cook(?!ie)\w* | heat\w* | preheat\w* | warm(?:\ through)?
        | grill\w* | roast\w* | toast\w* | broil\w* | steam\w* | fr(?:y|ied|ying) | saut[eé]\w* | brown(?:ed)?\ the
        | melt\w* | sear\w* | poach\w*
        | oven | microwave\w* | stove\w* | saucepan | skillet )\b  # what it is cooked with
        """,
    "raw dishes": r"""
        \b(?: salads? | dressing | vinaigrette | smoothies? | shakes? | salsa | guacamole | dips? | coleslaw | slaw
        | cocktail | lemonade | punch )\b""",
}
