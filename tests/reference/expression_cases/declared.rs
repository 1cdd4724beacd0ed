//! The schemas of the object that expressions read, with and without bounds. The replay of recorded
//! expressions in `k8s-cel` shares this file.

use k8s_cel::{DeclaredType, DeclaredTypes};
use serde_json::{Map, Value, json};

/// Returns the schema for the server, and our declaration of the types. If `bounded` is true, both
/// have bounds.
#[allow(
    clippy::too_many_lines,
    reason = "it is a table; only the tests of `k8s-cel` have this limit"
)]
pub(crate) fn schema(bounded: bool) -> Result<(Value, DeclaredTypes), k8s_cel::DeclareError> {
    let most = |mut schema: Value, keyword: &str, count: u64| {
        if bounded {
            schema[keyword] = count.into();
        }
        schema
    };
    let at_most = |declared: DeclaredType, count| {
        if bounded {
            declared.max_size(count)
        } else {
            declared
        }
    };
    let text = || {
        let schema = most(json!({"type": "string"}), "maxLength", 12);
        (schema, at_most(DeclaredType::string(), 12))
    };
    let format = |format: &str, declared| (json!({"type": "string", "format": format}), declared);
    let int = || (json!({"type": "integer"}), DeclaredType::int());
    let double = || (json!({"type": "number"}), DeclaredType::double());
    let list = |(items, declared): (Value, DeclaredType)| {
        let schema = most(json!({"type": "array", "items": items}), "maxItems", 7);
        (schema, at_most(DeclaredType::list(declared), 7))
    };
    let map = |(values, declared): (Value, DeclaredType)| {
        let schema = most(
            json!({"type": "object", "additionalProperties": values}),
            "maxProperties",
            5,
        );
        (schema, at_most(DeclaredType::map(declared), 5))
    };
    let typed = |(mut schema, declared): (Value, DeclaredType), ty: &str| {
        schema["x-kubernetes-list-type"] = ty.into();
        (schema, declared)
    };
    let object = || {
        let (text_schema, text) = text();
        let schema = json!({"type": "object", "properties": {"k": text_schema, "v": int().0, "n": {"type": "integer", "nullable": true}, "w": {"type": "string"}}});
        let declared = DeclaredType::object([
            ("k", text),
            ("v", DeclaredType::int()),
            ("n", DeclaredType::int().nullable()),
            ("w", DeclaredType::string()),
        ]);
        (schema, declared)
    };
    let as_set =
        |(schema, declared): (Value, DeclaredType)| typed((schema, declared.list_set()), "set");
    let with_keys = |keys: &[&str]| {
        let (mut schema, declared) = typed(list(object()), "map");
        schema["x-kubernetes-list-map-keys"] = json!(keys);
        (schema, declared.list_map(keys.iter().copied()))
    };
    let any = json!({"x-kubernetes-int-or-string": true});
    let all = [
        ("b", (json!({"type": "boolean"}), DeclaredType::bool())),
        ("i", int()),
        ("j", int()),
        ("d", double()),
        ("e", double()),
        ("s", text()),
        ("t", text()),
        ("u", (json!({"type": "string"}), DeclaredType::string())),
        ("bytes", format("byte", DeclaredType::bytes())),
        ("time", format("date-time", DeclaredType::date_time())),
        ("day", format("date", DeclaredType::date())),
        ("span", format("duration", DeclaredType::duration())),
        ("any", (any, DeclaredType::int_or_string())),
        ("ints", list(int())),
        ("doubles", list(double())),
        ("texts", list(text())),
        ("set", as_set(list(text()))),
        ("numbers", as_set(list(int()))),
        ("items", list(object())),
        ("keyed", with_keys(&["k"])),
        ("spans", list(format("duration", DeclaredType::duration()))),
        (
            "times",
            list(format("date-time", DeclaredType::date_time())),
        ),
        ("days", as_set(list(format("date", DeclaredType::date())))),
        (
            "instants",
            as_set(list(format("date-time", DeclaredType::date_time()))),
        ),
        ("ratios", as_set(list(double()))),
        ("bags", as_set(list(object()))),
        ("quads", with_keys(&["k", "v", "n", "w"])),
        ("counts", map(int())),
        ("labels", map(text())),
        ("o", object()),
    ];
    let mut properties = Map::new();
    let declared = all.map(|(name, (schema, ty))| {
        properties.insert(name.to_owned(), schema);
        (name, ty)
    });
    let schema = json!({"type": "object", "properties": properties});
    Ok((schema, DeclaredType::object(declared).build()?))
}
