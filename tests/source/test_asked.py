from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.source import detect_requested_language

CLEAR = [
    ("Write a function in Go that reverses a list", "Go"),
    ("a Python function to sort a dict", "Python"),
    ("Create a TypeScript class for a queue", "TypeScript"),
    ("bash script to rename files", "Bash"),
    ("Write a shell script that backs up a folder", "Bash"),
    ("Write a SQL query to find duplicates", "SQL"),
    ("Write a SQL schema for a blog", "SQL"),
    ("Optimise the query in PostgreSQL", "SQL"),
    ("Build an LRU cache using Rust", "Rust"),
    ("write an lru cache in rust", "Rust"),
    ("write quicksort in go", "Go"),
    ("golang http server", "Go"),
    ("Write a linked list in C", "C"),
    ("a C program that prints primes", "C"),
    ("a c program for factorial", "C"),
    ("Write C code for a ring buffer", "C"),
    ("in C++17 write a matrix class", "C++"),
    ("Write a function in idiomatic modern C++ for sorting", "C++"),
    ("implement it in C#", "C#"),
    ("Write it in Objective-C", "Objective-C"),
    ("R script to plot a histogram", "R"),
    ("Compute the mean in R", "R"),
    ("Write a bubble sort in the Go programming language", "Go"),
    ("a go function that adds two ints", "Go"),
    ("Write a Swift struct for a user", "Swift"),
    ("a Dart class with named constructors", "Dart"),
    ("a Julia function for the mean", "Julia"),
    ("Write an Elixir module for a GenServer", "Elixir"),
    ("write fibonacci in python3", "Python"),
    ("Write a function in Java 17", "Java"),
    ("js function to debounce", "JavaScript"),
    ("Node.js script to read a file", "JavaScript"),
    ("Write some Haskell that computes primes", "Haskell"),
    ("powershell command to list services", "PowerShell"),
    ("x86 assembly code to add two numbers", "Assembly"),
    ("terraform module for s3", "Terraform"),
    ("Implement an LRU cache (Go)", "Go"),
    ("Rust: implement a trie", "Rust"),
    ("Python", "Python"),
]
TARGETS = [
    ("Convert this Python script to Go", "Go"),
    ("Port this code from Java to Kotlin", "Kotlin"),
    ("Please translate this function into Kotlin", "Kotlin"),
    ("Convert this JSON to YAML:", "YAML"),
    ("Write a Lua interpreter in Rust", "Rust"),
    ("Write a JSON parser in Go", "Go"),
    ("Here is a Java class. Write the same in Scala.", "Scala"),
    ("Write it in Python, not in Java", "Python"),
    ("Write a React hook in TypeScript, not JavaScript", "TypeScript"),
    ("Write a Python version of this:\n```js\nconst a = 1\n```", "Python"),
    ("Write a service in Go and SQL", "Go"),
]
ARTEFACTS = [
    ("Write a Dockerfile for a Python app", "Dockerfile"),
    ("Write a Python script that generates a Dockerfile", "Python"),
    ("Write a Makefile for a C project", "Makefile"),
    ("an HTML page with a form", "HTML"),
    ("Using Python, generate an HTML page", "Python"),
    ("Write a CSS animation for a button", "CSS"),
    ("Center a div in CSS", "CSS"),
    ("Write the config in YAML", "YAML"),
    ("Create a JSON config for eslint", "JSON"),
    ("Write a YAML GitHub workflow for a Go project", "YAML"),
    ("Write a GraphQL schema for users", "GraphQL"),
    ("Return the result in JSON from a Python function", "Python"),
]
SHOWN = [
    ("Fix this:\n```python\ndef f(: pass\n```", "Python"),
    ("What is wrong with def foo(a, b): return a+b", "Python"),
    ("fn add(a: i32) -> i32 is broken", "Rust"),
    ("SELECT * FROM users is slow", "SQL"),
    ("why does this fail?\n\nfunc add(a int, b int) int {\n\treturn a + b\n}", "Go"),
    ("Speed this up: public static void main(String[] args) { }", "Java"),
    ("Refactor src/app/main.rs to use a trait", "Rust"),
    ('Parse this.\n```json\n{"a": 1}\n```\nUse data.json and write parse.py', "Python"),
]
UNCLEAR = [
    "",
    "go through the list and print each item",
    "Go through the list and sum the items",
    "Let's go code this up",
    "Write a game of Go board renderer",
    "Write a C-style loop",
    "store the sum in c",
    "Given sets A, B and C, find the elements in C",
    "Play a chord in C major",
    "temperature in C to F converter function",
    "Convert Celsius to C",
    "Convert this temperature to C",
    "Vitamin C tracker app",
    "Write it in r",
    "Write a method which inserts into R tree",
    "write a basic calculator",
    "Make a function that adds numbers",
    "Explain how to make a list",
    "detect rust on metal in images",
    "write a story about a car covered in rust",
    "Write a swift reply to the customer",
    "a function to validate a SWIFT code",
    "Throw a dart at the board simulation",
    "Sum of Julia's apples",
    "Render a Julia set",
    "elixir of life game",
    "ruby ring shop website",
    "Write an assembly line simulator",
    "Write a zig zag conversion function",
    "Write a function to convert JSON to YAML",
    "write a function that parses JSON",
    "Write a JSON parser",
    "Write a function that returns the result in JSON",
    "Write a function that runs a SQL query",
    "Prevent SQL injection in this function",
    "Write a Lua interpreter",
    "Write a C compiler",
    "Write a function add(a, b)",
    "Write a binary search in C or C++",
    "Write it in Python or Go",
    "Build a todo app in HTML, CSS and JavaScript",
    "A language like Python but typed: write its tokenizer",
    "Write a class for a bank account",
    "Write a function using recursion",
]


@pytest.mark.parametrize(("request_text", "name"), CLEAR + TARGETS + ARTEFACTS + SHOWN)
def test_a_language_that_is_asked_for_is_found(request_text: str, name: str) -> None:
    found = detect_requested_language(request_text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("request_text", UNCLEAR)
def test_a_request_that_asks_for_none_or_for_several_is_unclear(request_text: str) -> None:
    assert detect_requested_language(request_text) is None


def test_the_last_explicit_language_wins() -> None:
    found = detect_requested_language("I have it in Python. Write it in Go.")
    assert found is not None
    assert found.name == "Go"


def test_the_wish_is_found_at_the_end_of_a_long_request() -> None:
    found = detect_requested_language("x = foo(1, 2)\n" * 75_000 + "\nWrite this in Kotlin.")
    assert found is not None
    assert found.name == "Kotlin"


@pytest.mark.parametrize(
    "piece", ["C ", "in ", "\n", "-", "def a\n", "func a(", "```\n", "Python or ", "a-b/", "convert "]
)
def test_a_megabyte_of_anything_is_read_quickly(piece: str) -> None:
    begun = time.monotonic()
    detect_requested_language(piece * (1_000_000 // len(piece)))
    assert time.monotonic() - begun < 10


@given(st.text())
def test_any_request_gets_the_same_answer_twice(text: str) -> None:
    assert detect_requested_language(text) == detect_requested_language(text)
