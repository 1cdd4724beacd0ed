//! What the mistakes of the reference spoil, in documents and in answers.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::outcome::Case;
use crate::schema::{Field, Schema};

/// The documents as the reference has them when it compares: in lists of scalars that are merged, the elements of the
/// original and of the live object are sorted as texts.
pub(crate) fn sorted_originals(schema: &Schema, case: &Case) -> Case {
    let mut case = case.clone();
    for document in [&mut case.original, &mut case.current] {
        each_list(
            schema,
            schema.root(),
            document,
            Whole::LeftOut,
            &mut |field, list| {
                if field.is_merged && are_scalars(list) {
                    list.sort_by_key(text);
                }
            },
        );
    }
    case
}

/// Sorts the lists of scalars, those that are merged or the others. One of several alike stays: which one the reference
/// keeps depends on where the others were.
pub(crate) fn sort_scalars(schema: &Schema, value: &mut Value, merged: bool) {
    each_list(
        schema,
        schema.root(),
        value,
        Whole::Visited,
        &mut |field, list| {
            if field.is_merged == merged && are_scalars(list) {
                list.sort_by_key(text);
                list.dedup();
            }
        },
    );
}

/// Sorts what is deleted from lists of scalars.
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

/// Whether a patch asks for the order of a list, and lists nothing.
pub(crate) fn has_empty_order(case: &Case) -> bool {
    any_object(case, &|object| {
        let mut orders = object.iter().filter(|(key, _)| key.starts_with(ORDER));
        orders.any(|(_, order)| order.as_array().is_some_and(Vec::is_empty))
    })
}

