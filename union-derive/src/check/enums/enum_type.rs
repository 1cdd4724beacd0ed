//! The rules of `#[derive(EnumType)]`.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::{Fields, Type};

use super::variant_fields::{check_attribute_of_field, has_attribute_of_field};
use crate::check::serde_compat::{
    SKIP_KEYS, check_conversion, check_one_name, check_schema_form, check_schema_names,
};
use crate::errors::Errors;
use crate::model::{Container, EnumInput, EnumType, EnumValue, VariantInput, doc_in_one_line};
use crate::name::serde_key_span;

/// Checks an enum, and reports all errors.
pub(crate) fn check_enum<'a>(input: &EnumInput<'a>, errors: &Errors) -> Option<EnumType<'a>> {
    let container = &input.container;
    check_conversion(container, errors)?;
    check_is_string(container, errors);
    check_schema_form(&container.schemars, errors);
    check_has_values(input, errors);
    for variant in input.variants.iter().filter(|variant| variant.is_complete) {
        check_variant(variant, errors);
    }
    for variant in &input.variants {
        check_attribute_of_field(variant.syn, "enum_type", "value", errors);
    }
    check_have_no_data(input, errors);
    check_distinct_values(&input.variants, errors);
    let other_variant = check_other(&input.variants, errors);
    check_schema_enum(input, errors);
    let values = input
        .variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
        .map(|variant| EnumValue {
            ident: &variant.syn.ident,
            value: variant.serde.names.deserialize.clone(),
            doc: doc_in_one_line(&variant.syn.attrs),
        })
        .collect();
    Some(EnumType {
        ident: container.ident,
        generics: container.generics,
        krate: container.krate(),
        values,
        other_variant,
    })
}

/// Reports an enum that is not serialized as a string, because the value of an enum type is a
/// string (KEP-2887, "Proposal").
fn check_is_string(container: &Container<'_>, errors: &Errors) {
    if container.serde.is_tagged {
        let names = ["tag", "content", "untagged"];
        errors.error(
            serde_key_span(container.syn_attrs, &names, container.ident),
            "an enum type must serialize as a plain string; remove serde's `tag`, `content` or `untagged` from the enum",
        );
    }
    for attr in container.syn_attrs {
        if !attr.path().is_ident("repr") {
            continue;
        }
        // Other representations are allowed. rustc itself reports errors in the attribute.
        let _ = attr.parse_nested_meta(|meta| {
            if let Some(ident) = meta.path.get_ident().filter(|ident| is_integer_type(ident)) {
                errors.error(
                    ident.span(),
                    format_args!("an enum type must serialize as a string, not as an integer (KEP-2887); remove `repr({ident})`"),
                );
            }
            Ok(())
        });
    }
}

fn is_integer_type(ident: &proc_macro2::Ident) -> bool {
    let name = ident.to_string();
    matches!(name.as_bytes(), [b'i' | b'u', size @ ..] if size == b"size" || size.iter().all(u8::is_ascii_digit))
}

/// Reports an enum type without values.
fn check_has_values(input: &EnumInput<'_>, errors: &Errors) {
    if input
        .variants
        .iter()
        .all(|variant| variant.attrs.other.is_some() && variant.is_complete)
    {
        errors.error(
            input.container.ident.span(),
            "an enum type must have at least one value; add a unit variant for each value",
        );
    }
}

/// Checks that a variant without `other` is a unit variant, and that the variant with `other`
/// contains the string of an unknown value.
fn check_variant(variant: &VariantInput<'_>, errors: &Errors) {
    let attrs = &variant.syn.attrs;
    let key_span = |names: &[&str]| serde_key_span(attrs, names, &variant.syn.ident);
    let serde = &variant.serde;
    if serde.is_other {
        errors.error(
            key_span(&["other"]),
            "`#[serde(other)]` loses the original value; write `#[enum_type(other)] #[serde(untagged)] Unknown(String)`",
        );
        return;
    }
    if serde.is_skipped {
        errors.error(
            key_span(&SKIP_KEYS),
            "a value cannot be skipped, because serde neither serializes nor deserializes a skipped variant; remove serde's `skip`, or the variant",
        );
        return;
    }
    let rejected_keys = [
        "rename",
        "skip",
        "skip_serializing",
        "skip_deserializing",
        "untagged",
    ];
    check_schema_names(&variant.schemars, &rejected_keys, errors);
    if let Some(function) = serde.conversion_span {
        errors.error(
            function,
            "a variant of an enum type cannot have its own conversion; remove serde's `with`, `serialize_with` or `deserialize_with`",
        );
    }
    if let Some(other_span) = variant.attrs.other {
        check_other_shape(variant, other_span, errors);
        return;
    }
    if serde.is_untagged && matches!(variant.syn.fields, Fields::Unit) {
        errors.error(
            key_span(&["untagged"]),
            "an untagged unit variant serializes as null; remove `#[serde(untagged)]`",
        );
    }
    if serde.names.has_alias() {
        errors.error(
            key_span(&["alias"]),
            "a value cannot have an alias, because the schema lists only one string; make each alias a variant of its own",
        );
    }
    check_one_name(&variant.syn.ident, attrs, &serde.names, errors);
}

