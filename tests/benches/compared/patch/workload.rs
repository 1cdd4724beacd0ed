//! Documents with a list that grows: a list of objects with a merge key, or a list of scalars.

use serde_json::{Value, json};

pub(crate) const LISTS: [&str; 2] = ["objects", "scalars"];

/// The documents of a patch. In each ten elements of `original`, `modified` changes one, removes
/// one, and adds one. In `current`, other writers have set a field of one element, and added one
/// element at the front.
pub(crate) struct Workload {
    list: &'static str,
    item_count: usize,
    pub(crate) document: Value,
    pub(crate) original: Value,
    pub(crate) modified: Value,
    pub(crate) current: Value,
}

impl Workload {
    pub(crate) fn new(list: &'static str, item_count: usize) -> Self {
        let element = |name: String, value: &str| match list {
            "objects" => json!({"name": name, "value": value, "other": {"a": 1, "b": "text"}}),
            _ => json!(name),
        };
        let root_object = |elements: Vec<Value>| json!({"spec": {"list": elements}});
        let name = |i: usize| format!("name-{i}");
        let original_elements = (0..item_count).map(|i| element(name(i), "old"));
        let kept_indexes = (0..item_count).filter(|i| i % 10 != 5);
        let kept_elements =
            kept_indexes.map(|i| element(name(i), if i % 10 == 2 { "new" } else { "old" }));
        let new_elements = (0..item_count / 10).map(|i| element(format!("new-{i}"), "new"));
        let elements_of_others =
            (0..item_count / 10).map(|i| element(format!("added-{i}"), "others"));
        let live_elements = (0..item_count).map(|i| {
            let mut element = element(name(i), "old");
            if i % 10 == 3 && element.is_object() {
                element["more"] = json!("others");
            }
            element
        });
        let items_schema = match list {
            "objects" => json!({"type": "object", "properties": {
                "name": {"type": "string"},
                "value": {"type": "string"},
                "more": {"type": "string"},
                "other": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
            }}),
            _ => json!({"type": "string"}),
        };
        let mut list_schema = json!({
            "type": "array", "items": items_schema, "x-kubernetes-patch-strategy": "merge",
        });
        if list == "objects" {
            list_schema["x-kubernetes-patch-merge-key"] = json!("name");
        }
        let spec = json!({"type": "object", "properties": {"list": list_schema}});
        let root = json!({"type": "object", "properties": {"spec": spec}});
        Self {
            list,
            item_count,
            document: json!({"openapi": "3.0.0", "components": {"schemas": {"Root": root}}}),
            original: root_object(original_elements.collect()),
            modified: root_object(kept_elements.chain(new_elements).collect()),
            current: root_object(elements_of_others.chain(live_elements).collect()),
        }
    }

    /// Returns the line that the program of the reference reads.
    pub(crate) fn line(&self) -> Value {
        json!({
            "list": self.list,
            "items": self.item_count,
            "schema": self.document,
            "original": self.original,
            "modified": self.modified,
            "current": self.current,
        })
    }
}
