//! A path that borrows its steps.

use core::fmt;

use serde_json::Value;

use super::field_path::{FieldPath, PathBuilder};
use super::step::PathStep;

/// A path during a walk: a linked list of borrowed steps.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Path<'a> {
    link: Option<(&'a Path<'a>, PathStep<'a>)>,
}

impl<'a> Path<'a> {
    /// The path of the object itself.
    pub const ROOT: Path<'static> = Path { link: None };

    /// Returns the path of a field of the value at this path.
    pub const fn field(&'a self, field: &'a str) -> Self {
        self.step(PathStep::Field(field))
    }

    /// Returns the path one step below this one.
    pub const fn step(&'a self, step: PathStep<'a>) -> Self {
        Self {
            link: Some((self, step)),
        }
    }

    /// Returns true for the path of the object itself.
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

    /// Returns an owned copy of the path, with each step converted by `convert`, from the first
    /// step to the last. It serves schema errors, in which API servers print map keys as fields.
    pub fn to_field_path_with(
        &self,
        mut convert: impl FnMut(PathStep<'a>) -> PathStep<'a>,
    ) -> FieldPath {
        let (mut steps, mut bytes) = (0, 0);
        let mut at = self;
        while let Some((parent, step)) = at.link {
            steps += 1;
            bytes += step.printed_len();
            at = parent;
        }
        let mut spelled = PathBuilder::with_capacity(steps, bytes);
        self.push_steps(&mut convert, &mut spelled);
        spelled.into()
    }

    fn push_steps(
        &self,
        convert: &mut impl FnMut(PathStep<'a>) -> PathStep<'a>,
        spelled: &mut PathBuilder,
    ) {
        if let Some((parent, step)) = self.link {
            parent.push_steps(convert, spelled);
            spelled.push(convert(step));
        }
    }

    /// Returns the path of a field of the value at this path. The path does not allocate if this
    /// path is the root and the name of the field is a static string, given as `declared`.
    pub(crate) fn child_path(&self, field: &str, declared: Option<&'static str>) -> FieldPath {
        match declared {
            Some(field) if self.is_root() => FieldPath::from_static(field),
            _ => self.field(field).to_field_path(),
        }
    }
}

/// Prints the path. This allocates, which is acceptable because only errors print paths.
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
