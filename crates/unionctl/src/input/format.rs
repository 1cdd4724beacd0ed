//! Detects the format of a file, YAML or JSON, by its content: a file name extension may be wrong,
//! and stdin has no name.

use serde_json::error::Category;

use crate::error::InputError;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Json,
    Yaml,
}

/// The maximum depth of JSON, which `serde_json` sets.
const MAX_DEPTH: usize = 128;

impl DocumentFormat {
    /// Detects the format. JSON is a list, or an object whose first key is quoted. A YAML flow
    /// value that begins like this is printed as JSON.
    pub(crate) fn detect(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_object = |rest: &str| rest.trim_start().starts_with(['"', '}']);
        if text.starts_with('[') || text.strip_prefix('{').is_some_and(is_object) {
            Self::Json
        } else {
            Self::Yaml
        }
    }
}

pub(crate) fn json_input_error(error: &serde_json::Error) -> InputError {
    let text = error.to_string();
    // The message has the position already, in front.
    let text = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(text, _)| text);
    let text = match error.classify() {
        // These messages are written by this crate, or by serde for missing and unknown fields.
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
