//! The rules of a single variant.

use syn::spanned::Spanned as _;
use syn::{Attribute, Type};

use crate::check::NO_UNIONS;
use crate::check::enums::variant_fields::{check_attribute_of_field, has_attribute_of_field};
use crate::errors::Errors;
use crate::model::{
    SyntacticType, UnionEnumInput, UnionVariantInput, VariantShape, borrow_span, leaf_types,
};
use crate::name::serde_key;

/// Checks a variant. `number` is the number of earlier variants for which
/// [`UnionEnumInput::is_numbered`] returns true.
pub(super) fn check_variant(
    variant: &UnionVariantInput<'_>,
    number: usize,
    input: &UnionEnumInput<'_>,
    errors: &Errors,
) {
    check_attributes(variant, errors);
    if variant.attrs.other.is_none() && serde_key(&variant.syn.attrs, &["other"]).is_some() {
        return;
    }
    if variant.attrs.other.is_some() {
        check_other(variant, errors);
        return;
    }
    let ident = &variant.syn.ident;
    match variant.shape() {
        VariantShape::Unit => check_unit(variant, errors),
        // The variant may have `other` in an attribute that could not be read, or on its field.
        VariantShape::Newtype(_)
            if variant.contains_raw_union()
                && (!variant.is_complete || has_attribute_of_field(variant.syn)) => {}
        VariantShape::Newtype(_) if variant.contains_raw_union() => errors.error(
            ident.span(),
            format_args!("a variant with a `RawUnion` must be the `other` variant; write `#[union(other)] {ident}(union_runtime::RawUnion)`"),
        ),
        VariantShape::Newtype(ty) => {
            check_member(variant, ty, input, errors);
            check_number(variant, number, input, errors);
        }
        VariantShape::Empty => errors.error(
            ident.span(),
            format_args!("a value without a member must be a unit variant; write `{ident}`"),
        ),
        VariantShape::Fields => errors.error(
            ident.span(),
            format_args!("a member must be a variant with one field; move the fields of `{ident}` into a struct and write `{ident}({ident}Config)`"),
        ),
    }
}

/// Reports the first attribute of serde or schemars, because their derives are not used for this
/// enum. The remedies are the attributes to use instead, for serde and for schemars.
pub(super) fn check_foreign_attributes(attrs: &[Attribute], remedies: [&str; 2], errors: &Errors) {
    let foreign_attribute = attrs.iter().find_map(|attr| {
        let path = attr.path();
        ["serde", "schemars"]
            .into_iter()
            .zip(remedies)
            .find(|(name, _)| path.is_ident(name))
            .map(|(name, remedy)| (name, remedy, path.span()))
    });
    if let Some((name, remedy, span)) = foreign_attribute {
        errors.error(
            span,
            format_args!("{name} attributes are not supported here, because `UnionEnum` implements the traits of {name}; {remedy}"),
        );
    }
}

/// Reports attributes of serde and schemars on the variant and its fields. Also reports
/// `#[union(...)]` on a field, because the attributes of a member belong on its variant.
fn check_attributes(variant: &UnionVariantInput<'_>, errors: &Errors) {
    let ident = &variant.syn.ident;
    let on_the_type = format!(
        "put them on the type of the member, such as `length` on the field of a `#[serde(transparent)] struct {ident}Value(..)`"
    );
    let remedies = |attrs: &[Attribute]| {
        let of_schemars = if has_schema_with(attrs) {
            "write `#[union(schema_with = path)]` on the variant"
        } else {
            &*on_the_type
        };
        let of_serde = if serde_key(attrs, &["other"]).is_some() {
            "write `#[union(other)]`, and let the variant contain a `union_runtime::RawUnion`"
        } else {
            "write `#[union(member = \"VALUE\", field = \"name\")]`"
        };
        [of_serde, of_schemars]
    };
    check_foreign_attributes(&variant.syn.attrs, remedies(&variant.syn.attrs), errors);
    for field in &variant.syn.fields {
        check_foreign_attributes(&field.attrs, remedies(&field.attrs), errors);
    }
    check_attribute_of_field(variant.syn, "union", "member", errors);
}

/// Returns true if an attribute of schemars has `schema_with` or `with`.
fn has_schema_with(attrs: &[Attribute]) -> bool {
    let mut attrs = attrs.iter();
    attrs.any(|attr| {
        let mut has_schema_with = false;
        // Errors in the attribute do not matter, because the attribute is rejected anyway.
        let _ = attr.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string);
            has_schema_with |= matches!(name.as_deref(), Some("schema_with" | "with"));
            meta.value()?.parse::<syn::Lit>().map(|_| ())
        });
        attr.path().is_ident("schemars") && has_schema_with
    })
}

/// Reports a variant with `other` that does not have the form
/// `#[union(other)] Other(union_runtime::RawUnion)`.
fn check_other(variant: &UnionVariantInput<'_>, errors: &Errors) {
    let ident = &variant.syn.ident;
    if !variant.contains_raw_union() {
        errors.error(
            ident.span(),
            format_args!("the `other` variant must contain a `RawUnion`; write `{ident}(union_runtime::RawUnion)`"),
        );
    }
    let attrs = &variant.attrs;
    let member_attributes = [
        ("member", attrs.member.as_ref().map(|member| member.span)),
        ("field", attrs.field.as_ref().map(|field| field.span)),
        ("nested", attrs.nested),
        ("not_nested", attrs.not_nested),
        ("open", attrs.open),
        ("preserve_unknown_fields", attrs.preserve_unknown_fields),
        (
            "schema_with",
            attrs.schema_with.as_ref().map(|function| function.span),
        ),
        ("default", attrs.default),
        ("absent", attrs.absent),
    ];
    for (name, span) in member_attributes {
        if let Some(span) = span {
            errors.error(
                span,
                format_args!(
                    "`{ident}` is the `other` variant, which is not a member; remove `{name}`"
                ),
            );
        }
    }
}

