//! The checks of a flattened enum against the fields beside it, while the author's crate compiles.

use super::enum_form::EnumForm;
use super::lookup;
use super::message::Message;

/// A flattened type, as far as the struct that it is flattened into must know it.
#[derive(Clone, Copy, Debug)]
pub struct Inlined {
    /// The form of the type, if the type is an enum.
    form: Option<&'static EnumForm>,
    /// True if the type is in an `Option`.
    is_optional: bool,
}

impl Inlined {
    pub(crate) const fn new(form: Option<&'static EnumForm>) -> Self {
        Self {
            form,
            is_optional: false,
        }
    }

    /// An `Option` of it.
    pub(crate) const fn optional(self) -> Self {
        Self {
            is_optional: true,
            ..self
        }
    }

    /// Returns true if the type reads this field.
    const fn takes(&self, field: &str) -> bool {
        match self.form {
            Some(form) => lookup::position(form.fields, field) != lookup::NOT_FOUND,
            None => false,
        }
    }
}

/// Checks the enum that the field `name` flattens. `own` are the other fields of the struct by
/// their JSON names, `before` what was flattened before it; `keeps` says that what no field knows
/// is kept, refused, or may be lost.
///
/// # Panics
///
/// At compile time, with what to do: where the enum is in an `Option`, where another one reads a
/// field of it, and where what it does not know is lost.
#[track_caller]
pub const fn check_inlined(
    inlined: Inlined,
    name: &str,
    own: &[&str],
    before: &[Inlined],
    keeps: bool,
) {
    let Some(form) = inlined.form else {
        return;
    };
    if inlined.is_optional {
        Message::EMPTY
            .text("`")
            .text(form.name)
            .text("` says by itself that there is none, and an `Option` of it is `None` where it cannot be read, or never; write `")
            .text(form.name)
            .text(if form.discriminator.is_some() {
                "`, with a unit variant that is `#[union(absent)]`"
            } else {
                "`, with a unit variant"
            })
            .panic()
    }
    let mut fields = form.fields;
    while let [field, after @ ..] = fields {
        if lookup::position(own, field) != lookup::NOT_FOUND || is_taken(before, field) {
            Message::EMPTY
                .text("the field \"")
                .text(field)
                .text("\" of `")
                .text(form.name)
                .text("` is taken by a field before or beside `")
                .text(name)
                .text("`, and only one of the two reads it; give one another name")
                .panic()
        }
        fields = after;
    }
    if !keeps && !form.is_strict {
        Message::EMPTY
            .text("what belongs to a value of `")
            .text(form.name)
            .text("` that this build does not know would be lost; add a last field `#[union(unknown)] #[serde(flatten)] #[schemars(skip)] rest: BTreeMap<String, serde_json::Value>`, or write `inline(lossy)`")
            .panic()
    }
}

const fn is_taken(before: &[Inlined], field: &str) -> bool {
    let mut rest = before;
    while let [one, after @ ..] = rest {
        if one.takes(field) {
            return true;
        }
        rest = after;
    }
    false
}

/// Checks that a struct which keeps what none of its fields knows flattens an enum: else nothing
/// tells what that belongs to.
///
/// # Panics
///
/// At compile time, with the `remedy`, where none of `inlined` is an enum.
#[track_caller]
pub const fn require_enum(inlined: &[Inlined], remedy: &str) {
    let mut rest = inlined;
    while let [one, after @ ..] = rest {
        if one.form.is_some() {
            return;
        }
        rest = after;
    }
    Message::EMPTY.text(remedy).panic()
}
