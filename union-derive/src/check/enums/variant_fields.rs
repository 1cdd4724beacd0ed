//! The attributes of this crate on the field of a variant, which belong on the variant.

use syn::spanned::Spanned as _;
use syn::{Attribute, Variant};

use crate::errors::Errors;

/// The attributes of the derives for enums.
const ATTRIBUTES: [&str; 2] = ["union", "enum_type"];

/// Returns true if a field of a variant has an attribute of this crate.
pub(super) fn has_attribute_of_field(variant: &Variant) -> bool {
    attribute_of_field(variant).is_some()
}

/// Returns the first attribute of this crate on a field of a variant, with its name.
fn attribute_of_field(variant: &Variant) -> Option<(&Attribute, &'static str)> {
    let mut attrs = variant.fields.iter().flat_map(|field| &field.attrs);
    attrs.find_map(|attr| {
        let name = ATTRIBUTES.iter().find(|name| attr.path().is_ident(name));
        Some((attr, *name?))
    })
}

/// Reports an attribute of this crate on a field of a variant. `own_attribute` is the attribute of
/// the derive, and `noun` is the name of a variant in messages.
pub(super) fn check_attribute_of_field(
    variant: &Variant,
    own_attribute: &str,
    noun: &str,
    errors: &Errors,
) {
    let Some((attr, name)) = attribute_of_field(variant) else {
        return;
    };
    let message = if name == own_attribute {
        format!(
            "the attributes of a {noun} must be on its variant; move this one in front of `{}`",
            variant.ident
        )
    } else {
        format!("`{name}` is the attribute of another derive; remove it")
    };
    errors.error(attr.path().span(), message);
}
