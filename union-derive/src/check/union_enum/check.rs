//! Checks the input of `#[derive(UnionEnum)]`, and returns the checked enum.

use syn::Type;

use super::{enum_level, names, variant};
use crate::attr::ExtensionShape;
use crate::check::enforcement::enforcement;
use crate::errors::Errors;
use crate::model::{
    EnumKind, EnumVariant, LeafType, MemberSchema, SyntacticType, UnionEnum, UnionEnumInput,
    UnionVariantInput, VariantKind, VariantShape, WalkTarget, depends_on_parameters, doc,
    innermost_name, leaf_types, union_runtime,
};

/// Checks an enum, and reports all errors.
pub(crate) fn check_union_enum<'a>(
    input: &UnionEnumInput<'a>,
    errors: &Errors,
) -> Option<UnionEnum<'a>> {
    enum_level::check_enum_level(input, errors);
    let mut number = 0;
    for variant in &input.variants {
        variant::check_variant(variant, number, input, errors);
        number += usize::from(input.is_numbered(variant));
    }
    names::check_names(input, errors);
    let attrs = &input.attrs;
    let kind = match &attrs.discriminator {
        Some(name) => EnumKind::Discriminated {
            name: name.value.value(),
        },
        None => EnumKind::Undiscriminated,
    };
    let mut variants = input.variants.iter();
    let other_variant = variants.find(|variant| variant.attrs.other.is_some());
    let krate = input.attrs.krate.clone();
    let schema = input.attrs.schema.as_ref();
    Some(UnionEnum {
        ident: input.ident,
        generics: input.generics,
        krate: krate.unwrap_or_else(union_runtime),
        doc: doc(input.syn_attrs),
        kind,
        variants: input
            .known_variants()
            .map(|variant| checked_variant(variant, input))
            .collect::<Option<_>>()?,
        other_variant: other_variant.map(|variant| &variant.syn.ident),
        default_index: input
            .known_variants()
            .position(|variant| variant.attrs.default.is_some()),
        has_schema: schema.is_none_or(|schema| schema.value),
        shape: attrs
            .shape
            .as_ref()
            .map_or(ExtensionShape::V2022, |shape| shape.value),
        reads_external: attrs.read_also.is_some(),
        flattened: attrs.flattened.as_ref().map(|flattened| flattened.value),
        enforce: enforcement(attrs.enforce.as_ref(), attrs.ratchet, errors),
    })
}

/// Returns the checked variant. Returns `None` for a variant with invalid fields, which
/// `check_variant` has reported.
fn checked_variant<'a>(
    variant: &UnionVariantInput<'a>,
    input: &UnionEnumInput<'_>,
) -> Option<EnumVariant<'a>> {
    let value = input.discriminator_value(variant);
    let kind = match variant.shape() {
        VariantShape::Unit if variant.attrs.absent.is_some() || input.is_undiscriminated() => {
            VariantKind::Absent
        }
        VariantShape::Unit => VariantKind::Unit,
        VariantShape::Newtype(field_type) => {
            let (ty, is_option) = match SyntacticType::from_type(field_type) {
                SyntacticType::Option(ty) => (ty, true),
                _ => (field_type, false),
            };
            let generics = input.generics;
            let attrs = &variant.attrs;
            let is_marked = attrs.open.is_some() || attrs.not_nested.is_some();
            let leaf_types = leaf_types(ty);
            let walk_target = if attrs.nested.is_some() {
                WalkTarget::Unions
            } else if !is_marked
                && !depends_on_parameters(ty, generics)
                && leaf_types.iter().any(LeafType::may_be_walked)
            {
                WalkTarget::Values
            } else {
                WalkTarget::Nothing
            };
            VariantKind::Member {
                json_name: input.member_name(variant).value,
                ty,
                is_option,
                walk_target,
                unmarked_types: if is_marked || attrs.nested.is_some() {
                    Vec::new()
                } else {
                    leaf_types
                },
                not_nested_span: attrs.not_nested,
                open_span: variant
                    .attrs
                    .open
                    .filter(|_| !depends_on_parameters(ty, generics)),
                schema: member_schema(variant, ty),
                mentions_enum: input.is_mentioned_in(ty),
            }
        }
        VariantShape::Empty | VariantShape::Fields => return None,
    };
    // The old enum usually had the names of the values or of the fields. Without a discriminator,
    // the name of the value is the name of the variant.
    let mut external_names = vec![value.value.clone()];
    let field_name = input.member_name(variant).value;
    if !external_names.contains(&field_name) {
        external_names.push(field_name);
    }
    Some(EnumVariant {
        ident: &variant.syn.ident,
        external_names,
        value: value.value,
        doc: doc(&variant.syn.attrs),
        kind,
    })
}

/// Returns the schema of a member. Kubernetes' own types for free JSON are recognized by their
/// names, because their schemas allow only objects without fields.
fn member_schema(variant: &UnionVariantInput<'_>, ty: &Type) -> MemberSchema {
    let name = innermost_name(ty).map(ToString::to_string);
    match (&variant.attrs.schema_with, name.as_deref()) {
        (Some(function), _) => MemberSchema::OfFunction(function.value.clone()),
        (None, Some("JSON")) => MemberSchema::AnyJson,
        (None, Some("RawExtension")) => MemberSchema::PreserveUnknownFields,
        _ if variant.attrs.preserve_unknown_fields.is_some() => MemberSchema::PreserveUnknownFields,
        _ => MemberSchema::OfType,
    }
}
