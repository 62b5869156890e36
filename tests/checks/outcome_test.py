"""What crosses the border between worker and firstlight."""

from __future__ import annotations

import json
import math

import pytest

from firstlight.checks.worker.outcome import Finding, Job, Task, decode_finding, decode_job, encode, encode_job, failed

GOOD: dict[str, object] = {"verdict": "pass", "evidence": {}, "reason": None, "text": ""}


def test_numbers_that_json_lacks() -> None:
    finding = failed("wrong-numbers", "x" * 9000, got=math.nan, worst=[{"bound": math.inf}], odd={3: object})
    read = decode_finding(encode(finding._asdict()))
    assert read is not None
    assert read.evidence == {"got": "nan", "worst": [{"bound": "inf"}], "odd": {"3": "<class 'object'>"}}
    assert len(read.text) == 4000
    assert json.loads(encode({"a": -math.inf})) == {"a": "-inf"}


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"null", b"[]", b"\xff\xfe", b"[" * 100_000, b'"pass"', b"1" * 5000]
    + [json.dumps({**GOOD, key: value}).encode() for key, value in (
        ("verdict", "fine"), ("verdict", []), ("evidence", []), ("evidence", None), ("reason", 5), ("text", None),
    )]
    + [json.dumps({key: value for key, value in GOOD.items() if key != gone}).encode() for gone in GOOD],
)  # fmt: skip
def test_garbage_is_no_finding(line: bytes) -> None:
    assert decode_finding(line) is None


def test_a_finding_comes_through() -> None:
    assert decode_finding(json.dumps(GOOD).encode()) == Finding("pass", {})


def test_a_job_comes_through() -> None:
    job = Job("rocm", [Task("matmul", 1.5, ["import"])], ["access"], ["a", "b c"], "/", 3, generic={"g": ["a"]})
    assert decode_job(encode_job(job)) == job
