//! The format of a file, YAML or JSON, which is recognized by its content: extensions may be wrong,
//! and stdin has none.

use serde_json::Value;
use serde_json::error::Category;
use serde_saphyr::{MessageFormatter as _, UserMessageFormatter};

use super::strict_value::StrictValue;
use crate::error::InputError;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Json,
    Yaml,
}

/// The greatest depth of YAML, which is the limit of `serde_json` for JSON.
const MAX_DEPTH: usize = 128;

impl DocumentFormat {
    /// Returns the format. JSON begins with a list, or with an object whose first key is quoted.
    /// YAML that begins like this is JSON, or nearly.
    pub(crate) fn detect(text: &str) -> Self {
        let text = text.trim_start();
        let is_object = |rest: &str| rest.trim_start().starts_with(['"', '}']);
        if text.starts_with('[') || text.strip_prefix('{').is_some_and(is_object) {
            Self::Json
        } else {
            Self::Yaml
        }
    }

    /// Parses the documents that are not null.
    pub(crate) fn parse(self, text: &str) -> Result<Vec<Value>, InputError> {
        let documents = match self {
            Self::Json => read_json_stream(text)?,
            Self::Yaml => read_yaml_stream(text)?,
        };
        let values = documents.into_iter().map(|StrictValue(value)| value);
        Ok(values.filter(|value| !value.is_null()).collect())
    }
}

/// Parses one JSON value.
pub(crate) fn parse_json(text: &str) -> Result<Value, InputError> {
    let StrictValue(value) =
        serde_json::from_str(text).map_err(|error| json_input_error(&error))?;
    Ok(value)
}

fn read_json_stream(text: &str) -> Result<Vec<StrictValue>, InputError> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| json_input_error(&error))
}

/// Parses YAML as kubectl does: `on` is true, 0644 is octal. Rejects values that JSON cannot hold:
/// duplicate keys, a NaN.
fn read_yaml_stream(text: &str) -> Result<Vec<StrictValue>, InputError> {
    let options = serde_saphyr::options! {
        // These limits allow a whole OpenAPI document, and the aliases that users write.
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
        budget: serde_saphyr::budget! {
            max_nodes: 2_000_000,
            max_events: 8_000_000,
            max_depth: MAX_DEPTH,
        },
        legacy_octal_numbers: true,
        with_snippet: false,
    };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| {
        let location = error.location();
        let at = |number: Option<u64>| number.and_then(|at| usize::try_from(at).ok());
        let text = UserMessageFormatter.format_message(&error);
        InputError {
            line: at(location.map(|location| location.line())).unwrap_or(1),
            column: at(location.map(|location| location.column())).unwrap_or(1),
            message: format!("invalid YAML: {text}"),
        }
    })
}

pub(crate) fn json_input_error(error: &serde_json::Error) -> InputError {
    let text = error.to_string();
    // The position is printed in front of the message already.
    let text = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(text, _)| text);
    let text = match error.classify() {
        // These messages are our own, or serde's about missing or unknown fields.
        Category::Data => text.to_owned(),
        _ if text.starts_with("recursion limit") => {
            format!("nesting exceeds the limit of {MAX_DEPTH} levels")
        }
        Category::Eof => format!("incomplete JSON: {text}"),
        _ => format!("invalid JSON: {text}"),
    };
    InputError {
        line: error.line().max(1),
        column: error.column().max(1),
        message: text,
    }
}
