//! Reads files as `unionctl` does: raw bytes, and documents that are written in several formats. A
//! file has the same documents in every way of reading it: whole or as a stream, with or without
//! sources, plain or compressed, alone or in a folder, and after it is written again.

#![no_main]

#[path = "../../../crates/unionctl/src/error.rs"]
#[expect(dead_code, reason = "the commands use the rest")]
mod error;
#[path = "../../../crates/unionctl/src/input/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the commands use the rest")]
mod input;
#[path = "../../../crates/unionctl/src/output/yaml.rs"]
#[expect(dead_code, reason = "the commands use the rest")]
mod yaml;

use std::cell::RefCell;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::PathBuf;

use error::CommandError;
use flate2::Compression;
use flate2::write::GzEncoder;
use input::{Documents, InputReader, ObjectInFile, ObjectSource, SourceMap, crd, list, openapi};
use k8s_json_internals::normalized_numbers::normalize_numbers;
use k8s_yaml::Node;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use union_fuzz::Source;
use union_runtime::path::{FieldPath, PathStep};

/// The flag in messages.
const FLAG: &str = "--file";

/// If the first byte of an input is below this byte, the input describes random documents. All
/// other inputs are the contents of files.
const FIRST_TEXT_BYTE: u8 = 8;

/// The first bytes of compressed files.
const MAGIC_NUMBERS: [&[u8]; 5] = [
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\xfd7zXZ",
    b"BZh",
    b"PK\x03\x04",
];

/// Keys and strings that parsers may mistake for another value, or for a part of the syntax.
const WORDS: [&str; 40] = [
    "kind",
    "apiVersion",
    "items",
    "metadata",
    "name",
    "List",
    "KList",
    "K",
    "g/v1",
    "spec",
    "CustomResourceDefinition",
    "components",
    "schemas",
    "definitions",
    "",
    "on",
    "~",
    "null",
    "0x1f",
    "010",
    "1e3",
    ".inf",
    "1_000",
    "12:30:45",
    "2024-01-02",
    "---",
    "--- a",
    "...",
    "- a",
    "a: b",
    "#",
    " a ",
    "\ta",
    "a\nb\n",
    "\u{feff}",
    "\u{85}",
    "<<",
    "=",
    "!x",
    "'\"\\",
];

fuzz_target!(|bytes: &[u8]| {
    match bytes.split_first() {
        Some((first, rest)) if *first < FIRST_TEXT_BYTE => check_documents(&mut Source::new(rest)),
        _ => drop(check_file(bytes)),
    }
});

/// The folder with the files of this process.
struct Files {
    folder: PathBuf,
}

thread_local! {
    static FILES: RefCell<Option<Files>> = const { RefCell::new(None) };
}

impl Files {
    fn create() -> Self {
        let folder = std::env::temp_dir().join(format!("union-fuzz-{}", std::process::id()));
        fs::create_dir_all(folder.join("both")).expect("the temporary folder is writable");
        Self { folder }
    }

    /// Writes a file, and returns its path.
    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, bytes).expect("the temporary folder is writable");
        path
    }
}

fn with_files<T>(run: impl FnOnce(&Files) -> T) -> T {
    FILES.with_borrow_mut(|files| run(files.get_or_insert_with(Files::create)))
}

/// The documents of a file: their values and notes, or the error.
type ReadResult = Result<(Vec<Value>, Vec<String>), String>;

fn read_result(result: Result<Documents, CommandError>) -> ReadResult {
    let documents = result.map_err(|error| error.to_string())?;
    Ok((documents.values, documents.notes))
}

/// Reads a file in every way, and returns its documents.
fn check_file(bytes: &[u8]) -> Option<Vec<Value>> {
    with_files(|files| {
        let path = files.write("a.yaml", bytes);
        let mut reader = InputReader::default();
        let documents = reader.read_documents(FLAG, &path);
        if let Ok(documents) = &documents {
            check_objects(documents);
        }
        let expected = read_result(documents);
        check_compressed(files, bytes, &expected);
        let content = reader.read_documents_and_bytes(FLAG, &path);
        let content = content.map_or_else(|_| bytes.to_vec(), |(_, content)| content);
        check_stream(&path, &content, &expected);
        let with_sources = reader.read_documents_with_sources(FLAG, &path);
        check_sources(&with_sources, &content, &expected);
        check_folder(files, bytes, &expected);
        let (values, _) = expected.ok()?;
        check_json(&content, &values);
        Some(values)
    })
}

