"""The published schema accepts every scene that talus accepts and refuses every structural mistake.

Good scenes: tests/system/good_scenes, the gallery, the examples, and the blocks of docs/scene.md that are
whole scenes. Bad scenes: tests/system/bad_scenes, whose first line says `# kind: structure` where the
mistake is one a schema can see.
"""
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


def mistakes(validator, text):
    return [f"{list(e.absolute_path)}: {e.message[:200]}" for e in validator.iter_errors(yaml.load(text, Loader))]


def scene_blocks(markdown):
    return [b for b in re.findall(r"```yaml\n(.*?)```", markdown, re.S) if b.startswith("talus:")]


def main():
    schema = json.loads((root / "docs/scene.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = []
    good = sorted((root / "tests/system/good_scenes").glob("*.yaml"))
    for folder in ("gallery", "examples"):
        good += sorted(p for p in (root / folder).rglob("*.yaml") if p.name != "expect.yaml" and re.search(r"^talus:", p.read_text(), re.M))
    for path in good:
        failures += [f"{path.relative_to(root)} is good but refused: {m}" for m in mistakes(validator, path.read_text())]
    blocks = scene_blocks((root / "docs/scene.md").read_text())
    for number, block in enumerate(blocks):
        failures += [f"docs/scene.md, scene {number}: {m}" for m in mistakes(validator, block)]
    bad = 0
    for path in sorted((root / "tests/system/bad_scenes").glob("*.yaml")):
        text = path.read_text()
        if not text.startswith("# kind: structure"):
            continue
        bad += 1
        if not mistakes(validator, text):
            failures.append(f"{path.relative_to(root)} is bad but accepted")
    print(f"{len(good)} good scenes, {len(blocks)} of the documentation, {bad} bad ones")
    print("\n".join(failures))
    return 1 if failures or not good or not blocks or bad < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
