//! Finds the fields that errors are about.

use serde_json::Value;
use union_json::pointer::escape;
use union_runtime::path::{FieldPath, PathStep};

/// A field that an object has or lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ResolvedField {
    Present,
    /// The object does not have the field: `owner` is the deepest object on the way, and lacks the
    /// first of `fields`.
    Absent {
        owner: FieldPath,
        fields: Vec<String>,
    },
}

impl ResolvedField {
    /// Returns the place of a field in an object; `None` if no field can be missing there: at an
    /// element of a list, or in a value without fields.
    pub(crate) fn resolve(object: &Value, path: &FieldPath) -> Option<Self> {
        let mut owner = FieldPath::root();
        let mut value = object;
        let mut steps = path.steps();
        while let Some(step) = steps.next() {
            let Some(next) = step.find(value) else {
                let missing = core::iter::once(step).chain(steps);
                let fields = missing.map(|step| step.name().map(str::to_owned));
                let fields: Option<Vec<String>> = fields.collect();
                let fields = fields.filter(|_| value.is_object())?;
                return Some(Self::Absent { owner, fields });
            };
            value = next;
            owner = owner.step(step);
        }
        Some(Self::Present)
    }
}

/// Returns the JSON pointer of a field.
pub(crate) fn json_pointer(path: &FieldPath) -> String {
    let tokens = path.steps().map(|step| match step {
        PathStep::Field(name) | PathStep::Key(name) => {
            format!("/{}", escape(name))
        }
        PathStep::Index(at) => format!("/{at}"),
    });
    tokens.collect()
}

/// Returns the value at a path, to be changed.
pub(crate) fn find_mut<'v>(object: &'v mut Value, path: &FieldPath) -> Option<&'v mut Value> {
    path.steps().try_fold(object, |value, step| match step {
        PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name),
        PathStep::Index(at) => value.as_array_mut()?.get_mut(at),
    })
}
