//! Paths as schema errors print them: map keys look like fields, `labels.app` in place of
//! `labels[app]`.

use core::fmt::{self, Write as _};

use union_runtime::Violation;
use union_runtime::path::{FieldPath, Path, PathStep};

/// A path, as the messages of schema errors print it.
pub(in crate::validate) struct DottedPath {
    path: FieldPath,
    /// The printed path, if it differs from `path`.
    text: Option<String>,
}

impl DottedPath {
    pub(in crate::validate) fn from_path(at: &Path<'_>) -> Self {
        let (mut is_first, mut is_odd) = (true, false);
        let path = at.to_field_path_with(|step| {
            is_odd |= match step {
                PathStep::Field(name) => name.is_empty(),
                PathStep::Key(name) => name.is_empty() || is_first,
                PathStep::Index(_) => false,
            };
            is_first = false;
            match step {
                PathStep::Key(name) => PathStep::Field(name),
                step => step,
            }
        });
        Self {
            path,
            text: is_odd.then(|| join_steps(&at.to_field_path())),
        }
    }

    /// Returns the path of an error. Seen: an API server drops a leading dot.
    pub(in crate::validate) fn into_path(self) -> FieldPath {
        match self.text {
            None => self.path,
            Some(text) => self
                .path
                .with_printed_form(text.strip_prefix('.').unwrap_or(&text)),
        }
    }
}

/// Joins the steps of a path as an API server does. Seen: a map key has a dot in front, even at the
/// beginning; a field at the beginning has no dot.
fn join_steps(path: &FieldPath) -> String {
    let mut text = String::new();
    for step in path.steps() {
        let dot = match step {
            PathStep::Field(_) if text.is_empty() => "",
            _ => ".",
        };
        match step {
            PathStep::Field(name) | PathStep::Key(name) => {
                text.push_str(dot);
                text.push_str(name);
            }
            PathStep::Index(index) => {
                // Writing to a String cannot fail.
                let _ = write!(text, "[{index}]");
            }
        }
    }
    text
}

impl fmt::Display for DottedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.as_deref().unwrap_or(self.path.as_str()))
    }
}

/// Returns the path for an error.
pub(in crate::validate) fn to_dotted_path(path: &Path<'_>) -> FieldPath {
    DottedPath::from_path(path).into_path()
}

/// Converts an error of the value at `outer` to an error of the whole object.
pub(crate) fn with_path_prefix(violation: Violation, outer: &FieldPath) -> Violation {
    if outer.is_root() {
        return violation;
    }
    let path = join_printed_paths(outer, violation.path());
    violation.with_path(path)
}

/// Converts a path of the value at `outer` to a path of the whole object. An API server always
/// prints a dot between both, unless one of them is empty.
pub(crate) fn join_printed_paths(outer: &FieldPath, path: &FieldPath) -> FieldPath {
    let whole = path.under(outer);
    let printed = match (outer.as_str(), path.as_str()) {
        (outer, "") => outer.to_owned(),
        ("", path) => path.to_owned(),
        (outer, path) => format!("{outer}.{path}"),
    };
    if whole == *printed {
        whole
    } else {
        whole.with_printed_form(&printed)
    }
}
