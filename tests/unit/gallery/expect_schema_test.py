"""The published schema accepts every expect.yaml of the gallery and refuses structural mistakes."""
import copy
import json
import os
import re
import sys
from pathlib import Path

import jsonschema
import yaml

root = Path(os.environ.get("TALUS_SOURCE_DIR", Path(__file__).resolve().parents[3]))


class Loader(yaml.SafeLoader):
    """YAML 1.2 numbers and truth values: `2e-4` is a number, `yes` a word."""


Loader.yaml_implicit_resolvers = {}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(~|null|)$"), ["~", "n", ""])
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+0123456789."))

GOOD = {
    "talus": 1, "paper": "p", "where": "fig. 1", "shows": "x",
    "scales": {"quick": {"minutes": 0.1}},
    "runs": {"main": {"scene": "scene.yaml"}},
    "checks": [{"name": "a", "claim": "b", "value": "main.x", "expect": [0, None]}],
    "figures": [{"file": "a.svg", "run": "main", "figure": "grains", "colour": "speed"}],
}


def spoil(path, value):
    """GOOD with the value at `path` changed, or without it when `value` is ...."""
    bad = copy.deepcopy(GOOD)
    place = bad
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return bad


BAD = [
    spoil(["paper"], ...),
    spoil(["scales"], {}),
    spoil(["scales", "quick"], {"size": "5 grains"}),
    spoil(["scales", "slow"], {"minutes": 1}),
    spoil(["runs"], {}),
    spoil(["runs", "m-n"], {"scene": "scene.yaml"}),
    spoil(["runs", "main"], {"scene": "scene.yaml", "command": ["sweep"]}),
    spoil(["runs", "main", "scales"], ["fast"]),
    spoil(["checks"], []),
    spoil(["checks", 0, "expct"], [0, 1]),
    spoil(["checks", 0, "expect"], [0]),
    spoil(["checks", 0, "expect"], {"value": 1}),
    spoil(["checks", 0, "claim"], ...),
    spoil(["figures", 0, "file"], "out/a.svg"),
    spoil(["figures", 0, "figure"], ...),
]


def main():
    schema = json.loads((root / "docs/expect.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = sorted((root / "gallery").glob("*/*/expect.yaml"))
    failures = []
    for path in files:
        for e in validator.iter_errors(yaml.load(path.read_text(), Loader)):
            failures.append(f"{path.relative_to(root)} is good but refused: {list(e.absolute_path)}: {e.message[:200]}")
    failures += [f"refused: {e.message}" for e in validator.iter_errors(GOOD)]
    failures += [f"mistake {k} is accepted" for k, bad in enumerate(BAD) if validator.is_valid(bad)]
    print(f"{len(files)} experiments, {len(BAD)} mistakes")
    print("\n".join(failures))
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
