//! Finds the fields that errors are about.

use serde_json::Value;
use union_json::pointer::{escape, unescape};
use union_runtime::path::{FieldPath, PathStep};

/// A field that an object has or lacks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ResolvedField {
    Present,
    /// The object lacks the field. `owner` is the path of the deepest existing object, and `fields`
    /// are the names on the rest of the path, of which the first is missing in the owner.
    Absent {
        owner: FieldPath,
        fields: Vec<String>,
    },
}

impl ResolvedField {
    /// Resolves a path; `None` if the path does not exist and does not name a missing field,
    /// because its missing part contains a list index, or begins in a value that is not an object.
    pub(crate) fn resolve(object: &Value, path: &FieldPath) -> Option<Self> {
        let mut owner_path = FieldPath::root();
        let mut owner_value = object;
        let mut steps = path.steps();
        while let Some(step) = steps.next() {
            let Some(child) = step.find(owner_value) else {
                let missing_steps = core::iter::once(step).chain(steps);
                let fields = missing_steps.map(|step| step.name().map(str::to_owned));
                let fields: Option<Vec<String>> = fields.collect();
                let fields = fields.filter(|_| owner_value.is_object())?;
                return Some(Self::Absent {
                    owner: owner_path,
                    fields,
                });
            };
            owner_value = child;
            owner_path = owner_path.step(step);
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

/// Returns the path of the field at a JSON pointer, or of its nearest parent that exists.
pub(crate) fn path_at_pointer(value: &Value, pointer: &str) -> FieldPath {
    let mut path = FieldPath::root();
    let mut parent = value;
    for token in pointer.split('/').skip(1) {
        let name = unescape(token);
        let (step, child) = match parent {
            Value::Array(items) => {
                let Some(index) = name.parse().ok().filter(|index| *index < items.len()) else {
                    break;
                };
                (PathStep::Index(index), &items[index])
            }
            _ => match parent.get(&*name) {
                Some(child) => (PathStep::Field(&name), child),
                None => break,
            },
        };
        path = path.step(step);
        parent = child;
    }
    path
}

/// Returns a mutable reference to the value at a path.
pub(crate) fn find_mut<'v>(object: &'v mut Value, path: &FieldPath) -> Option<&'v mut Value> {
    path.steps().try_fold(object, |value, step| match step {
        PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name),
        PathStep::Index(index) => value.as_array_mut()?.get_mut(index),
    })
}
