//! Finds the fields that errors are about.

use serde_json::Value;
use union_json::pointer::escape;
use union_runtime::path::{FieldPath, Step};

/// A field that an object has or lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    There,
    /// The object does not have the field: `owner` is the deepest object on the way, and lacks the
    /// first of `fields`.
    Missing {
        owner: FieldPath,
        fields: Vec<String>,
    },
}

impl Place {
    /// Returns the place of a field in an object; `None` if no field can be missing there: at an
    /// element of a list, or in a value without fields.
    pub(crate) fn of(object: &Value, path: &FieldPath) -> Option<Self> {
        let mut owner = FieldPath::root();
        let mut value = object;
        let mut steps = path.steps();
        while let Some(step) = steps.next() {
            let Some(next) = step.find(value) else {
                let missing = core::iter::once(step).chain(steps);
                let fields = missing.map(|step| step.name().map(str::to_owned));
                let fields: Option<Vec<String>> = fields.collect();
                let fields = fields.filter(|_| value.is_object())?;
                return Some(Self::Missing { owner, fields });
            };
            value = next;
            owner = owner.step(step);
        }
        Some(Self::There)
    }
}

/// Returns the JSON pointer of a field.
pub(crate) fn pointer(path: &FieldPath) -> String {
    let tokens = path.steps().map(|step| match step {
        Step::Field(name) | Step::Key(name) => {
            format!("/{}", escape(name))
        }
        Step::Index(at) => format!("/{at}"),
    });
    tokens.collect()
}

/// Returns the value at a path, to be changed.
pub(crate) fn find_mut<'v>(object: &'v mut Value, path: &FieldPath) -> Option<&'v mut Value> {
    path.steps().try_fold(object, |value, step| match step {
        Step::Field(name) | Step::Key(name) => value.as_object_mut()?.get_mut(name),
        Step::Index(at) => value.as_array_mut()?.get_mut(at),
    })
}
