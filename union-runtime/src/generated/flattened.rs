//! Checks a flattened enum against the other fields of the struct, at compile time.

use super::enum_form::{EnumForm, FlattenedFields};
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
/// `allows_unknown` is true if the struct keeps or rejects unknown fields, or if the author allows
/// that unknown fields are lost.
///
/// # Panics
///
/// Panics if the enum is in an `Option`, if another field or flattened enum deserializes one of its
/// fields, if fields that the enum does not know are lost, or if the enum does not declare that
/// the struct keeps or rejects such fields.
#[track_caller]
pub const fn check_flattened_enum(
    flattened: FlattenedType,
    name: &str,
    other_fields: &[&str],
    earlier_types: &[FlattenedType],
    allows_unknown: bool,
) {
    let mut remaining = earlier_types;
    while let [FlattenedType { form, .. }, tail @ ..] = remaining {
        if let Some(form) = form
            && let FlattenedFields::All = form.flattened
        {
            reject_beside_all_fields(form)
        }
        remaining = tail;
    }
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
    match form.flattened {
        _ if form.is_strict => {}
        FlattenedFields::All if allows_unknown => reject_beside_all_fields(form),
        FlattenedFields::Own | FlattenedFields::Undeclared if !allows_unknown => Message::EMPTY
            .push("the fields of an unknown value of `")
            .push(form.name)
            .push("` would be lost; write `#[union(flattened = \"all_fields\")]` on `")
            .push(form.name)
            .push("`, or `flattened = \"own_fields\"` there and here either a last field `#[union(unknown)] #[serde(flatten)] #[schemars(skip)] rest: BTreeMap<String, serde_json::Value>` or `inline(lossy)`")
            .panic(),
        FlattenedFields::Undeclared => Message::EMPTY
            .push("`")
            .push(form.name)
            .push("` cannot see that this struct keeps or rejects unknown fields; write `#[union(flattened = \"own_fields\")]` on `")
            .push(form.name)
            .push("`")
            .panic(),
        FlattenedFields::Own | FlattenedFields::All => {}
    }
}

#[track_caller]
const fn reject_beside_all_fields(form: &EnumForm) -> ! {
    Message::EMPTY
        .push("`")
        .push(form.name)
        .push("` deserializes all fields that remain, so it must be the last flattened field, without a map, `deny_unknown_fields` and `lossy`; or write `#[union(flattened = \"own_fields\")]` on `")
        .push(form.name)
        .push("`")
        .panic()
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
