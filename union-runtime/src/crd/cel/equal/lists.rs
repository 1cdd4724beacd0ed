//! Lists; those of type set or map have no order.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{Verdict, equal, equal_results};
use crate::crd::cel::convert::{self, convert};
use crate::crd::cel::shapes::{ShapeId, ShapeKind, Shapes};
use crate::crd::cel::value::{Fault, Val};
use crate::crd::schema::ListType;

/// The elements of a list, by number.
pub(in crate::crd::cel) fn element<'v>(
    shapes: &Shapes,
    list: &Val<'v>,
    at: usize,
) -> Option<Result<Val<'v>, Fault>> {
    match list {
        Val::List(values) => values.get(at).cloned().map(Ok),
        Val::Items(items, id) => {
            let item = items.get(at)?;
            Some(convert(shapes, item, convert::items_of(shapes, *id)))
        }
        _ => None,
    }
}

pub(super) fn equal_lists<'v>(shapes: &Shapes, a: &Val<'v>, b: &Val<'v>) -> Verdict {
    if a.size() != b.size() {
        return Ok(false);
    }
    if let Val::Items(items, id) = a
        && let ShapeKind::List {
            list_type,
            keys,
            items: of,
        } = &shapes.get(*id).kind
    {
        match (list_type, b) {
            (ListType::Set, Val::List(others)) => {
                return equal_made_set(shapes, items, *of, others);
            }
            (ListType::Map, Val::List(others)) => {
                return equal_made_map_list(shapes, items, *of, keys, others);
            }
            (ListType::Set, Val::Items(others, _)) => return Ok(equal_sets(items, others)),
            (ListType::Map, Val::Items(others, _)) => {
                return equal_map_lists(shapes, items, others, keys, *of);
            }
            _ => {}
        }
    }
    let mut at = 0;
    while let (Some(a), Some(b)) = (element(shapes, a, at), element(shapes, b, at)) {
        if !equal_results(shapes, a, b)? {
            return Ok(false);
        }
        at += 1;
    }
    Ok(true)
}

fn equal_map_lists<'v>(
    shapes: &Shapes,
    items: &'v [Value],
    others: &'v [Value],
    keys: &[Box<str>],
    shape: ShapeId,
) -> Verdict {
    let key_of = |item: &Value| key_of(item.as_object(), keys);
    let by_key: HashMap<String, &Value> = items.iter().map(|item| (key_of(item), item)).collect();
    for other in others {
        let Some(item) = by_key.get(&key_of(other)) else {
            return Ok(false);
        };
        if !equal(
            shapes,
            &convert(shapes, item, shape)?,
            &convert(shapes, other, shape)?,
        )? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The keys of an element, as a text.
fn key_of(element: Option<&Map<String, Value>>, keys: &[Box<str>]) -> String {
    let value = |key: &str| {
        element
            .and_then(|element| element.get(key))
            .unwrap_or(&Value::Null)
    };
    let values: Vec<&Value> = keys.iter().map(|key| value(key)).collect();
    serde_json::to_string(&values).unwrap_or_default()
}

/// As [`equal_map_lists`], with elements that an expression took from such a list.
fn equal_made_map_list<'v>(
    shapes: &Shapes,
    items: &'v [Value],
    of: ShapeId,
    keys: &[Box<str>],
    others: &[Val<'v>],
) -> Verdict {
    for other in others {
        let Val::Object(object, _) = other else {
            let why = "it compares a list of type map with elements that it makes";
            return Err(Fault::Unsupported(why.into()));
        };
        let key = key_of(Some(object), keys);
        // As in a map of the items, the last one with a key counts.
        let item = items
            .iter()
            .rfind(|item| key_of(item.as_object(), keys) == key);
        let Some(item) = item else { return Ok(false) };
        if !equal(shapes, &convert(shapes, item, of)?, other)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_sets(items: &[Value], others: &[Value]) -> bool {
    if items.len() <= 8 {
        return others.iter().all(|other| items.contains(other));
    }
    let items: HashSet<String> = items.iter().map(Value::to_string).collect();
    others
        .iter()
        .all(|other| items.contains(&other.to_string()))
}

/// Whether all of a list that an expression made are in a set.
fn equal_made_set<'v>(
    shapes: &Shapes,
    items: &'v [Value],
    of: ShapeId,
    others: &[Val<'v>],
) -> Verdict {
    for other in others {
        let mut found = false;
        for item in items {
            if equal(shapes, &convert(shapes, item, of)?, other)? {
                found = true;
                break;
            }
        }
        if !found {
            return Ok(false);
        }
    }
    Ok(true)
}
