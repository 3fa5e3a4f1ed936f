"""Rendered text is read as a Kubernetes client reads it."""

from __future__ import annotations

import pytest

from local_kubernetes.model.manifests import UnreadableManifest, read_manifests

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


def test_empty_documents_are_left_out_and_lists_taken_apart() -> None:
    read = read_manifests(
        f"---\n# nothing\n---\n{HEAD}---\napiVersion: v1\nkind: List\nitems: [{{apiVersion: v1, kind: Pod}}]\n"
    )
    assert [body["kind"] for body in read] == ["ConfigMap", "Pod"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-11-21", "2026-11-21"),
        ("22:22", "22:22"),
        ("1:30:00", "1:30:00"),
        ("017", 15),
        ("10", 10),
        ("-1.5", -1.5),
        ("1e3", 1000.0),
        ("yes", True),
        ("'yes'", "yes"),
        ("~", None),
        ("1.2.3", "1.2.3"),
        ("16Gi", "16Gi"),
    ],
)
def test_a_scalar_is_what_kubernetes_takes_it_for(written: str, read: object) -> None:
    [body] = read_manifests(f"{HEAD}data: {{value: {written}}}\n")
    assert body["data"]["value"] == read
    assert type(body["data"]["value"]) is type(read)


def test_a_key_that_stands_twice_is_refused_with_its_line() -> None:
    with pytest.raises(UnreadableManifest, match=r"duplicate key 'kind' \(first defined on line 2\)[^$]*line 4"):
        read_manifests(f"{HEAD}kind: Pod\n")


def test_merged_keys_are_no_double_ones() -> None:
    [body] = read_manifests(f"{HEAD}one: &one {{a: 1}}\ntwo: {{<<: *one, a: 2}}\n")
    assert body["two"] == {"a": 2}


LIST = "apiVersion: v1\nkind: List\nitems: "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "job.yaml cannot be read as YAML: "),
        ("- 1\n", "job.yaml: document 1 is not a Kubernetes object:"),
        ("text\n", "job.yaml: document 1 is not a Kubernetes object: 'text'"),
        ("kind: Pod\n", "document 1 is not a Kubernetes object: apiVersion is missing"),
        (f"{HEAD}---\na: 1\n", "document 2 is not a Kubernetes object: apiVersion and kind are missing"),
        ("apiVersion: v1\nkind: [Pod]\n", "kind is missing"),
        (f"{LIST}5\n", "document 1 is a List whose items are not a list: '5'"),
        (f"{LIST}{{a: b}}\n", "document 1 is a List whose items are not a list"),
        (f"{LIST}[5]\n", "document 1, item 1 is not a Kubernetes object: '5'"),
        (f"{LIST}[{{kind: Pod}}]\n", "document 1, item 1 is not a Kubernetes object: apiVersion is missing"),
    ],
)
def test_what_is_no_object_is_refused_by_its_place(text: str, said: str) -> None:
    with pytest.raises(UnreadableManifest) as refusal:
        read_manifests(text, "job.yaml")
    assert said in str(refusal.value)


def test_an_equals_sign_is_a_text_as_in_the_definitions_of_prometheus() -> None:
    (found,) = read_manifests("apiVersion: v1\nkind: Thing\nspec: {matchType: [=, !!str a]}\n")
    assert found["spec"]["matchType"] == ["=", "a"]