/// Reports the first value with data. An enum with several such variants is a union, and not an
/// enum type.
fn check_have_no_data(input: &EnumInput<'_>, errors: &Errors) {
    let has_data = |variant: &&VariantInput<'_>| {
        let has_other_error = variant.serde.is_other || variant.serde.is_skipped;
        let has_field_error = has_attribute_of_field(variant.syn);
        let is_value = variant.attrs.other.is_none() && variant.is_complete;
        is_value
            && !has_other_error
            && !has_field_error
            && !matches!(variant.syn.fields, Fields::Unit)
    };
    if let Some(variant) = input.variants.iter().find(has_data) {
        errors.error(
            variant.syn.ident.span(),
            "a value of an enum type cannot have data; to keep unknown values write `#[enum_type(other)] #[serde(untagged)] Unknown(String)`, and for a union use `#[derive(UnionEnum)]`",
        );
    }
}

/// Reports a variant with `other` that does not have the form
/// `#[enum_type(other)] #[serde(untagged)] Unknown(String)`.
fn check_other_shape(variant: &VariantInput<'_>, other_span: Span, errors: &Errors) {
    let contains_string = match &variant.syn.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields
            .unnamed
            .first()
            .is_some_and(|field| is_string(&field.ty)),
        _ => false,
    };
    if !contains_string {
        errors.error(
            variant.syn.ident.span(),
            format_args!(
                "an `other` variant must contain the string of the value; write `{}(String)`",
                variant.syn.ident
            ),
        );
    } else if !variant.serde.is_untagged {
        errors.error(
            other_span,
            "the `other` variant must be `#[serde(untagged)]`, so that any string deserializes into it",
        );
    }
}

/// Returns true if the last segment of the type is `String`. Other types may borrow the string, or
/// may not accept every string.
fn is_string(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => {
            let segment = ty.path.segments.last();
            segment.is_some_and(|segment| segment.ident == "String")
        }
        Type::Group(group) => is_string(&group.elem),
        Type::Paren(paren) => is_string(&paren.elem),
        _ => false,
    }
}

/// Returns the variant with `other`. Reports several such variants. Also reports a variant with
/// `other` that is not the last variant, because serde requires untagged variants at the end.
fn check_other<'a>(variants: &[VariantInput<'a>], errors: &Errors) -> Option<&'a syn::Ident> {
    let mut other_variants = variants
        .iter()
        .enumerate()
        .filter_map(|(index, variant)| Some((index, variant, variant.attrs.other?)));
    let (first_index, variant, span) = other_variants.next()?;
    let mut has_duplicates = false;
    for (_, _, span) in other_variants {
        errors.error(
            span,
            format_args!(
                "`{}` is already the `other` variant; remove this one",
                variant.syn.ident
            ),
        );
        has_duplicates = true;
    }
    if !has_duplicates && first_index + 1 != variants.len() {
        errors.error(
            span,
            "the `other` variant must be last, because serde requires untagged variants at the end",
        );
    }
    Some(&variant.syn.ident)
}

/// Reports two variants with the same string in JSON.
fn check_distinct_values(variants: &[VariantInput<'_>], errors: &Errors) {
    let mut variant_by_value: HashMap<&str, &VariantInput<'_>> = HashMap::new();
    for variant in variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
    {
        if let Some(first) = variant_by_value.insert(&variant.serde.names.deserialize, variant) {
            errors.error(
                variant.syn.ident.span(),
                format_args!(
                    "`{}` and `{}` both serialize as \"{}\"; rename one",
                    first.syn.ident, variant.syn.ident, variant.serde.names.deserialize
                ),
            );
        }
    }
}

/// Reports `extend("enum" = [...])` if its values are not the values of the enum.
fn check_schema_enum(input: &EnumInput<'_>, errors: &Errors) {
    let Some((schema_values, span)) = &input.container.schemars.enum_values else {
        return;
    };
    let values: Vec<&str> = input
        .variants
        .iter()
        .filter(|variant| variant.attrs.other.is_none())
        .map(|variant| variant.serde.names.deserialize.as_str())
        .collect();
    let are_equal = schema_values
        .iter()
        .all(|schema_value| values.contains(&schema_value.as_str()))
        && values.iter().all(|value| {
            schema_values
                .iter()
                .any(|schema_value| schema_value == value)
        });
    if !are_equal {
        errors.error(
            *span,
            format_args!(
                "the values of `enum` must be the enum's values, which are \"{}\"; remove `enum`, because the schema gets the values from the enum type",
                values.join("\", \"")
            ),
        );
    }
}
