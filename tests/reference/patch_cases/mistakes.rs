//! The effects of the reference's mistakes on documents and on results.

use std::collections::BTreeSet;
use std::slice;

use serde_json::{Map, Value};

use crate::outcome::Case;
use crate::schema::{Field, Schema};

/// Returns the documents that the reference compares. The reference sorts the elements of merged
/// lists of scalars in the original and in the live object, as strings.
pub(crate) fn sorted_originals(schema: &Schema, case: &Case) -> Case {
    let mut case = case.clone();
    for document in [&mut case.original, &mut case.current] {
        visit_lists(
            schema,
            schema.root(),
            document,
            ReplacedValues::Skipped,
            &mut |field, list| {
                if field.is_merged && are_scalars(list) {
                    list.sort_by_key(text);
                }
            },
        );
    }
    case
}

/// Sorts the lists of scalars, and keeps one of several equal scalars, because the reference may
/// keep any of them. `merged` selects the merged lists or the replaced lists.
pub(crate) fn sort_scalars(schema: &Schema, value: &mut Value, merged: bool) {
    visit_lists(
        schema,
        schema.root(),
        value,
        ReplacedValues::Visited,
        &mut |field, list| {
            if field.is_merged == merged && are_scalars(list) {
                list.sort_by_key(text);
                list.dedup();
            }
        },
    );
}

/// Sorts the lists of the directives `$deleteFromPrimitiveList`.
pub(crate) fn sort_deleted(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::Array(list) if key.starts_with("$deleteFromPrimitiveList") => {
                        list.sort_by_key(text);
                    }
                    value => sort_deleted(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(sort_deleted),
        _ => {}
    }
}

/// Sorts all lists.
pub(crate) fn sort_all(value: &mut Value) {
    match value {
        Value::Object(object) => object.values_mut().for_each(sort_all),
        Value::Array(list) => {
            list.iter_mut().for_each(sort_all);
            list.sort_by_key(Value::to_string);
        }
        _ => {}
    }
}

const ORDER: &str = "$setElementOrder";

/// Returns true if a patch has an empty order directive for a list.
pub(crate) fn has_empty_order(case: &Case) -> bool {
    any_object(case, &|object| {
        let mut orders = object.iter().filter(|(key, _)| key.starts_with(ORDER));
        orders.any(|(_, order)| order.as_array().is_some_and(Vec::is_empty))
    })
}

/// Returns true if a patch has order directives, and there is a list of objects without a merge
/// key.
pub(crate) fn orders_list_without_key(schema: &Schema, case: &Case) -> bool {
    let mut found = false;
    for mut document in case.documents().cloned() {
        visit_lists(
            schema,
            schema.root(),
            &mut document,
            ReplacedValues::Visited,
            &mut |field, list| {
                found |= field.merge_key.is_none() && list.iter().any(Value::is_object);
            },
        );
    }
    found
        && any_object(case, &|object| {
            object.keys().any(|key| key.starts_with(ORDER))
        })
}

fn any_object(case: &Case, is_it: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    fn is_in(value: &Value, is_it: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
        match value {
            Value::Object(object) => {
                is_it(object) || object.values().any(|value| is_in(value, is_it))
            }
            Value::Array(values) => values.iter().any(|value| is_in(value, is_it)),
            _ => false,
        }
    }
    case.documents().any(|document| is_in(document, is_it))
}

/// Removes the values that must not be in the result of a patch: directives, nulls, and objects
/// with a `$patch` that is not null.
pub(crate) fn remove_leaks(value: &mut Value) {
    let is_marked = |value: &Value| {
        value
            .get(PATCH)
            .is_some_and(|directive| !directive.is_null())
    };
    match value {
        Value::Object(object) => {
            object.retain(|key, value| !value.is_null() && !is_directive(key) && !is_marked(value));
            object.values_mut().for_each(remove_leaks);
        }
        Value::Array(values) => {
            values.retain(|value| !is_marked(value));
            values.iter_mut().for_each(remove_leaks);
        }
        _ => {}
    }
}

const PATCH: &str = "$patch";

/// Returns the documents without the objects with `$patch: null` in ordered lists. If a patch has
/// an order directive for a list, the reference drops these objects. In other lists, the reference
/// first removes the null.
pub(crate) fn without_null_directives(case: &Case) -> Case {
    fn in_ordered_lists(value: &mut Value) {
        match value {
            Value::Object(object) => {
                let orders = object.keys().filter_map(|key| key.strip_prefix(ORDER));
                let names = orders.filter_map(|rest| rest.strip_prefix('/'));
                let names: Vec<String> = names.map(str::to_owned).collect();
                for (name, value) in object {
                    if names.contains(name) {
                        remove(value);
                    }
                    in_ordered_lists(value);
                }
            }
            Value::Array(values) => values.iter_mut().for_each(in_ordered_lists),
            _ => {}
        }
    }
    fn remove(value: &mut Value) {
        let is_kept = |value: &Value| value.get(PATCH).is_none_or(|found| !found.is_null());
        match value {
            Value::Object(object) => {
                object.retain(|_, value| is_kept(value));
                object.values_mut().for_each(remove);
            }
            Value::Array(values) => {
                values.retain(is_kept);
                values.iter_mut().for_each(remove);
            }
            _ => {}
        }
    }
    let mut case = case.clone();
    in_ordered_lists(&mut case.patch);
    case
}

