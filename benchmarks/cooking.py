"""Train inverse cooking and regenerate its tables.

    python benchmarks/cooking.py pretrain      # word pieces, and the decoder from text recipes

Everything is kept in `runs/cooking`; a training that was interrupted goes on, and one that is finished is not trained again.
"""

import argparse
from pathlib import Path

from swapchef.cooking.learning import School

ROOT = Path(__file__).parents[1]


def tell(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["pretrain"])
    arguments = parser.parse_args()
    school = School(ROOT / "runs" / "cooking", tell)
    if arguments.what == "pretrain":
        school.pretrained(1)


if __name__ == "__main__":
    main()
