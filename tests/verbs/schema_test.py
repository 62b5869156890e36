"""Every answer is what its schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from firstlight.cli import arguments
from firstlight.errors import UsageError
from firstlight.verbs.facts import FactsRequest, facts
from firstlight.verbs.schema import NOUNS, schema
from firstlight.verbs.up import UpAnswer

from . import answers


def checked(noun: str, document: Any) -> None:
    described = schema(noun)
    jsonschema.Draft202012Validator.check_schema(described)
    jsonschema.Draft202012Validator(described).validate(document)


def as_json(answer: object) -> Any:
    return json.loads(msgspec.json.encode(answer))


@pytest.mark.parametrize("noun", NOUNS)
def test_every_schema_is_one(noun: str) -> None:
    described = schema(noun)
    assert described["schema"] == "firstlight.schema/1"
    jsonschema.Draft202012Validator.check_schema(described)


@pytest.mark.parametrize("noun", [noun for noun in NOUNS if noun not in ("facts", "host", "schema")])
def test_every_answer_fits_its_schema(noun: str) -> None:
    document = as_json(answers.answer(noun, "zh"))
    assert next(iter(document)) == "schema"
    assert document["schema"] == f"firstlight.{noun}/1"
    checked(noun, document)


@pytest.mark.parametrize("noun", NOUNS)
def test_a_schema_fits_its_own(noun: str) -> None:
    checked("schema", schema(noun))


def test_an_answer_that_went_no_further_fits() -> None:
    document = as_json(answers.stopped_answer("en"))
    checked("up", document)
    assert document["sync"] is None
    assert document["why"]


def test_the_facts_of_this_machine_fit() -> None:
    document = as_json(facts(FactsRequest()))
    assert document["schema"] == "firstlight.facts/1"
    checked("facts", document)


def test_the_facts_of_an_empty_tree_fit(tmp_path: Path) -> None:
    document = as_json(facts(FactsRequest(host=str(tmp_path))))
    checked("facts", document)
    assert document["kernel"]["release"]["unknown"] == "not-captured"


def test_a_schema_refuses_what_is_wrong() -> None:
    document = as_json(answers.answer("plan", "en"))
    del document["routes"][0]["verdict"]
    with pytest.raises(jsonschema.ValidationError):
        checked("plan", document)


def test_an_unknown_noun_is_refused() -> None:
    with pytest.raises(UsageError):
        schema("nothing")


def test_the_command_line_knows_the_same_nouns() -> None:
    assert set(arguments.NOUNS) == set(NOUNS)


@pytest.mark.parametrize("noun", [noun for noun in NOUNS if noun not in ("facts", "host", "schema", "error")])
def test_only_words_depend_on_the_language(noun: str) -> None:
    """`error` apart: its three parts are words, whatever they are called."""
    english, chinese = (as_json(answers.answer(noun, lang)) for lang in ("en", "zh"))
    telling = (
        "doctor", "plan", "up", "causes", "completion", "drift", "export", "inspect", "explain", "matrix",
    )  # fmt: skip
    assert list(differing(english, chinese)) == [] or noun in telling
    assert {path[-1] for path in differing(english, chinese)} <= {"title", "means", "effect", "why", "text"}


def differing(one: Any, other: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Paths of the names under which two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        return [found for name in one for found in differing(one[name], other[name], (*path, name))]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [found for a, b in zip(one, other, strict=True) for found in differing(a, b, path)]
    return [] if one == other else [path]


def test_no_secret_of_an_index_is_told() -> None:
    assert b"secret" not in msgspec.json.encode(answers.plan_answer("en"))


def test_exit_codes() -> None:
    assert answers.plan_answer("en").exit_code == 0
    assert answers.plan_answer("en", answers.NONE).exit_code == 1
    assert answers.verify_answer().exit_code == 0
    assert answers.verify_answer(answers.FAILED).exit_code == 1
    assert answers.sync_answer("failed").exit_code == 1
    assert answers.up_answer("en").exit_code == 0
    assert answers.stopped_answer("en").exit_code == 1
    failed = answers.verify_answer(answers.FAILED)
    after: UpAnswer = msgspec.structs.replace(answers.up_answer("en"), verify=failed)
    assert after.exit_code == 1
