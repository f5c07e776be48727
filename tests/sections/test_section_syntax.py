"""The text format of section files: what is read, and where an error is said to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.section_lint import Block, Scalar, SectionSyntaxError, parse


def test_fields_keep_their_place():
    document = parse('# head\nIdentifier: "A"\nHeader {\n  Rows: 2\n}\n')
    assert [(f.name, f.line, f.column) for f in document.fields] == [("Identifier", 2, 13), ("Header", 3, 1)]
    assert document.text("Identifier") == "A"
    assert document.blocks("Header")[0].text("Rows") == "2"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('A: "x" "y"', Scalar("string", "xy")),
        ("A: 'it''s'", Scalar("string", "its")),
        (r'A: "q\"n\\n"', Scalar("string", 'q"n\\n')),
        ("A: -1.5e3", Scalar("number", "-1.5e3")),
        ("A: 0x1F", Scalar("number", "0x1F")),
        ("A: CC_90,", Scalar("word", "CC_90")),
        ("A { };", Block(())),
        ("A < >", Block(())),
        ("A: { }", Block(())),
    ],
)
def test_values(text, value):
    assert parse(text).fields[0].value == value


def test_a_list_is_a_repeated_field():
    assert [field.value for field in parse("A: [1, 2]").fields] == [
        Scalar("number", "1"),
        Scalar("number", "2"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('A: "x', 1, 4, "a string is not closed"),
        ("A {\n  B: 1\n", 3, 1, "the file ends where '}' was expected"),
        ("A\n", 2, 1, "':' or '{' was expected after A"),
        ("A: }", 1, 4, "a value was expected for A, not '}'"),
        ("}", 1, 1, "a field name was expected, not '}'"),
        ("A: 1 @", 1, 6, "unexpected '@'"),
        ("A: 12abc", 1, 4, "unexpected '1'"),
        ("A {" * 70, 1, 196, "blocks are nested deeper than 64, not 'A'"),
    ],
)
def test_syntax_errors_say_where(text, line, column, reason):
    with pytest.raises(SectionSyntaxError) as error:
        parse(text)
    assert (error.value.line, error.value.column, error.value.reason) == (line, column, reason)


@given(st.text(alphabet="AB:{}[]<>\"'# \n,;1.-\\@", max_size=40))
def test_any_text_is_parsed_or_refused(text):
    try:
        assert isinstance(parse(text), Block)
    except SectionSyntaxError as error:
        assert 1 <= error.line <= text.count("\n") + 1
