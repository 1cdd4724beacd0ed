//! An object for expressions, and its declared types.

use k8s_cel::{DeclaredType, DeclaredTypes};
use serde_json::{Value, json};

pub(crate) const ROOT: u32 = DeclaredTypes::ROOT;

pub(crate) fn types() -> DeclaredTypes {
    let string = || DeclaredType::string().max_size(20);
    DeclaredType::object([
        ("n", DeclaredType::int()),
        ("text", string()),
        ("texts", DeclaredType::list(string()).max_size(5)),
        ("map", DeclaredType::map(DeclaredType::double()).max_size(5)),
        ("bytes", DeclaredType::bytes()),
        ("day", DeclaredType::date()),
        ("lasts", DeclaredType::duration()),
        ("either", DeclaredType::int_or_string()),
    ])
    .build()
    .expect("types")
}

pub(crate) fn object() -> Value {
    json!({
        "n": 7, "text": "abc", "texts": ["a", "b"], "map": {"x": 1.5}, "bytes": "-_8=", "day": "2024-02-29",
        "lasts": "3 minutes", "either": "50%",
    })
}
