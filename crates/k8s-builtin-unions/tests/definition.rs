//! The definition of a union: the objects that a row of the table accepts.

use k8s_builtin_unions::{Arity, BuiltinMember, BuiltinUnion};
use serde_json::{Map, Value};

/// Returns true if an object is valid by a union. If `is_strict` is false, values and members
/// that the table does not have may be valid.
pub(crate) fn is_valid(union: BuiltinUnion, object: &Map<String, Value>, is_strict: bool) -> bool {
    let set: Vec<BuiltinMember> = union
        .members()
        .filter(|member| is_set(object, member.field(), member.is_unset_if_empty()))
        .collect();
    match union.arity() {
        Arity::AtMostOne | Arity::ExactlyOneWithDefault => set.len() <= 1,
        Arity::ExactlyOne => set.len() == 1 || set.is_empty() && !is_strict && has_unknown(object),
        Arity::ByDiscriminator => {
            let discriminator = union.discriminator().expect("a discriminator");
            let value = object.get(discriminator).and_then(Value::as_str);
            let default = union.default_value();
            let is_unset_if_empty = union.is_discriminator_unset_if_empty();
            let value = value.filter(|value| !(is_unset_if_empty && value.is_empty()));
            let Some(value) = value.or(default) else {
                return false;
            };
            let selected = union.members().find(|member| member.value() == Some(value));
            let is_known = selected.is_some() || union.values_without_member().any(|v| v == value);
            let only_selected = set
                .iter()
                .all(|member| Some(member.field()) == selected.map(BuiltinMember::field));
            let has_selected =
                selected.is_none_or(|selected| selected.is_optional() || set.len() == 1);
            only_selected && has_selected && (is_known || !is_strict)
        }
        _ => unreachable!("a new arity"),
    }
}

/// The name of a field that no type has.
pub(crate) const UNKNOWN_FIELD: &str = "fieldOfANewerVersion";

fn has_unknown(object: &Map<String, Value>) -> bool {
    object
        .get(UNKNOWN_FIELD)
        .is_some_and(|value| !value.is_null())
}

fn is_set(object: &Map<String, Value>, field: &str, is_unset_if_empty: bool) -> bool {
    let empty_values = [
        Value::from(""),
        Value::from(0),
        Value::from(false),
        Value::Array(vec![]),
    ];
    object.get(field).is_some_and(|value| {
        !(value.is_null() || is_unset_if_empty && empty_values.contains(value))
    })
}
