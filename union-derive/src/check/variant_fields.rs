//! The attributes of this crate on the field of a variant, which belong on the variant.

use syn::spanned::Spanned as _;
use syn::{Attribute, Variant};

use crate::errors::Errors;

/// The attributes of the derives for enums.
const ATTRIBUTES: [&str; 2] = ["union", "enum_type"];

/// Returns the first attribute of this crate on a field of a variant.
pub(super) fn attribute_of_field(variant: &Variant) -> Option<&Attribute> {
    let mut attrs = variant.fields.iter().flat_map(|field| &field.attrs);
    attrs.find(|attr| ATTRIBUTES.iter().any(|name| attr.path().is_ident(name)))
}

/// Reports an attribute of this crate on a field of a variant. `own_attribute` is the attribute of
/// the derive, and `noun` is the name of a variant in messages.
pub(super) fn check_attribute_of_field(
    variant: &Variant,
    own_attribute: &str,
    noun: &str,
    errors: &Errors,
) {
    let Some(attr) = attribute_of_field(variant) else {
        return;
    };
    let message = if attr.path().is_ident(own_attribute) {
        format!(
            "the attributes of a {noun} must be on its variant; move this one in front of `{}`",
            variant.ident
        )
    } else {
        let other = ATTRIBUTES.iter().find(|name| attr.path().is_ident(name));
        let other = other.copied().unwrap_or_default();
        format!("`{other}` is the attribute of another derive; remove it")
    };
    errors.error(attr.path().span(), message);
}
