//! The uniqueness of elements in lists of type set and map (`docs/ratcheting.md`, "Policies").

use core::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, RandomState};

use serde_json::{Map, Value};

use super::errors::dedup_errors::BuildIdentityHasher;
use super::flow::Flow;
use crate::schema::{ListType, Node, NodeId, StructuralSchema, print};
use k8s_json_internals::deep;
use k8s_json_internals::number::JsonNumber;
use k8s_json_internals::print::GoJson;
use union_runtime::path::{Path, PathStep};
use union_runtime::{BadValue, Violation, ViolationKind};

/// A receiver of errors, which breaks to stop the walk.
type ErrorCallback<'r> = dyn FnMut(Violation) -> Flow + 'r;

/// The largest length of a list whose elements are compared pairwise. This comparison does not
/// allocate.
pub(super) const MAX_PAIRWISE: usize = 8;

impl StructuralSchema {
    /// Reports the duplicates in all lists of an object.
    pub(crate) fn check_lists(&self, object: &Value, report: &mut dyn FnMut(Violation)) {
        let report = &mut |violation| {
            report(violation);
            Flow::Continue(())
        };
        // This callback never breaks.
        let _ = self.for_each_duplicate(object, report);
    }

    fn for_each_duplicate(&self, object: &Value, report: &mut ErrorCallback<'_>) -> Flow {
        if !self.node(Self::ROOT).subtree.has_list_types {
            return Flow::Continue(());
        }
        self.check_lists_in(Self::ROOT, object, &Path::ROOT, report)
    }

    /// Returns true if any list in the object contains duplicates.
    pub(crate) fn has_duplicates(&self, object: &Value) -> bool {
        self.for_each_duplicate(object, &mut |_| Flow::Break(()))
            .is_break()
    }

    fn check_lists_in(
        &self,
        id: NodeId,
        value: &Value,
        path: &Path<'_>,
        report: &mut ErrorCallback<'_>,
    ) -> Flow {
        let node = self.node(id);
        match value {
            Value::Array(elements) => {
                check_list(node, elements, path, report)?;
                let Some(items) = node
                    .items
                    .filter(|id| self.node(*id).subtree.has_list_types)
                else {
                    return Flow::Continue(());
                };
                for (i, element) in elements.iter().enumerate() {
                    self.check_lists_in(items, element, &path.step(PathStep::Index(i)), report)?;
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    let Some((child, step)) = node.child_and_step(key) else {
                        continue;
                    };
                    if !self.node(child).subtree.has_list_types {
                        continue;
                    }
                    self.check_lists_in(child, value, &path.step(step), report)?;
                }
            }
            _ => {}
        }
        Flow::Continue(())
    }
}

/// Returns true if this list contains duplicates. Lists inside the elements are ignored.
pub(super) fn has_own_duplicates(node: &Node, elements: &[Value]) -> bool {
    check_list(node, elements, &Path::ROOT, &mut |_| Flow::Break(())).is_break()
}

/// Reports the duplicates among the elements of one list.
fn check_list(
    node: &Node,
    elements: &[Value],
    path: &Path<'_>,
    report: &mut ErrorCallback<'_>,
) -> Flow {
    match node.list_type() {
        ListType::Atomic => Flow::Continue(()),
        ListType::Set => check_set(elements, path, report),
        ListType::Map => check_map(node, elements, path, report),
    }
}

fn check_set(elements: &[Value], path: &Path<'_>, report: &mut ErrorCallback<'_>) -> Flow {
    // Lists and objects in a set are compared as JSON.
    let has_only_scalars = elements
        .iter()
        .all(|element| !element.is_array() && !element.is_object());
    let may_repeat = || match elements.len() {
        ..=MAX_PAIRWISE => any_pair(elements, is_equal_scalar),
        _ => has_equal_hashes(elements, |element, hasher| {
            hash_value(Some(element), hasher);
        }),
    };
    if has_only_scalars && !may_repeat() {
        return Flow::Continue(());
    }
    let mut counts = HashMap::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        if is_second_occurrence(&mut counts, set_key(element)) {
            report(duplicate_violation(path, i, print::bad_value(element)))?;
        }
    }
    Flow::Continue(())
}

/// Counts a key, and returns true if this is its second occurrence.
fn is_second_occurrence(counts: &mut HashMap<String, usize>, key: String) -> bool {
    let count = counts.entry(key).or_default();
    *count += 1;
    *count == 2
}

/// Returns true if any two elements are equal by `is_equal`.
pub(super) fn any_pair(elements: &[Value], is_equal: impl Fn(&Value, &Value) -> bool) -> bool {
    let mut indexed_elements = elements.iter().enumerate();
    indexed_elements.any(|(i, element)| {
        elements
            .iter()
            .take(i)
            .any(|earlier_element| is_equal(element, earlier_element))
    })
}

