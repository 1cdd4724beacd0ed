//! Where in an object something is: a chain of borrowed links, rendered only when a message needs it.

use core::fmt;

/// A field path, as `spec.strategy.rollingUpdate`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    field: &'a str,
}

impl<'a> Path<'a> {
    /// The object itself.
    pub(crate) const ROOT: Path<'static> = Path {
        parent: None,
        field: "",
    };

    pub(crate) const fn field(&'a self, field: &'a str) -> Self {
        Self {
            parent: Some(self),
            field,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else {
            return Ok(());
        };
        if parent.parent.is_some() {
            write!(f, "{parent}.")?;
        }
        f.write_str(self.field)
    }
}
