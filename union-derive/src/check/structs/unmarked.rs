//! The rules of fields that look like members, but are not marked as members.

use crate::errors::Errors;
use crate::model::{FieldInput, UnionInput, UnmarkedOption, camel_case};

/// Returns the fields that the author may have forgotten to mark as members, in source order.
/// Generated code reports such a field if its name matches a discriminator value without a member.
pub(super) fn unmarked_options<'a>(
    input: &UnionInput<'a>,
    errors: &Errors,
) -> Vec<UnmarkedOption<'a>> {
    let fields = input.fields.iter();
    fields
        .filter(|field| {
            check_not_member(field, input, errors);
            may_be_member(field, input)
        })
        .map(|field| UnmarkedOption {
            ident: field.ident,
            name: field.serde.names.deserialize.clone(),
            camel_name: camel_case(&field.rust_name()),
        })
        .collect()
}

fn may_be_member(field: &FieldInput<'_>, input: &UnionInput<'_>) -> bool {
    let is_marked = field.attrs.not_member.is_some();
    let has_role = field.is_discriminator() || input.is_member(field) || is_marked;
    let has_name = !field.serde.is_flattened && !field.serde.is_skipped();
    has_name && !has_role && field.looks_optional()
}

/// Reports `not_member` on fields that could not be members.
fn check_not_member(field: &FieldInput<'_>, input: &UnionInput<'_>, errors: &Errors) {
    let Some(span) = field
        .attrs
        .not_member
        .filter(|_| field.unknown_span().is_none())
    else {
        return;
    };
    let message = if field.is_discriminator() || field.attrs.member.is_some() {
        "`not_member` contradicts `member` or `discriminator` on the same field; remove one"
    } else if input.attrs.all_members.is_some() {
        "`not_member` contradicts `all_members`; mark the members individually, or remove `not_member`"
    } else if input.discriminators().next().is_none() && input.is_complete {
        "`not_member` has no effect in a struct without a discriminator; remove it"
    } else {
        return;
    };
    errors.error(span, message);
}
