//! Checks a flattened enum against the other fields of the struct, at compile time.

use super::enum_form::EnumForm;
use super::lookup;
use super::message::Message;

/// The facts about a flattened type that the outer struct needs.
#[derive(Clone, Copy, Debug)]
pub struct FlattenedType {
    /// The form of the type, if the type is an enum.
    form: Option<&'static EnumForm>,
    /// True if the type is in an `Option`.
    is_optional: bool,
}

impl FlattenedType {
    pub(crate) const fn new(form: Option<&'static EnumForm>) -> Self {
        Self {
            form,
            is_optional: false,
        }
    }

    /// Returns the facts of an `Option` of the type.
    pub(crate) const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }

    /// Returns true if the type is an enum that deserializes this field.
    const fn has_field(&self, field: &str) -> bool {
        match self.form {
            Some(form) => lookup::position(form.fields, field) != lookup::NOT_FOUND,
            None => false,
        }
    }
}

/// Checks the enum that the field `name` flattens. `other_fields` contains the JSON names of the
/// other fields of the struct. `earlier_types` contains the types that earlier fields flatten.
/// `allows_unknown` is true if unknown fields are kept or rejected, or if the author allows that
/// unknown fields are lost.
///
/// # Panics
///
/// Panics if the enum is in an `Option`, if another field or flattened enum deserializes one of its
/// fields, or if fields that the enum does not know are lost.
#[track_caller]
pub const fn check_flattened_enum(
    flattened: FlattenedType,
    name: &str,
    other_fields: &[&str],
    earlier_types: &[FlattenedType],
    allows_unknown: bool,
) {
    let Some(form) = flattened.form else {
        return;
    };
    if flattened.is_optional {
        Message::EMPTY
            .push("`Option<")
            .push(form.name)
            .push(">` deserializes an unreadable object as `None`; write `")
            .push(form.name)
            .push(if form.discriminator.is_some() {
                "`, with a unit variant that is `#[union(absent)]`"
            } else {
                "`, with a unit variant"
            })
            .panic()
    }
    let mut fields = form.fields;
    while let [field, tail @ ..] = fields {
        let is_other_field = lookup::position(other_fields, field) != lookup::NOT_FOUND;
        if is_other_field || is_field_of_any(earlier_types, field) {
            Message::EMPTY
                .push("the field \"")
                .push(field)
                .push("\" of `")
                .push(form.name)
                .push("` conflicts with a field before or beside `")
                .push(name)
                .push("`, because serde gives it to only one of them; rename one")
                .panic()
        }
        fields = tail;
    }
    if !allows_unknown && !form.is_strict {
        Message::EMPTY
            .push("the fields of an unknown value of `")
            .push(form.name)
            .push("` would be lost; add a last field `#[union(unknown)] #[serde(flatten)] #[schemars(skip)] rest: BTreeMap<String, serde_json::Value>`, or write `inline(lossy)`")
            .panic()
    }
}

const fn is_field_of_any(types: &[FlattenedType], field: &str) -> bool {
    let mut remaining = types;
    while let [flattened, tail @ ..] = remaining {
        if flattened.has_field(field) {
            return true;
        }
        remaining = tail;
    }
    false
}

/// Checks that a struct that keeps unknown fields flattens an enum. Otherwise the unknown fields
/// could not belong to a union.
///
/// # Panics
///
/// Panics with the `remedy` if none of `types` is an enum.
#[track_caller]
pub const fn require_enum(types: &[FlattenedType], remedy: &str) {
    let mut remaining = types;
    while let [flattened, tail @ ..] = remaining {
        if flattened.form.is_some() {
            return;
        }
        remaining = tail;
    }
    Message::EMPTY.push(remedy).panic()
}
