"""Output of the gate against its JSON Schemas, and the schemas against wrong documents."""
# SPDX-License-Identifier: Apache-2.0
import copy
import json
import sys

import jsonschema


def validator(folder, name):
    with open(f"{folder}/{name}.schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def accept(check, document, what):
    errors = sorted(check.iter_errors(document), key=lambda error: list(error.path))
    for error in errors[:10]:
        print(f"{what}: {'/'.join(map(str, error.path))}: {error.message[:300]}", file=sys.stderr)
    if errors:
        sys.exit(1)


def mutants(document):
    """Every object of the document once without each key, once with a key too many."""
    def walk(node, path):
        if isinstance(node, dict):
            yield path, node
            for key, value in node.items():
                yield from walk(value, path + [key])
        elif isinstance(node, list) and node:
            yield from walk(node[0], path + [0])
    free = {"strategies", "properties", "findings", "kernels_by_kind", "slack"}   # maps by nature
    for path, node in walk(document, []):
        if path and path[-1] in free:
            continue
        for key in [*node, None]:
            changed = copy.deepcopy(document)
            place = changed
            for step in path:
                place = place[step]
            if key is None:
                place["one_key_too_many"] = 1
            else:
                del place[key]
            yield "/".join(map(str, path)) + ":" + str(key), changed


def reject_mutants(check, document, what):
    count = 0
    for name, changed in mutants(document):
        count += 1
        if check.is_valid(changed):
            print(f"{what}: the schema accepts a wrong document: {name}", file=sys.stderr)
            sys.exit(1)
    print(f"{what}: valid; {count} wrong documents rejected")


def main():
    folder, files = sys.argv[1], sys.argv[2:]
    for file in files:
        kind = "events" if file.endswith(".jsonl") else "scores" if "scores" in file else "report"
        check = validator(folder, kind)
        with open(file, encoding="utf-8") as opened:
            documents = [json.loads(line) for line in opened] if kind == "events" \
                else [json.load(opened)]
        for document in documents:
            accept(check, document, file)
        for document in {d.get("event"): d for d in documents}.values():
            reject_mutants(check, document, f"{file} {document.get('event', '')}")


if __name__ == "__main__":
    main()
