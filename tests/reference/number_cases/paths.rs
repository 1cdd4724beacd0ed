//! The code paths of numbers through our crates and the tool, from JSON to JSON.

use std::error::Error;

use k8s_json_internals::number::JsonNumber;
use k8s_json_internals::print::GoNumbers;
use k8s_strategic_merge_patch::PatchSchema;
use serde::{Deserialize, Serialize};
use serde_json::ser::CompactFormatter;
use serde_json::{Deserializer, Number, Value, json};
use union_json::{SchemaSource, Unions, normalize_numbers, union_spec};
use union_runtime::{RawUnion, RestoreUnaware, Settings, UnionEnum};

/// Go's result for a number. `text` is the JSON that Go prints, which a server stores. `stored` and
/// `is_stored_float` describe the number that Go parses from `text`, as a server reads from
/// storage.
#[derive(Debug)]
pub(crate) struct GoResult {
    pub(crate) text: String,
    pub(crate) is_stored_float: bool,
    pub(crate) stored: String,
}

/// The number that a code path must print.
#[derive(Clone, Copy)]
pub(crate) enum ExpectedNumber {
    /// The JSON that an API server stores.
    StoredJson,
    /// The JSON that an API server stores. For -0, the result -0 is also right, because
    /// `serde_json` parses -0 as a float.
    StoredJsonOrMinusZero,
    /// The JSON that an API server prints for a number that it has read from storage.
    JsonAfterStorage,
    /// A number with the type and the value that an API server reads from storage. The JSON may
    /// differ, because `serde_json` prints some floats with another exponent.
    ValueAfterStorage,
}

impl ExpectedNumber {
    pub(crate) fn is_same(self, sent: &str, ours: &str, theirs: &GoResult) -> bool {
        match self {
            Self::StoredJson => ours == theirs.text,
            Self::StoredJsonOrMinusZero => ours == theirs.text || sent == "-0" && ours == "-0",
            Self::ValueAfterStorage if theirs.is_stored_float => {
                let same = |text: &str| Some(text.parse::<f64>().ok()?.to_bits());
                let number = ours
                    .parse::<Number>()
                    .map(|number| JsonNumber::from_number(&number));
                matches!(number, Ok(JsonNumber::Float(_))) && same(ours) == same(&theirs.stored)
            }
            Self::JsonAfterStorage | Self::ValueAfterStorage => ours == theirs.stored,
        }
    }
}

type Path = fn(&str) -> Result<(String, ExpectedNumber), Box<dyn Error>>;

/// The paths through the libraries.
pub(crate) const LIBRARY: [(&str, Path); 6] = [
    ("a value of serde_json", value),
    ("normalize_numbers", stored),
    ("RawUnion", raw_union),
    ("normalization", normalization),
    ("a patch that is created", patch),
    ("a patch that is applied", applied),
];

type Line = fn(&str) -> String;

/// The paths through `unionctl`.
pub(crate) const TOOL: [(&str, &str, Line); 5] = [
    ("unionctl check", "check", |list| {
        let schema = r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#;
        format!(r#"{{"op":"create","schema":{schema},"new":{{"n":[{list}]}}}}"#)
    }),
    ("unionctl unions", "unions", |list| {
        format!(r#"{{"schema":{{}},"new":{{"n":[{list}]}}}}"#)
    }),
    ("unionctl patch, diff", "patch", |list| {
        format!(r#"{{"op":"diff","schema":{{}},"original":{{}},"modified":{{"n":[{list}]}}}}"#)
    }),
    ("unionctl patch, apply", "patch", |list| {
        format!(r#"{{"op":"apply","schema":{{}},"original":{{"n":[{list}]}},"patch":{{"a":1}}}}"#)
    }),
    ("unionctl patch, three_way", "patch", |list| {
        let empty = r#""original":{},"current":{}"#;
        format!(r#"{{"op":"three_way","schema":{{}},{empty},"modified":{{"n":[{list}]}}}}"#)
    }),
];

/// Returns the numbers of the list `n`, the only list in a JSON string.
pub(crate) fn tokens(text: &str) -> Result<Vec<&str>, Box<dyn Error>> {
    let list = text
        .split_once("\"n\":[")
        .and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.ok_or_else(|| format!("no list in {text:.100}"))?;
    Ok(list.split(',').collect())
}

fn object(list: &str) -> String {
    format!(r#"{{"n":[{list}]}}"#)
}

/// Returns the JSON of a value, with numbers as Go writes them.
fn written(value: &Value) -> Result<String, Box<dyn Error>> {
    let mut bytes = Vec::new();
    let format = GoNumbers(CompactFormatter);
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut bytes, format,
    ))?;
    Ok(String::from_utf8(bytes)?)
}

fn value(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let value: Value = serde_json::from_str(&object(list))?;
    Ok((written(&value)?, ExpectedNumber::StoredJsonOrMinusZero))
}

fn stored(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let mut value: Value = serde_json::from_str(&object(list))?;
    normalize_numbers(&mut value);
    Ok((written(&value)?, ExpectedNumber::JsonAfterStorage))
}

#[derive(Serialize, Deserialize, Debug)]
struct Known {}

#[derive(UnionEnum, Debug)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Known(Known),
    #[union(other)]
    Other(RawUnion),
}

fn raw_union(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let text = format!(r#"{{"type":"Tape","tape":{}}}"#, object(list));
    let target: Target = serde_json::from_str(&text)?;
    Ok((
        serde_json::to_string(&target)?,
        ExpectedNumber::ValueAfterStorage,
    ))
}

/// Normalizes an update by a client that does not know a member. The member is restored from the
/// old object.
fn normalization(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let spec = union_spec! { discriminator = "type", "A" => "a", "B" => "b" };
    let unions = Unions::compiler()
        .union_at("", spec)
        .compile(SchemaSource::WithoutSchema)?;
    let old = format!(r#"{{"type":"A","a":{}}}"#, object(list));
    let old = unions.read_partial(&mut Deserializer::from_str(&old))?;
    let mut new = json!({"type": "A"});
    let settings = Settings::default().restore_unaware(RestoreUnaware::All);
    let changes = unions.normalize(&mut new, Some(&old), &settings);
    if changes.is_empty() {
        return Err("the member was not restored".into());
    }
    Ok((written(&new)?, ExpectedNumber::StoredJsonOrMinusZero))
}

fn patch(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let modified: Value = serde_json::from_str(&object(list))?;
    let patch = PatchSchema::compile(&json!({}))?.diff(&json!({}), &modified)?;
    Ok((written(&patch)?, ExpectedNumber::StoredJsonOrMinusZero))
}

fn applied(list: &str) -> Result<(String, ExpectedNumber), Box<dyn Error>> {
    let live: Value = serde_json::from_str(&object(list))?;
    let object = PatchSchema::compile(&json!({}))?.apply(live, &json!({"a": 1}))?;
    Ok((written(&object)?, ExpectedNumber::StoredJsonOrMinusZero))
}
