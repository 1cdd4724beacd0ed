//! Paths as schema errors print them: the keys of maps look like fields, `labels.app` and not `labels[app]`.

use core::fmt::{self, Write as _};

use union_runtime::Violation;
use union_runtime::path::{FieldPath, Path, Step};

/// A path as the text of a schema error has it.
pub(super) struct Dotted {
    path: FieldPath,
    /// The text, where it is not the one that the path is printed as.
    text: Option<String>,
}

impl Dotted {
    pub(super) fn of(at: &Path<'_>) -> Self {
        let (mut is_first, mut is_odd) = (true, false);
        let path = at.to_field_path_by(|step| {
            is_odd |= match step {
                Step::Field(name) => name.is_empty(),
                Step::Key(name) => name.is_empty() || is_first,
                Step::Index(_) => false,
            };
            is_first = false;
            match step {
                Step::Key(name) => Step::Field(name),
                step => step,
            }
        });
        Self {
            path,
            text: is_odd.then(|| joined(&at.to_field_path())),
        }
    }

    /// Returns the path as the field of an error. Seen: a server drops a dot in front.
    pub(super) fn into_path(self) -> FieldPath {
        match self.text {
            None => self.path,
            Some(text) => self
                .path
                .printed_as(text.strip_prefix('.').unwrap_or(&text)),
        }
    }
}

/// Joins the steps of a path as a server does it. Seen: there is a dot before the key of a map, even where nothing is before the
/// dot, and none before a field then.
fn joined(path: &FieldPath) -> String {
    let mut text = String::new();
    for step in path.steps() {
        let dot = match step {
            Step::Field(_) if text.is_empty() => "",
            _ => ".",
        };
        match step {
            Step::Field(name) | Step::Key(name) => {
                text.push_str(dot);
                text.push_str(name);
            }
            Step::Index(index) => {
                // A text takes all that is written to it.
                let _ = write!(text, "[{index}]");
            }
        }
    }
    text
}

impl fmt::Display for Dotted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.as_deref().unwrap_or(self.path.as_str()))
    }
}

/// Returns a path as the field of an error.
pub(super) fn dotted(path: &Path<'_>) -> FieldPath {
    Dotted::of(path).into_path()
}

/// Returns a schema error of the value at `outer` as an error of the whole object. A server puts a dot between the two paths,
/// whatever follows, unless the second one is printed as nothing.
pub(crate) fn within(violation: Violation, outer: &FieldPath) -> Violation {
    if outer.is_root() {
        return violation;
    }
    let printed = match violation.path().as_str() {
        "" => outer.to_string(),
        path => format!("{outer}.{path}"),
    };
    let path = violation.path().under(outer);
    let path = if path == *printed {
        path
    } else {
        path.printed_as(&printed)
    };
    violation.at(path)
}
