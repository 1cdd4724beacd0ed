//! Where in an object something is: a chain of borrowed links, rendered only when a message needs it.
//!
//! For validators of your own: going down costs no allocation, and a [`Violation`](crate::Violation) takes the path as it is.
//!
//! ```
//! use union_runtime::Violation;
//! use union_runtime::path::{Path, Step};
//!
//! let spec = Path::ROOT.field("spec");
//! let ports = spec.field("ports");
//! let port = ports.step(Step::Index(2));
//! assert_eq!(port.to_string(), "spec.ports[2]");
//! assert_eq!(Violation::duplicate(port, 80).to_string(), "spec.ports[2]: Duplicate value: 80");
//! ```

use core::fmt::{self, Write as _};
use std::borrow::Cow;

use serde_json::Value;

/// A field path, as `spec.volumes[2].hostPath`.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    link: Option<(&'a Path<'a>, Step<'a>)>,
}

/// One link of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A field of an object.
    Field(&'a str),
    /// An element of a list.
    Index(usize),
    /// An entry of a map.
    Key(&'a str),
}

impl<'a> Path<'a> {
    /// The object itself.
    pub const ROOT: Path<'static> = Path { link: None };

    /// The field of that name, below this place.
    #[must_use]
    pub const fn field(&'a self, field: &'a str) -> Self {
        self.step(Step::Field(field))
    }

    /// One step below this place.
    #[must_use]
    pub const fn step(&'a self, step: Step<'a>) -> Self {
        Self {
            link: Some((self, step)),
        }
    }

    /// Whether it is the object itself.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.link.is_none()
    }

    /// The path of a field here. Where its name is `declared`, so there for good, and nothing stands before it, that is the path.
    pub(crate) fn below(&self, field: &str, declared: Option<&'static str>) -> Cow<'static, str> {
        match declared {
            Some(field) if self.is_root() => Cow::Borrowed(field),
            _ => Cow::Owned(self.field(field).to_string()),
        }
    }

    /// What stands here in a JSON object; `None` if nothing does.
    #[must_use]
    pub fn find<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        let Some((parent, step)) = self.link else {
            return Some(root);
        };
        let parent = parent.find(root)?;
        match step {
            Step::Field(key) | Step::Key(key) => parent.get(key),
            Step::Index(index) => parent.get(index),
        }
    }
}

/// A path as an API server's schema errors print it: the keys of maps look like fields, `labels.app` and not `labels[app]`.
#[derive(Clone, Copy, Debug)]
pub struct Dotted<'a>(pub &'a Path<'a>);

impl Dotted<'_> {
    /// As it is printed, in one allocation for most paths.
    #[must_use]
    pub fn text(&self) -> String {
        // Longer ones are rare.
        let mut text = String::with_capacity(64);
        // A text takes all that is written to it.
        let _ = write!(text, "{self}");
        text
    }
}

impl fmt::Display for Dotted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((parent, step)) = self.0.link else {
            return Ok(());
        };
        Dotted(parent).fmt(f)?;
        match step {
            // Seen: a key of a map has a dot in front even where there is nothing before it.
            Step::Field(field) if parent.link.is_none() => f.write_str(field),
            Step::Field(field) | Step::Key(field) => {
                f.write_str(".")?;
                f.write_str(field)
            }
            Step::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((parent, step)) = self.link else {
            return Ok(());
        };
        if parent.link.is_some() {
            parent.fmt(f)?;
        } else if let Step::Field(field) = step {
            return f.write_str(field);
        }
        match step {
            Step::Field(field) => write!(f, ".{field}"),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) => write!(f, "[{key}]"),
        }
    }
}
