//! A path that borrows its steps, for walks.

use core::fmt;

use serde_json::Value;

use super::field_path::{FieldPath, PathBuilder};
use k8s_json_internals::path_step::PathStep;

/// A path during a walk: a linked list of borrowed steps.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Path<'a> {
    /// The parent path and the last step, or `None` for the path of the object itself.
    link: Option<(&'a Path<'a>, PathStep<'a>)>,
}

impl<'a> Path<'a> {
    /// The path of the object itself.
    pub const ROOT: Path<'static> = Path { link: None };

    /// Returns the path of a field of the value at this path.
    pub const fn field(&'a self, field: &'a str) -> Self {
        self.step(PathStep::Field(field))
    }

    /// Returns the path with one more step.
    pub const fn step(&'a self, step: PathStep<'a>) -> Self {
        Self {
            link: Some((self, step)),
        }
    }

    /// Returns true if this is the path of the object itself.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.link.is_none()
    }

    /// Returns the value at this path in an object, if there is one.
    #[must_use]
    pub fn find<'v>(&self, object: &'v Value) -> Option<&'v Value> {
        match self.link {
            Some((parent, step)) => step.find(parent.find(object)?),
            None => Some(object),
        }
    }

    /// Returns an owned copy of the path.
    pub fn to_field_path(&self) -> FieldPath {
        self.to_field_path_with(|step| step)
    }

    /// Returns an owned copy of the path, in which `convert` has replaced each step, from the first
    /// to the last. API servers print map keys as fields in errors of schemas, so these errors
    /// convert the keys.
    pub fn to_field_path_with(
        &self,
        mut convert: impl FnMut(PathStep<'a>) -> PathStep<'a>,
    ) -> FieldPath {
        let (mut step_count, mut byte_count) = (0, 0);
        let mut path = self;
        while let Some((parent, step)) = path.link {
            step_count += 1;
            byte_count += step.printed_len();
            path = parent;
        }
        let mut builder = PathBuilder::with_capacity(step_count, byte_count);
        self.push_steps(&mut convert, &mut builder);
        builder.into()
    }

    fn push_steps(
        &self,
        convert: &mut impl FnMut(PathStep<'a>) -> PathStep<'a>,
        builder: &mut PathBuilder,
    ) {
        if let Some((parent, step)) = self.link {
            parent.push_steps(convert, builder);
            builder.push(convert(step));
        }
    }

    /// Returns the path of a field of the value at this path. `static_name` is the name of the
    /// field, if the name is a static string. The result does not allocate if this path is the root
    /// and `static_name` is given.
    pub(crate) fn child_path(&self, field: &str, static_name: Option<&'static str>) -> FieldPath {
        match static_name {
            Some(field) if self.is_root() => FieldPath::from_static(field),
            _ => self.field(field).to_field_path(),
        }
    }
}

/// Prints the path. Printing allocates, but only errors print paths.
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_field_path().fmt(f)
    }
}

impl From<Path<'_>> for FieldPath {
    fn from(path: Path<'_>) -> Self {
        path.to_field_path()
    }
}
