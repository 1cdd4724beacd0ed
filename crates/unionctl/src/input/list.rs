//! Lists of objects, as API servers and `kubectl get` write them.

use serde_json::Value;

/// The suffix of the kind of a list: `DatabaseList` is a list of `Database`. The kind `List` is a
/// list of objects of all kinds.
const KIND_SUFFIX: &str = "List";

/// Returns the objects of a list; `None` if the value is not a list. `items: null` is an empty
/// list. An object with a name is not a list, because its kind may end with `List` too.
pub(crate) fn list_items(value: &Value) -> Option<&[Value]> {
    item_kind(value)?;
    let metadata = value.get("metadata");
    let has_field = |name| metadata.is_some_and(|metadata| metadata.get(name).is_some());
    if has_field("name") || has_field("generateName") {
        return None;
    }
    match value.get("items")? {
        Value::Array(items) => Some(items),
        Value::Null => Some(&[]),
        _ => None,
    }
}

/// Returns the kind of the objects in a list, which is empty in the kind `List`; `None` if the kind
/// does not end with `List`.
pub(crate) fn item_kind(value: &Value) -> Option<&str> {
    value.get("kind")?.as_str()?.strip_suffix(KIND_SUFFIX)
}

/// Adds the type to the objects of a list that have neither `apiVersion` nor `kind`, as kubectl
/// does. An API server omits these fields in the objects of a list.
pub(crate) fn complete_items(list: &mut Value) {
    if list_items(list).is_none() {
        return;
    }
    let item_kind = item_kind(list).filter(|kind| !kind.is_empty());
    let (Some(kind), Some(api_version)) = (
        item_kind.map(str::to_owned),
        list.get("apiVersion").cloned(),
    ) else {
        return;
    };
    let items = list.get_mut("items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        if !item.contains_key("apiVersion") && !item.contains_key("kind") {
            item.insert("apiVersion".to_owned(), api_version.clone());
            item.insert("kind".to_owned(), kind.clone().into());
        }
    }
}