/// Checks that a compressed file has the same documents. The file has two parts that are compressed
/// separately.
fn check_compressed(files: &Files, bytes: &[u8], expected: &ReadResult) {
    if MAGIC_NUMBERS.iter().any(|magic| bytes.starts_with(magic)) {
        return;
    }
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let middle = usize::try_from(hasher.finish() % (bytes.len() as u64 + 1)).unwrap_or_default();
    let (first, second) = bytes.split_at(middle);
    let mut compressed = Vec::new();
    for part in [first, second] {
        let mut encoder = GzEncoder::new(compressed, Compression::fast());
        encoder.write_all(part).expect("memory is writable");
        compressed = encoder.finish().expect("memory is writable");
    }
    // The compressed file has the same name, because error messages contain the name.
    let path = files.write("a.yaml", &compressed);
    let result = read_result(InputReader::default().read_documents(FLAG, &path));
    assert_eq!(result, *expected, "compressed in two parts: {middle}");
    files.write("a.yaml", bytes);
}

/// Checks that a stream has the same documents, or an error.
fn check_stream(path: &std::path::Path, content: &[u8], expected: &ReadResult) {
    for keeps_sources in [false, true] {
        let mut values = Vec::new();
        let stream = InputReader::default().open_documents(FLAG, path, keeps_sources);
        let result = stream.and_then(|mut stream| {
            while let Some(document) = stream.next_document()? {
                assert_eq!(document.source().is_some(), keeps_sources);
                let mut value = document.value;
                list::complete_items(&mut value);
                values.push(value);
            }
            Ok(stream.into_notes())
        });
        let result = result.map_err(|error| error.to_string());
        let is_utf8 = std::str::from_utf8(content).is_ok();
        match (result, expected) {
            (Ok(notes), Ok(expected)) => {
                assert_eq!((&values, &notes), (&expected.0, &expected.1));
            }
            // With sources, a duplicate key is not an error.
            (Ok(_), Err(error)) => {
                assert!(keeps_sources && error.contains("duplicate key"), "{error}");
            }
            (Err(error), Ok(_)) => panic!("only a stream has the error {error}"),
            // A stream reports an error before it reads the bytes after it.
            (Err(error), Err(expected)) if is_utf8 && !keeps_sources => {
                assert_eq!(error, *expected);
            }
            (Err(_), Err(_)) => {}
        }
    }
}

/// Checks the values and the positions of documents with sources.
fn check_sources(result: &Result<Documents, CommandError>, content: &[u8], expected: &ReadResult) {
    let documents = match (result, expected) {
        (Ok(documents), Ok((values, notes))) => {
            assert_eq!((&documents.values, &documents.notes), (values, notes));
            documents
        }
        (Err(_), Err(_)) => return,
        (Ok(documents), Err(error)) => {
            assert!(error.contains("duplicate key"), "{error}");
            documents
        }
        (Err(error), Ok(_)) => panic!("only with sources, the file has the error {error}"),
    };
    let text = std::str::from_utf8(content).expect("invalid UTF-8 is an error");
    let mut object_count = 0;
    for object in documents.objects_in_file() {
        object_count += 1;
        let source = documents.source_of(object).expect("the sources are kept");
        let duplicates = source.duplicates();
        assert!(duplicates.is_empty() || expected.is_err(), "{duplicates:?}");
        check_positions(text, object, &source);
    }
    if expected.is_ok() && has_simple_keys(text) {
        check_source_map(text, documents);
    }
    assert_eq!(documents.objects().count(), object_count);
}

/// Checks that the positions of an object are in the file.
fn check_positions(text: &str, object: ObjectInFile<'_>, source: &ObjectSource) {
    // Other line breaks than a line feed also separate lines.
    let line_breaks = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    let line_count = text.matches(line_breaks).count() + 1;
    let longest_line = text.chars().count();
    for path in paths(object.object) {
        let position = source
            .position(&path)
            .expect("an existing path has a position");
        assert!(
            (1..=line_count).contains(&position.line),
            "{path} {position:?}"
        );
        assert!(
            (1..=longest_line + 1).contains(&position.column),
            "{path} {position:?}"
        );
        let missing_path = path.clone().field("a field that no input has");
        assert_eq!(source.position(&missing_path), Some(position), "{path}");
    }
}

/// Returns true if a JSON pointer has the same position for both ways to find positions: a file
/// without aliases and merged maps, and without keys that are not scalars.
fn has_simple_keys(text: &str) -> bool {
    k8s_yaml::Documents::new(text).all(|document| {
        let mut events = document.events().iter();
        events.all(|event| match &event.node {
            Node::Alias(_) => false,
            Node::Scalar(scalar) => !(event.is_key && scalar.is_merge()),
            Node::Map { .. } | Node::List { .. } => !event.is_key,
            _ => true,
        })
    })
}

/// Compares the two ways to find the position of a field.
fn check_source_map(text: &str, documents: &Documents) {
    let mut pointers = Vec::new();
    for object in documents.objects_in_file() {
        let source = documents.source_of(object).expect("the sources are kept");
        for path in paths(object.object) {
            let pointer = input::resolve_field::json_pointer(&path);
            let pointer = format!("{}{pointer}", object.pointer());
            // A list item may get this field from its list, and then the file lacks the field.
            let is_added = path.as_str() == "kind" || path.as_str() == "apiVersion";
            if !(is_added && object.item.is_some()) {
                pointers.push((object.document, pointer, source.position(&path)));
            }
        }
    }
    let requested = pointers
        .iter()
        .map(|(document, pointer, _)| (*document, pointer.as_str()));
    let map = SourceMap::build(text, requested);
    for (document, pointer, position) in &pointers {
        assert_eq!(
            map.nearest_position(*document, pointer),
            *position,
            "{document} {pointer:?}"
        );
    }
}

