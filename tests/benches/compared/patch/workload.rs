//! Documents with a list that grows: a list of objects with a merge key, or a list of scalars.

use serde_json::{Value, json};

pub(crate) const LISTS: [&str; 2] = ["objects", "scalars"];

/// The documents of a patch. In each ten elements of `original`, `modified` changes one, removes
/// one, and adds one. In `current`, other writers have set a field of one element, and added one
/// element at the front.
pub(crate) struct Workload {
    list: &'static str,
    items: usize,
    pub(crate) document: Value,
    pub(crate) original: Value,
    pub(crate) modified: Value,
    pub(crate) current: Value,
}

impl Workload {
    pub(crate) fn new(list: &'static str, items: usize) -> Self {
        let element = |name: String, value: &str| match list {
            "objects" => json!({"name": name, "value": value, "other": {"a": 1, "b": "text"}}),
            _ => json!(name),
        };
        let of = |items: Vec<Value>| json!({"spec": {"list": items}});
        let name = |i: usize| format!("name-{i}");
        let original = (0..items).map(|i| element(name(i), "old"));
        let kept = (0..items).filter(|i| i % 10 != 5);
        let kept = kept.map(|i| element(name(i), if i % 10 == 2 { "new" } else { "old" }));
        let new = (0..items / 10).map(|i| element(format!("new-{i}"), "new"));
        let added = (0..items / 10).map(|i| element(format!("added-{i}"), "others"));
        let live = (0..items).map(|i| {
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
            items,
            document: json!({"openapi": "3.0.0", "components": {"schemas": {"Root": root}}}),
            original: of(original.collect()),
            modified: of(kept.chain(new).collect()),
            current: of(added.chain(live).collect()),
        }
    }

    /// Returns the line that the program of the reference reads.
    pub(crate) fn line(&self) -> Value {
        json!({
            "list": self.list,
            "items": self.items,
            "schema": self.document,
            "original": self.original,
            "modified": self.modified,
            "current": self.current,
        })
    }
}