/// Whether a patch asks for the order of lists, and there is one of objects without a merge key.
pub(crate) fn orders_by_no_key(schema: &Schema, case: &Case) -> bool {
    let mut found = false;
    for mut document in case.documents().cloned() {
        each_list(
            schema,
            schema.root(),
            &mut document,
            Whole::Visited,
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

/// Takes out what a server is never to store: directives, nulls, and objects that only speak of others.
pub(crate) fn take_out_leaks(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, value| {
                !value.is_null() && !is_directive(key) && value.get("$patch").is_none()
            });
            object.values_mut().for_each(take_out_leaks);
        }
        Value::Array(values) => {
            values.retain(|value| value.get("$patch").is_none());
            values.iter_mut().for_each(take_out_leaks);
        }
        _ => {}
    }
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

/// Whether a list of scalars that is merged has one of them twice.
pub(crate) fn has_scalars_twice(schema: &Schema, case: &Case) -> bool {
    any_twice(schema, case, &|field, list| {
        (field.is_merged && are_scalars(list)).then(|| list.iter().map(Value::to_string).collect())
    })
}

/// The merge keys that two elements of a merged list have: their names, and their values as texts.
pub(crate) fn keys_twice(schema: &Schema, case: &Case) -> BTreeSet<(String, String)> {
    let mut twice = BTreeSet::new();
    for mut document in case.documents().cloned() {
        each_keyed(schema, &mut document, &mut |key, list| {
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

/// Which of several elements with one merge key stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    First,
    Last,
}

/// The documents with each merge key once.
pub(crate) fn each_key_once(schema: &Schema, case: &Case, keep: Keep) -> Case {
    let mut case = case.clone();
    for document in case.documents_mut() {
        each_keyed(schema, document, &mut |key, list| {
            let mut seen = BTreeSet::new();
            if keep == Keep::Last {
                list.reverse();
            }
            list.retain(|item| item.get(key).is_none_or(|value| seen.insert(text(value))));
            if keep == Keep::Last {
                list.reverse();
            }
        });
    }
    case
}

/// Visits the merged lists of objects, with their merge keys.
fn each_keyed(schema: &Schema, document: &mut Value, visit: &mut dyn FnMut(&str, &mut Vec<Value>)) {
    each_list(
        schema,
        schema.root(),
        document,
        Whole::Visited,
        &mut |field, list| {
            if let Some(key) = field.merge_key.filter(|_| field.is_merged) {
                visit(key, list);
            }
        },
    );
}

/// An answer without the elements that have one of these merge keys, and without what is empty then.
pub(crate) fn without(keys: &BTreeSet<(String, String)>, answer: &Value) -> Value {
    let has_one = |item: &Value| {
        let has = |(name, value): &(String, String)| {
            item.get(name).is_some_and(|found| text(found) == *value)
        };
        keys.iter().any(has)
    };
    let is_left = |value: &Value| match value {
        // Which fields stay says nothing where none is left.
        Value::Object(object) => object.keys().any(|key| key != "$retainKeys"),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    };
    match answer {
        Value::Object(object) => {
            // An order of such elements is another for all.
            let is_spoilt = |name: &str, value: &Value| {
                let mut items = value.as_array().into_iter().flatten();
                name.starts_with(ORDER) && items.any(has_one)
            };
            let fields = object.iter();
            let fields = fields.filter(|(name, value)| !is_spoilt(name, value));
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

/// What the elements of a list are told apart by, where that is asked for.
type Texts<'f> = &'f dyn Fn(&Field<'_>, &[Value]) -> Option<Vec<String>>;

fn any_twice(schema: &Schema, case: &Case, texts: Texts<'_>) -> bool {
    let mut found = false;
    for mut document in case.documents().cloned() {
        each_list(
            schema,
            schema.root(),
            &mut document,
            Whole::Visited,
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

/// Whether a patch deletes objects from a list of scalars, which it cannot.
pub(crate) fn deletes_objects(case: &Case) -> bool {
    any_object(case, &|object| {
        let mut keys = object.keys();
        keys.any(|key| key.starts_with("$deleteFromPrimitiveList"))
    })
}

/// What is done with what stands in values that are replaced as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Visited,
    LeftOut,
}

/// Visits the lists that the schema knows, the inner ones first.
fn each_list(
    schema: &Schema,
    node: &Value,
    value: &mut Value,
    whole: Whole,
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
            Value::Object(_) if field.is_replaced && whole == Whole::LeftOut => {}
            Value::Object(_) => each_list(schema, field.below, value, whole, visit),
            Value::Array(list) => {
                if field.is_merged || whole == Whole::Visited {
                    for item in &mut *list {
                        each_list(schema, field.below, item, whole, visit);
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

/// As the reference sorts.
fn text(value: &Value) -> String {
    match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.to_owned(),
        // 2.0 is 2.
        (None, Some(number)) => number.to_string(),
        (None, None) => value.to_string(),
    }
}

/// Whether two texts say that an element lacks the same merge key, each of another element.
pub(crate) fn lack_one_key(one: &str, other: &str) -> bool {
    let key = |text: &str| {
        let (_, key) = text.rsplit_once(" does not contain declared merge key: ")?;
        Some(key.to_owned())
    };
    key(one).is_some() && key(one) == key(other)
}

/// Whether a list of scalars that is replaced has one of them twice.
pub(crate) fn has_replaced_scalars_twice(schema: &Schema, case: &Case) -> bool {
    any_twice(schema, case, &|field, list| {
        (!field.is_merged && are_scalars(list)).then(|| list.iter().map(text).collect())
    })
}

/// Whether two texts say the same of a `$patch` with null: as Go prints a null where a text is due, and as it prints it
/// elsewhere.
pub(crate) fn print_null_otherwise(theirs: &str, ours: &str) -> bool {
    let start = "unknown patch type: ";
    let rest = |text: &str, null: &str| {
        let rest = text.strip_prefix(start)?.strip_prefix(null)?;
        Some(rest.to_owned())
    };
    let theirs = rest(theirs, "%!s(<nil>)");
    theirs.is_some() && theirs == rest(ours, "<nil>")
}

/// Whether two texts have the same lines, in whatever order, and however often.
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