/// Returns the paths of all values in a value.
fn paths(value: &Value) -> Vec<FieldPath> {
    let mut paths = Vec::new();
    let mut pending = vec![(FieldPath::root(), value)];
    while let Some((path, value)) = pending.pop() {
        match value {
            Value::Object(fields) => pending.extend(
                fields
                    .iter()
                    .map(|(name, child)| (path.clone().step(PathStep::Field(name)), child)),
            ),
            Value::Array(elements) => pending.extend(
                elements
                    .iter()
                    .enumerate()
                    .map(|(i, child)| (path.clone().index(i), child)),
            ),
            _ => {}
        }
        paths.push(path);
        if paths.len() > 1_000 {
            break;
        }
    }
    paths
}

/// Checks that a folder has the documents of its files.
fn check_folder(files: &Files, bytes: &[u8], expected: &ReadResult) {
    files.write("both/a.yaml", bytes);
    files.write("both/b.JSON", b"{\"kind\": \"B\"}");
    files.write("both/c.txt", b"[");
    let folder = files.folder.join("both");
    let documents = InputReader::default().read_file_or_folder(FLAG, &folder);
    match (documents, expected) {
        (Ok(documents), Ok((values, _))) => {
            let (last, others) = documents.values.split_last().expect("two files");
            assert_eq!((others, last), (values.as_slice(), &json!({"kind": "B"})));
        }
        (Err(_), Err(_)) => {}
        (documents, _) => panic!("{documents:?}\n{expected:?}"),
    }
}

/// Checks that the objects, the CRDs and the named schemas of documents are found.
fn check_objects(documents: &Documents) {
    let objects: Vec<&Value> = documents.objects().collect();
    assert_eq!(documents.single_object().is_some(), objects.len() == 1);
    for value in &documents.values {
        let items = list::list_items(value);
        assert!(items.is_none() || list::item_kind(value).is_some());
        assert!(!crd::is_crd(value) || value["kind"] == "CustomResourceDefinition");
        let schemas = ["/components/schemas", "/definitions"];
        let schemas = schemas
            .into_iter()
            .filter_map(|map| value.pointer(map)?.as_object());
        for name in schemas.flat_map(|map| map.keys()) {
            let (pointer, schema) = openapi::find_schema(value, name).expect("a known name");
            assert_eq!(value.pointer(&pointer), Some(schema), "{pointer}");
        }
        assert!(openapi::find_schema(value, "a name that no input has").is_err());
    }
}

/// Compares a file that is one JSON object with the result of `serde_json`.
fn check_json(content: &[u8], values: &[Value]) {
    let Ok(mut expected) = serde_json::from_slice::<Value>(content) else {
        return;
    };
    if expected.is_object() {
        let mut values = values.to_vec();
        list::complete_items(&mut expected);
        normalize_numbers([&mut expected]);
        normalize_numbers(&mut values);
        assert_eq!(values, [expected]);
    }
}

/// Writes documents in several formats, and reads each of them.
fn check_documents(source: &mut Source<'_>) {
    let mut values = Vec::new();
    while values.len() < 6 {
        let value = if source.chance(60) {
            json!({"apiVersion": "g/v1", "kind": source.word(&["KList", "List", "K"]),
                "metadata": source.json(&WORDS), "items": source.json(&WORDS)})
        } else {
            source.json(&WORDS)
        };
        values.push(value);
        if !source.chance(150) {
            break;
        }
    }
    let mut expected: Vec<Value> = values
        .iter()
        .filter(|value| !value.is_null())
        .cloned()
        .collect();
    expected.iter_mut().for_each(list::complete_items);
    normalize_numbers(&mut expected);
    let json: Vec<String> = values.iter().map(ToString::to_string).collect();
    let mut files = Vec::new();
    // In YAML, these characters are line breaks or errors, also in quotes.
    let is_invalid =
        |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}');
    if !json.iter().any(|json| json.contains(is_invalid)) {
        files.push(json.join("\n---\n"));
    }
    if values.iter().all(Value::is_object) {
        files.push(json.concat());
        files.push(json.join("\n"));
    }
    if let Ok(yaml) = yaml::documents(&values) {
        files.push(yaml);
    }
    for file in files {
        let mut read = check_file(file.as_bytes()).unwrap_or_else(|| panic!("an error in {file}"));
        normalize_numbers(&mut read);
        assert_eq!(read, expected, "{file}");
    }
}
