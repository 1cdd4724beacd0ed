//! Tests of sources that are read piece by piece.

use std::io::{self, Read};

use k8s_yaml::{Document, DocumentReader, Documents, ReadError};
use serde_json::Value;

/// A reader that returns at most this number of bytes at once.
struct Pieces<'b> {
    bytes: &'b [u8],
    piece_length: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.piece_length.min(buffer.len()).min(self.bytes.len());
        let (piece, rest) = self.bytes.split_at(length);
        buffer[..length].copy_from_slice(piece);
        self.bytes = rest;
        Ok(length)
    }
}

/// The result of a document, as a value that can be compared.
#[derive(Debug, PartialEq)]
struct ParsedDocument {
    value: Result<Value, String>,
    positions: Vec<(usize, usize)>,
    is_json: bool,
    lines_before: usize,
}

fn parsed(document: &Document) -> ParsedDocument {
    let positions = document.events().iter();
    ParsedDocument {
        value: document.value().map_err(|error| error.to_string()),
        positions: positions.map(|event| (event.line, event.column)).collect(),
        is_json: document.is_json(),
        lines_before: document.lines_before(),
    }
}

const MAX_BYTES: usize = 1 << 20;

/// Asserts that a reader has the documents of the source, for pieces of several lengths.
#[track_caller]
fn assert_same_documents(source: &str) {
    let expected: Vec<ParsedDocument> = Documents::new(source).map(|d| parsed(&d)).collect();
    for piece_length in [1, 2, 3, 7, 1 << 20] {
        let bytes = source.as_bytes();
        let reader = DocumentReader::new(
            Pieces {
                bytes,
                piece_length,
            },
            MAX_BYTES,
        );
        let documents = reader.map(|document| parsed(&document.unwrap()));
        let documents: Vec<ParsedDocument> = documents.collect();
        assert_eq!(
            documents, expected,
            "{source:?} in pieces of {piece_length}"
        );
    }
}

#[test]
fn documents_of_a_reader_equal_those_of_the_text() {
    for source in [
        "",
        "\n\n",
        "a: 1",
        "a: 1\n",
        "---\na: 1\n---\n---\n# c\n---\nb: [x,\n y]\n",
        "a: 1\n---\n%YAML 1.1\n---\nb: 2\n",
        "a: 1\n--- x\nb: 1\n",
        "--- # c\na: |\n  ---\n  b\n---  \nc: 1\n...\nd: 1\n---\ne: 1",
        "a: 1\r\n---\r\nb: 1\r\n",
        "\u{feff}a: 1\n---\n\u{feff}b: \u{e9}\u{1f600}\n",
        "a: [\n---\nb: 1\n",
        "a: 1\n---\nb: {{\n",
        "{}",
        " \n {\"a\": 1} {\"b\": [\"}\", \"\\\"\"]}\n\n[1] 2 \"x y\" null true{\"c\": 1}\n",
        "{\"a\": 1}\n---\nb: 1\n",
        "{\"a\": 1}{\"b\": 1}\n---\nb: 1\n",
        "{\"a\": 1}x",
        "{a: 1}",
        "{a: 1}\n---\nb: 1\n",
        "{a}",
        "{a}\n",
        "  {a: 'x}'}   \n---\nb: 1\n---\nc: 1\n",
        "{{ x }}\n---\nb: 1\n",
        "{\"a\": 1\n",
        "{\"a\": \"x\n---\nb\": 1}\n",
        "{\"a\": 1]\n---\nb: 1\n",
        "{\"a\": 1}\n\u{fffd}\n",
    ] {
        assert_same_documents(source);
    }
    let lines = |line: &str| line.repeat(1_500);
    assert_same_documents(&lines("a: 1\n---\n"));
    assert_same_documents(&lines("{\"a\": 1}\n"));
    assert_same_documents(&format!("a:\n{}", lines("- x\n")));
    assert_same_documents(&format!("{}{{\"a\": 1}}", " ".repeat(5_000)));
}

