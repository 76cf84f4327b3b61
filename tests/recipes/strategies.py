"""Recipes of every shape, for hypothesis."""

import re

from hypothesis import strategies as st

from swapchef.recipes import Recipe, Step, parse_line
from swapchef.recipes.model import heading_name, inherit_sections, section_name, tidy

# Everything a person can type, with what the formats use as markup made likely.
characters = st.one_of(st.sampled_from("@#~{}()[]\\-*_`>=:;,./%&<\"'½1 2"), st.characters(exclude_categories=["Cs"]))
texts = st.text(characters, min_size=1, max_size=40).map(tidy)
ingredient_texts = st.one_of(
    st.builds(
        "{} {} {}{}".format,
        st.sampled_from(["1", "2", "1/2", "1½", "2-3", "1 (14 ounce)", "about 3"]),
        st.sampled_from(["cup", "cups", "g", "cans", "cloves", ""]),
        st.sampled_from(["flour", "Butter", "brown sugar", "tomatoes", "garlic", "half-and-half"]),
        st.sampled_from(["", ", sifted", " (packed)", ", chopped or more to taste"]),
    ).map(tidy),
    texts,
)
sections = st.one_of(st.sampled_from(["", "", "For the sauce", "Dough", "2nd layer"]), texts).map(section_name)


def in_sections(items: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Make sections run: a line without one belongs to the section above, as in every file format."""
    return list(zip([text for text, _ in items], inherit_sections(section for _, section in items), strict=True))


def is_line(text: str) -> bool:
    return bool(text) and not heading_name(text)


ingredients = st.lists(st.tuples(ingredient_texts.filter(is_line), sections), min_size=1, max_size=6).map(
    lambda items: tuple(parse_line(*pair) for pair in in_sections(items))
)
steps = st.lists(st.tuples(texts.filter(bool), sections), max_size=5).map(
    lambda items: tuple(Step(*pair) for pair in in_sections(items))
)
tags = st.lists(texts.map(lambda tag: tidy(re.sub("[,<>]", " ", tag))).filter(bool), max_size=3, unique=True).map(tuple)
minutes = st.none() | st.integers(1, 3000)

recipes = st.builds(
    Recipe,
    title=texts.filter(bool),
    ingredients=ingredients,
    steps=steps,
    description=texts,
    servings=texts,
    prep_minutes=minutes,
    cook_minutes=minutes,
    total_minutes=minutes,
    author=texts,
    url=texts,
    image=texts,
    tags=tags,
    notes=st.lists(texts.filter(bool), max_size=2).map(tuple),
)