/// Returns true if two elements have the same hash, as equal elements do. A list without equal
/// hashes takes one allocation, instead of a string for each element.
fn has_equal_hashes(elements: &[Value], hash_element: impl Fn(&Value, &mut DefaultHasher)) -> bool {
    let state = RandomState::new();
    let mut seen_hashes =
        HashSet::with_capacity_and_hasher(elements.len(), BuildIdentityHasher::default());
    !elements.iter().all(|element| {
        let mut hasher = state.build_hasher();
        hash_element(element, &mut hasher);
        seen_hashes.insert(hasher.finish())
    })
}

/// Hashes an element of a set, or the value of a key of a map, so that equal values have equal
/// hashes. All lists and objects have the same hash, because they are rare here.
fn hash_value(value: Option<&Value>, hasher: &mut DefaultHasher) {
    match value {
        // Numbers that are equal only as JSON have equal hashes too, and so do both zeros.
        Some(Value::Number(number)) => (JsonNumber::from_number(number).as_float() + 0.0)
            .to_bits()
            .hash(hasher),
        Some(Value::String(string)) => string.hash(hasher),
        Some(Value::Bool(value)) => (3, *value).hash(hasher),
        Some(Value::Null) => 4.hash(hasher),
        Some(Value::Array(_) | Value::Object(_)) => 5.hash(hasher),
        None => 6.hash(hasher),
    }
}

fn is_equal_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            JsonNumber::from_number(a) == JsonNumber::from_number(b)
        }
        (a, b) => a == b,
    }
}

/// Returns the identity of an element of a set: the kind and value of a scalar, or the JSON of a
/// list or an object.
fn set_key(element: &Value) -> String {
    match element {
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(integer) => format!("i{integer}"),
            // Adding zero turns negative zero into zero.
            JsonNumber::Float(float) => format!("f{:?}", float + 0.0),
        },
        Value::Array(_) | Value::Object(_) => GoJson(element).to_string(),
        scalar => format!("s{scalar}"),
    }
}

fn check_map(
    node: &Node,
    elements: &[Value],
    path: &Path<'_>,
    report: &mut ErrorCallback<'_>,
) -> Flow {
    let mut indexed_elements = elements.iter().enumerate();
    let non_object =
        indexed_elements.find(|(_, element)| !element.is_object() && !element.is_null());
    if let Some((i, element)) = non_object {
        let detail = "must be an object for an array of list-type map".to_owned();
        let element_path = path.step(PathStep::Index(i)).to_field_path();
        let bad_value = print::bad_value(element);
        return report(Violation::from_parts(
            ViolationKind::Invalid,
            element_path,
            bad_value,
            detail,
        ));
    }
    let keys = node.list_keys();
    let may_repeat = match elements.len() {
        ..=MAX_PAIRWISE => has_duplicate_keys(elements, keys),
        _ => has_equal_hashes(elements, |element, hasher| {
            for key in keys {
                hash_value(element.get(&**key), hasher);
            }
        }),
    };
    if !may_repeat {
        return Flow::Continue(());
    }
    let mut counts = HashMap::with_capacity(elements.len());
    for (i, element) in elements.iter().enumerate() {
        let key = map_key(element, keys);
        if is_second_occurrence(&mut counts, key_identity(&key, keys)) {
            let bad_value = BadValue::Formatted(GoJson(&key).to_string());
            report(duplicate_violation(path, i, bad_value))?;
        }
    }
    Flow::Continue(())
}

/// Returns true if two elements have equal values of all keys.
fn has_duplicate_keys(elements: &[Value], keys: &[Box<str>]) -> bool {
    let have_equal_keys = |a: &Value, b: &Value| {
        keys.iter().all(|key| match (a.get(&**key), b.get(&**key)) {
            (None, None) => true,
            // Several keys are compared as JSON, where 1 and 1.0 are equal.
            (Some(Value::Number(a)), Some(Value::Number(b))) if keys.len() > 1 => {
                a.as_f64() == b.as_f64()
            }
            (Some(a), Some(b)) => is_equal_scalar(a, b),
            _ => false,
        })
    };
    any_pair(elements, have_equal_keys)
}

/// Returns the keys that an element has, with their values.
fn map_key(element: &Value, keys: &[Box<str>]) -> deep::DeepValue {
    let mut object = Map::new();
    for key in keys {
        if let Some(value) = element.get(&**key) {
            object.insert(key.to_string(), deep::copy(value));
        }
    }
    deep::DeepValue::new(Value::Object(object))
}

/// Returns the identity of the keys of an element: the kind and value of a single key, or the JSON
/// of several keys.
fn key_identity(key: &Value, keys: &[Box<str>]) -> String {
    match (key.as_object(), keys) {
        (Some(object), [name]) => object.get(&**name).map_or_else(String::new, set_key),
        _ => GoJson(key).to_string(),
    }
}

fn duplicate_violation(path: &Path<'_>, index: usize, bad_value: BadValue) -> Violation {
    let element_path = path.step(PathStep::Index(index)).to_field_path();
    Violation::from_parts(
        ViolationKind::Duplicate,
        element_path,
        bad_value,
        String::new(),
    )
}