/// Returns the number of documents before an error, and the error.
fn error_of(bytes: &[u8], max_bytes: usize) -> (usize, String) {
    let piece_length = 3;
    let mut reader = DocumentReader::new(
        Pieces {
            bytes,
            piece_length,
        },
        max_bytes,
    );
    let mut count = 0;
    loop {
        match reader.next() {
            Some(Ok(_)) => count += 1,
            Some(Err(error)) => {
                assert!(reader.next().is_none());
                return (count, error.to_string());
            }
            None => panic!("no error"),
        }
    }
}

#[test]
fn documents_before_an_error_are_read() {
    let error_at = |position: &str, byte: &str| {
        format!("{position}: byte 0x{byte} is not valid UTF-8; save the file as UTF-8")
    };
    for (bytes, expected) in [
        (
            b"a: 1\n---\nb: 1\n---\nc: \xff\n".as_slice(),
            (2, error_at("5:4", "ff")),
        ),
        (b"a: \xc3".as_slice(), (0, error_at("1:4", "c3"))),
        (
            b"a: \xc3\xa9\xe2\x82".as_slice(),
            (0, error_at("1:5", "e2")),
        ),
        (
            b"{\"a\": 1}\n{\"b\": \"\xf0\"}".as_slice(),
            (1, error_at("2:8", "f0")),
        ),
    ] {
        assert_eq!(error_of(bytes, MAX_BYTES), expected);
    }
}

#[test]
fn the_bytes_of_a_document_are_limited_and_those_of_a_source_are_not() {
    let long_source = "a: 1\n---\n".repeat(20_000);
    let reader = DocumentReader::new(long_source.as_bytes(), 1 << 16);
    assert_eq!(reader.flatten().count(), 20_000);
    let long_document = format!("a: 1\n---\nb: {}", "x".repeat(2 * MAX_BYTES));
    let message =
        format!("3:1: the document exceeds the limit of {MAX_BYTES} bytes; split the document");
    assert_eq!(error_of(long_document.as_bytes(), MAX_BYTES), (1, message));
    let mut endless = DocumentReader::new(io::repeat(b'['), MAX_BYTES);
    assert!(matches!(
        endless.next(),
        Some(Err(ReadError::TooLarge { line: 1, .. }))
    ));
}

/// The limit of two million keys and values applies to a document.
#[test]
fn the_keys_and_values_of_all_documents_are_not_limited() {
    let source = format!("[{}1]\n---\n", "1,".repeat(50_000)).repeat(45);
    let reader = DocumentReader::new(source.as_bytes(), MAX_BYTES);
    let has_value = |document: Result<Document, ReadError>| document.unwrap().value().is_ok();
    assert_eq!(
        reader.map(has_value).filter(|has_value| *has_value).count(),
        45
    );
}

#[test]
fn errors_of_the_reader_are_returned() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let mut reader = DocumentReader::new(
        "a: 1\n---\nb: 1\n---\nc: 1\n".as_bytes().chain(Failing),
        MAX_BYTES,
    );
    let results: Vec<String> = reader
        .by_ref()
        .map(|document| document.map_or_else(|error| error.to_string(), |_| "read".to_owned()))
        .collect();
    assert_eq!(results, ["read", "read", "gone"]);
}

#[test]
fn a_document_has_the_size_of_its_source() {
    for (source, sizes) in [
        ("{\"a\": 1}\n{\"b\": [2]}", [8, 11]),
        ("a: 1\n---\nb: 2\n", [9, 5]),
    ] {
        let expected: Vec<usize> = sizes.to_vec();
        let documents = Documents::new(source).map(|document| document.source_bytes());
        assert_eq!(documents.collect::<Vec<_>>(), expected, "{source}");
        let reader = DocumentReader::new(source.as_bytes(), MAX_BYTES);
        let documents = reader.map(|document| document.unwrap().source_bytes());
        assert_eq!(documents.collect::<Vec<_>>(), expected, "{source}");
    }
}