/// Reports attributes of members on a unit variant, which has no member.
fn check_unit(variant: &UnionVariantInput<'_>, errors: &Errors) {
    let ident = &variant.syn.ident;
    let attrs = &variant.attrs;
    if let Some(field) = &attrs.field {
        errors.error(
            field.span,
            format_args!("`{ident}` has no data, so `field` has no effect; remove `field`"),
        );
    }
    let schema_with = attrs.schema_with.as_ref().map(|function| function.span);
    let marks = [
        ("nested", attrs.nested),
        ("not_nested", attrs.not_nested),
        ("open", attrs.open),
        ("preserve_unknown_fields", attrs.preserve_unknown_fields),
        ("schema_with", schema_with),
    ];
    for (name, span) in marks {
        if let Some(span) = span {
            errors.error(
                span,
                format_args!("`{ident}` has no data, so `{name}` has no effect; remove `{name}`"),
            );
        }
    }
    if let (Some(_), Some(member)) = (attrs.absent, &attrs.member) {
        errors.error(
            member.span,
            format_args!("`{ident}` represents an absent discriminator, so it cannot have a value; remove `member` or `absent`"),
        );
    }
}

/// Reports a member that may be null in JSON although the member is set, and conflicting attributes
/// of a member.
fn check_member(
    variant: &UnionVariantInput<'_>,
    ty: &Type,
    input: &UnionEnumInput<'_>,
    errors: &Errors,
) {
    let ident = &variant.syn.ident;
    let empty_span = input.empty_variant_span(variant);
    if let Some(span) = empty_span {
        errors.error(
            span,
            format_args!("`{ident}` represents an empty union, so it cannot have data; make it a unit variant"),
        );
    }
    if let (Some(span), Some(_)) = (variant.attrs.open, variant.attrs.nested) {
        errors.error(
            span,
            "`open` conflicts with `nested`, because `open` is for members of an enum type; remove `open`",
        );
    }
    // A lifetime parameter is reported once, at the enum.
    if let Some(ampersand) = borrow_span(ty)
        && input.generics.lifetimes().next().is_none()
    {
        errors.error(
            ampersand,
            "a member cannot borrow from its input, because the enum keeps unreadable objects; use an owned type, such as `String`",
        );
    }
    check_not_nested(variant, ty, errors);
    check_schema_attributes(variant, input, errors);
    let message = match SyntacticType::from_type(ty) {
        SyntacticType::BoxedOption => {
            "a member that may be unset must be an `Option` on the outside; write `Option<Box<T>>`"
        }
        SyntacticType::Null => {
            "this type serializes as null, which reads back as unset; use a type that is never null, such as `struct Name {}`"
        }
        SyntacticType::Option(_) if input.is_undiscriminated() => {
            "without a discriminator, an unset member selects no variant; remove the `Option`, and add a unit variant for a union without a member"
        }
        SyntacticType::Option(_) | SyntacticType::Value => return,
    };
    errors.error(ty.span(), message);
}

/// Reports `not_nested` on a member with `nested`, and on a type that cannot have unions.
fn check_not_nested(variant: &UnionVariantInput<'_>, ty: &Type, errors: &Errors) {
    let attrs = &variant.attrs;
    let Some(span) = attrs.not_nested else {
        return;
    };
    if attrs.nested.is_some() {
        errors.error(
            span,
            "`not_nested` contradicts `nested` on the same variant; remove one",
        );
    } else if leaf_types(ty).is_empty() {
        errors.error(span, NO_UNIONS);
    }
}

/// Reports two attributes for the schema of one member, and such attributes without a schema.
fn check_schema_attributes(
    variant: &UnionVariantInput<'_>,
    input: &UnionEnumInput<'_>,
    errors: &Errors,
) {
    let attrs = &variant.attrs;
    let schema_with = attrs.schema_with.as_ref().map(|function| function.span);
    if let (Some(span), Some(_)) = (attrs.preserve_unknown_fields, schema_with) {
        errors.error(
            span,
            "`preserve_unknown_fields` conflicts with `schema_with`, whose function returns the whole schema; remove one",
        );
    }
    let has_schema = input
        .attrs
        .schema
        .as_ref()
        .is_none_or(|schema| schema.value);
    let attributes = [
        ("preserve_unknown_fields", attrs.preserve_unknown_fields),
        ("schema_with", schema_with),
    ];
    for (name, span) in attributes {
        if let (Some(span), false) = (span, has_schema) {
            errors.error(
                span,
                format_args!(
                    "`{name}` has no effect, because the enum has `schema = false`; remove one"
                ),
            );
        }
    }
}

/// Reports a member whose number is 64 or more, because a set of members has 64 bits.
fn check_number(
    variant: &UnionVariantInput<'_>,
    number: usize,
    input: &UnionEnumInput<'_>,
    errors: &Errors,
) {
    if number >= 64 {
        errors.error(
            variant.syn.ident.span(),
            format_args!(
                "member `{}`: a union can have at most 64 members, and their values must be among the first 64 of the enum; move the variants that have a member to the front",
                input.member_name(variant).value
            ),
        );
    }
}
