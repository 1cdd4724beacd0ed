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

/// The maximum depth of JSON that `serde_json` parses.
const MAX_DEPTH: usize = 128;

impl DocumentFormat {
    /// Detects the format. Input that begins with a list, or with an object whose first key is
    /// quoted, is JSON, although it can also be a YAML flow collection.
    pub(crate) fn detect(content: &str) -> Self {
        let content = content.trim_start_matches('\u{feff}').trim_start();
        let begins_json_object =
            |after_brace: &str| after_brace.trim_start().starts_with(['"', '}']);
        if content.starts_with('[') || content.strip_prefix('{').is_some_and(begins_json_object) {
            Self::Json
        } else {
            Self::Yaml
        }
    }
}

/// Converts an error of `serde_json`. The message does not repeat the position.
pub(crate) fn json_input_error(error: &serde_json::Error) -> InputError {
    let error_message = error.to_string();
    let description = error_message
        .rsplit_once(" at line ")
        .map_or(&*error_message, |(description, _)| description);
    let message = match error.classify() {
        // These messages are written by this crate, or by serde for missing and unknown fields.
        Category::Data => description.to_owned(),
        _ if description.starts_with("recursion limit") => {
            format!("nesting exceeds the limit of {MAX_DEPTH} levels")
        }
        Category::Eof => format!("incomplete JSON: {description}"),
        _ => format!("invalid JSON: {description}"),
    };
    InputError {
        line: error.line().max(1),
        column: error.column().max(1),
        message,
    }
}
