//! Paths as schema errors print them: map keys look like fields, `labels.app` in place of
//! `labels[app]`.

use core::fmt::{self, Write as _};

use union_runtime::Violation;
use union_runtime::path::{FieldPath, Path, PathStep};

/// A path, as the messages of schema errors print it.
pub(in crate::validate) struct DottedPath {
    path: FieldPath,
    /// The printed path, if it differs from `path`.
    printed_path: Option<String>,
}

impl DottedPath {
    pub(in crate::validate) fn from_path(path: &Path<'_>) -> Self {
        let mut is_first_step = true;
        let mut is_printed_differently = false;
        let field_path = path.to_field_path_with(|step| {
            is_printed_differently |= match step {
                PathStep::Field(name) => name.is_empty() || is_first_step && name.starts_with('.'),
                PathStep::Key(name) => name.is_empty() || is_first_step,
                PathStep::Index(_) => false,
            };
            is_first_step = false;
            match step {
                PathStep::Key(name) => PathStep::Field(name),
                step => step,
            }
        });
        Self {
            path: field_path,
            printed_path: is_printed_differently.then(|| join_steps(&path.to_field_path())),
        }
    }

    /// Returns the path of an error. An API server drops a leading dot, as tests against a real
    /// server show.
    pub(in crate::validate) fn into_path(self) -> FieldPath {
        match self.printed_path {
            None => self.path,
            Some(printed_path) => self
                .path
                .with_printed_form(printed_path.strip_prefix('.').unwrap_or(&printed_path)),
        }
    }
}

/// Joins the steps of a path as an API server does. A map key has a dot in front, even at the
/// beginning; a field at the beginning does not have a dot.
fn join_steps(path: &FieldPath) -> String {
    let mut printed_path = String::new();
    for step in path.steps() {
        let dot = match step {
            PathStep::Field(_) if printed_path.is_empty() => "",
            _ => ".",
        };
        match step {
            PathStep::Field(name) | PathStep::Key(name) => {
                printed_path.push_str(dot);
                printed_path.push_str(name);
            }
            PathStep::Index(index) => {
                // Writing to a String cannot fail.
                let _ = write!(printed_path, "[{index}]");
            }
        }
    }
    printed_path
}

impl fmt::Display for DottedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.printed_path.as_deref().unwrap_or(self.path.as_str()))
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
    let whole_path = path.under(outer);
    let printed_path = match (outer.as_str(), path.as_str()) {
        (outer, "") => outer.to_owned(),
        ("", path) => path.to_owned(),
        (outer, path) => format!("{outer}.{path}"),
    };
    if whole_path == *printed_path {
        whole_path
    } else {
        whole_path.with_printed_form(&printed_path)
    }
}