/// Removes the directives and nulls of objects in a message, such as
/// `map[$retainKeys:[a] b:1]`.
pub(crate) fn without_printed_leaks(text: &str) -> String {
    let mut printed = String::new();
    let mut left = text;
    while let Some(character) = left.chars().next() {
        let is_field = printed.ends_with("map[") || printed.ends_with(' ');
        let field = Some(left).filter(|_| is_field).and_then(printed_field);
        match field {
            Some((name, value)) if is_directive(name) || value == "<nil>" => {
                let (_, rest) = left.split_at(name.len() + 1 + value.len());
                if let Some(next) = rest.strip_prefix(' ') {
                    left = next;
                } else {
                    // This is the last field of its object, so the space before it is removed too.
                    printed.truncate(printed.trim_end_matches(' ').len());
                    left = rest;
                }
            }
            _ => {
                printed.push(character);
                left = &left[character.len_utf8()..];
            }
        }
    }
    printed
}

/// Returns the name and the value of the field at the start of a string that Go printed.
fn printed_field(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(':')?;
    if name.contains([' ', '[', ']']) {
        return None;
    }
    let mut depth = 0_usize;
    let end = value.find(|character| {
        match character {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            ' ' | ']' if depth == 0 => return true,
            _ => {}
        }
        false
    });
    Some((name, &value[..end.unwrap_or(value.len())]))
}

fn is_directive(key: &str) -> bool {
    let starts = [
        "$patch",
        "$retainKeys",
        "$setElementOrder",
        "$deleteFromPrimitiveList",
    ];
    starts.iter().any(|start| key.starts_with(start))
}

/// Returns true if a merged list of scalars has repeated elements. Objects with a `$patch` are not
/// elements.
pub(crate) fn has_repeated_scalars(schema: &Schema, case: &Case) -> bool {
    has_repeated_text(schema, case, &|field, list| {
        let elements = list.iter().filter(|value| value.get(PATCH).is_none());
        let is_of_scalars = elements
            .clone()
            .all(|value| are_scalars(slice::from_ref(value)));
        (field.is_merged && is_of_scalars).then(|| elements.map(Value::to_string).collect())
    })
}

/// Returns the names and values of merge keys that several elements of a merged list have. Values
/// are strings.
pub(crate) fn repeated_keys(schema: &Schema, case: &Case) -> BTreeSet<(String, String)> {
    let mut twice = BTreeSet::new();
    for mut document in case.documents().cloned() {
        visit_keyed_lists(schema, &mut document, &mut |key, list| {
            let mut seen = BTreeSet::new();
            for value in list.iter().filter_map(|item| item.get(key)) {
                if !seen.insert(text(value)) {
                    twice.insert((key.to_owned(), text(value)));
                }
            }
        });
    }
    twice
}

/// The element that is kept of several elements with the same merge key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptElement {
    First,
    Last,
}

/// Returns the documents without repeated merge keys.
pub(crate) fn without_repeated_keys(schema: &Schema, case: &Case, keep: KeptElement) -> Case {
    let mut case = case.clone();
    for document in case.documents_mut() {
        visit_keyed_lists(schema, document, &mut |key, list| {
            let mut seen = BTreeSet::new();
            if keep == KeptElement::Last {
                list.reverse();
            }
            list.retain(|item| item.get(key).is_none_or(|value| seen.insert(text(value))));
            if keep == KeptElement::Last {
                list.reverse();
            }
        });
    }
    case
}

/// Visits the merged lists of objects, with their merge keys.
fn visit_keyed_lists(
    schema: &Schema,
    document: &mut Value,
    visit: &mut dyn FnMut(&str, &mut Vec<Value>),
) {
    visit_lists(
        schema,
        schema.root(),
        document,
        ReplacedValues::Visited,
        &mut |field, list| {
            if let Some(key) = field.merge_key.filter(|_| field.is_merged) {
                visit(key, list);
            }
        },
    );
}

