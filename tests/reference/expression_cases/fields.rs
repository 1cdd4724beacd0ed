//! The object that expressions read, with a field of each type.

use k8s_cel::{DeclaredTypes, Type};
use serde_json::{Map, Value, json};
use union_random::Random;

use crate::edges::{INTS, Reading};

/// A field of the object.
pub(crate) struct Field {
    /// The name of the field, which is the same in an expression and in JSON.
    pub(crate) name: &'static str,
    pub(crate) ty: Type,
    /// The form of the strings in the field.
    pub(crate) reading: Reading,
}

/// The type of the object. CEL has no literal for this type, so expressions cannot create such an
/// object.
pub(crate) const OBJECT: Type = Type::Object(DeclaredTypes::ROOT);

/// Returns the fields that expressions may use.
pub(crate) fn fields() -> Vec<Field> {
    let field = |name, ty, reading| Field { name, ty, reading };
    let list = |of| Type::List(Box::new(of));
    let map = |of| Type::Map(Box::new((Type::String, of)));
    let plain = Reading::Plain;
    vec![
        field("b", Type::Bool, plain),
        field("i", Type::Int, plain),
        field("j", Type::Int, plain),
        field("d", Type::Double, plain),
        field("e", Type::Double, plain),
        field("s", Type::String, plain),
        field("t", Type::String, plain),
        field("u", Type::String, plain),
        field("bytes", Type::Bytes, Reading::Name),
        field("time", Type::Timestamp, Reading::Timestamp),
        field("day", Type::Timestamp, Reading::Name),
        field("span", Type::Duration, Reading::Duration),
        field("any", Type::Dyn, plain),
        field("ints", list(Type::Int), plain),
        field("doubles", list(Type::Double), plain),
        field("texts", list(Type::String), plain),
        field("set", list(Type::String), plain),
        field("numbers", list(Type::Int), plain),
        field("items", list(OBJECT), plain),
        field("keyed", list(OBJECT), plain),
        field("spans", list(Type::Duration), Reading::Duration),
        field("days", list(Type::Timestamp), Reading::Name),
        field("instants", list(Type::Timestamp), Reading::Timestamp),
        field("ratios", list(Type::Double), plain),
        field("bags", list(OBJECT), plain),
        field("quads", list(OBJECT), plain),
        field("times", list(Type::Timestamp), Reading::Timestamp),
        field("counts", map(Type::Int), plain),
        field("labels", map(Type::String), plain),
        field("o", OBJECT, plain),
    ]
}

/// Returns a random value of type `ty` for the field `name`, or rarely a value of another type.
pub(crate) fn value(random: &mut Random, name: &str, ty: &Type, reading: Reading) -> Value {
    if random.chance(1) {
        return json!([null, 1, "x", [], {}])[random.below(5)].clone();
    }
    let item_name = if name == "days" { "day" } else { "" };
    let nested_value = |random: &mut Random, ty: &Type| value(random, item_name, ty, reading);
    match ty {
        Type::Bool => random.chance(50).into(),
        Type::Int => (*random.pick(INTS)).into(),
        Type::Double => json!([
            0.0,
            1.5,
            -2.5,
            1e21,
            1e-7,
            3,
            -1,
            0.1,
            123_456_789.125,
            1e300
        ])[random.below(10)]
        .clone(),
        Type::Timestamp if name == "day" => (*random.pick(DAYS)).into(),
        Type::Bytes => (*random.pick(BASE64)).into(),
        Type::Dyn if random.chance(50) => (*random.pick(INTS)).into(),
        Type::List(of) => {
            let mut items: Vec<Value> = (0..random.below(4))
                .map(|_| nested_value(random, of))
                .collect();
            if matches!(name, "set" | "numbers" | "keyed") {
                let key = |item: &Value| item.get("k").unwrap_or(item).clone();
                let all = items.clone();
                let mut at = 0;
                items.retain(|item| {
                    at += 1;
                    !all[..at - 1].iter().any(|other| key(other) == key(item))
                });
            }
            items.into()
        }
        Type::Map(of) => {
            let mut entries = Map::new();
            for _ in 0..random.below(3) {
                let key = Reading::Plain.text(random);
                entries.insert(key, nested_value(random, &of.1));
            }
            entries.into()
        }
        Type::Object(_) => {
            let mut object = Map::new();
            if random.chance(85) {
                object.insert("k".into(), Reading::Plain.text(random).into());
            }
            if random.chance(85) {
                object.insert("v".into(), (*random.pick(INTS)).into());
            }
            if random.chance(30) {
                object.insert("w".into(), Reading::Plain.text(random).into());
            }
            if random.chance(60) {
                object.insert("n".into(), json!([null, 1])[random.below(2)].clone());
            }
            object.into()
        }
        _ => reading.text(random).into(),
    }
}

const DAYS: &[&str] = &[
    "2020-01-01",
    "2024-02-29",
    "0001-01-01",
    "9999-12-31",
    "2023-02-29",
    "2020-1-1",
    "",
    "2020-01-01T00:00:00Z",
];
const BASE64: &[&str] = &[
    "YWJj", "", "AA==", "/w==", "_w==", "w6k=", "ww==", "YQ", "!", "YWJj\n", "8J+Zgg==",
];
