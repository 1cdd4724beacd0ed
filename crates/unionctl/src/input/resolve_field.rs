//! Finds the fields that errors are about.

use serde_json::Value;
use union_json::pointer::escape;
use union_runtime::path::{FieldPath, PathStep};

/// A field that an object has or lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ResolvedField {
    Present,
    /// The object lacks the field. `owner` is the deepest existing object on the path, and `fields`
    /// are the names below it, of which the first is missing.
    Absent {
        owner: FieldPath,
        fields: Vec<String>,
    },
}

impl ResolvedField {
    /// Returns the state of a field; `None` if the path does not exist and cannot be a missing
    /// field: it ends at an element of a list, or below a value that is not an object.
    pub(crate) fn resolve(object: &Value, path: &FieldPath) -> Option<Self> {
        let mut owner = FieldPath::root();
        let mut value = object;
        let mut steps = path.steps();
        while let Some(step) = steps.next() {
            let Some(next) = step.find(value) else {
                let missing_steps = core::iter::once(step).chain(steps);
                let fields = missing_steps.map(|step| step.name().map(str::to_owned));
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
        PathStep::Index(index) => format!("/{index}"),
    });
    tokens.collect()
}

/// Returns a mutable reference to the value at a path.
pub(crate) fn find_mut<'v>(object: &'v mut Value, path: &FieldPath) -> Option<&'v mut Value> {
    path.steps().try_fold(object, |value, step| match step {
        PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name),
        PathStep::Index(index) => value.as_array_mut()?.get_mut(index),
    })
}