/// Returns a result without the elements that have one of these merge keys, and without values that
/// are empty after this removal.
pub(crate) fn without(keys: &BTreeSet<(String, String)>, answer: &Value) -> Value {
    let has_one = |item: &Value| {
        let has = |(name, value): &(String, String)| {
            item.get(name).is_some_and(|found| text(found) == *value)
        };
        keys.iter().any(has)
    };
    let is_left = |value: &Value| match value {
        // `$retainKeys` has no effect without other fields.
        Value::Object(object) => object.keys().any(|key| key != "$retainKeys"),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    };
    match answer {
        Value::Object(object) => {
            // If an order directive contains such a key, the whole directive may differ.
            let has_repeated_key = |name: &str, value: &Value| {
                let mut items = value.as_array().into_iter().flatten();
                name.starts_with(ORDER) && items.any(has_one)
            };
            let fields = object.iter();
            let fields = fields.filter(|(name, value)| !has_repeated_key(name, value));
            let fields = fields.map(|(name, value)| (name.clone(), without(keys, value)));
            fields.filter(|(_, value)| is_left(value)).collect()
        }
        Value::Array(list) => {
            let items = list.iter().filter(|item| !has_one(item));
            items.map(|item| without(keys, item)).collect()
        }
        other => other.clone(),
    }
}

/// A function that returns the elements of a list as strings to compare, or `None` if the list is
/// not compared.
type Texts<'f> = &'f dyn Fn(&Field<'_>, &[Value]) -> Option<Vec<String>>;

fn has_repeated_text(schema: &Schema, case: &Case, texts: Texts<'_>) -> bool {
    let mut found = false;
    for mut document in case.documents().cloned() {
        visit_lists(
            schema,
            schema.root(),
            &mut document,
            ReplacedValues::Visited,
            &mut |field, list| {
                if let Some(texts) = texts(field, list) {
                    let different: BTreeSet<&String> = texts.iter().collect();
                    found |= different.len() < texts.len();
                }
            },
        );
    }
    found
}

/// Returns true if a document has a directive `$deleteFromPrimitiveList`.
pub(crate) fn deletes_from_scalar_list(case: &Case) -> bool {
    any_object(case, &|object| {
        let mut keys = object.keys();
        keys.any(|key| key.starts_with("$deleteFromPrimitiveList"))
    })
}

/// The treatment of lists inside values that are replaced as a whole, in [`visit_lists`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplacedValues {
    Visited,
    Skipped,
}

/// Visits the lists of a value that the schema describes. Inner lists come first.
fn visit_lists(
    schema: &Schema,
    node: &Value,
    value: &mut Value,
    replaced: ReplacedValues,
    visit: &mut dyn FnMut(&Field<'_>, &mut Vec<Value>),
) {
    let Value::Object(object) = value else {
        return;
    };
    for (name, value) in object {
        let Some(field) = schema.field(node, name) else {
            continue;
        };
        match value {
            Value::Object(_) if field.is_replaced && replaced == ReplacedValues::Skipped => {}
            Value::Object(_) => visit_lists(schema, field.below, value, replaced, visit),
            Value::Array(list) => {
                if field.is_merged || replaced == ReplacedValues::Visited {
                    for item in &mut *list {
                        visit_lists(schema, field.below, item, replaced, visit);
                    }
                }
                visit(&field, list);
            }
            _ => {}
        }
    }
}

fn are_scalars(list: &[Value]) -> bool {
    !list
        .iter()
        .any(|value| value.is_object() || value.is_array())
}

/// Returns a value as the string by which the reference sorts.
fn text(value: &Value) -> String {
    match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.to_owned(),
        // The number 2.0 has the same string as 2.
        (None, Some(number)) => number.to_string(),
        (None, None) => value.to_string(),
    }
}

/// Returns true if two messages report that an element lacks the same merge key, even if the
/// elements are different.
pub(crate) fn are_about_same_missing_key(one: &str, other: &str) -> bool {
    let key = |text: &str| {
        let (_, key) = text.rsplit_once(" does not contain declared merge key: ")?;
        Some(key.to_owned())
    };
    key(one).is_some() && key(one) == key(other)
}

/// Returns true if a replaced list of scalars has repeated elements.
pub(crate) fn has_replaced_scalars_twice(schema: &Schema, case: &Case) -> bool {
    has_repeated_text(schema, case, &|field, list| {
        (!field.is_merged && are_scalars(list)).then(|| list.iter().map(text).collect())
    })
}

/// Returns true if two messages about a null `$patch` differ only in the form in which Go prints
/// the null. Go prints the null in another form if it expects a string.
pub(crate) fn print_null_otherwise(theirs: &str, ours: &str) -> bool {
    let start = "unknown patch type: ";
    let rest = |text: &str, null: &str| {
        let rest = text.strip_prefix(start)?.strip_prefix(null)?;
        Some(rest.to_owned())
    };
    let theirs = rest(theirs, "%!s(<nil>)");
    theirs.is_some() && theirs == rest(ours, "<nil>")
}

/// Returns true if two messages have the same set of lines.
pub(crate) fn have_same_lines(one: &str, other: &str) -> bool {
    let lines = |text: &str| {
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches(['-', ' ']).to_owned());
        let mut lines: Vec<String> = lines.collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    lines(one) == lines(other)
}
