//! The format of a file, YAML or JSON, which is recognized by its content: extensions may be wrong,
//! and stdin has none.

use serde_json::error::Category;

use crate::error::InputError;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Json,
    Yaml,
}

/// The greatest depth of JSON, which is the limit of `serde_json`.
const MAX_DEPTH: usize = 128;

impl DocumentFormat {
    /// Returns the format. JSON begins with a list, or with an object whose first key is quoted.
    /// YAML that begins like this is JSON, or nearly.
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
