//! Checks the input of `#[derive(UnionEnum)]`, and returns the checked enum.

use syn::Type;

use super::{enum_level, names, variant};
use crate::attr::ExtensionShape;
use crate::check::enforcement::enforcement;
use crate::check::not_nested::not_nested_field;
use crate::errors::Errors;
use crate::model::{
    EnumKind, EnumVariant, LeafType, MemberSchema, SyntacticType, UnionEnum, UnionEnumInput,
    UnionVariantInput, VariantKind, VariantShape, WalkTarget, depends_on_parameters, doc,
    last_name, leaf_types, union_runtime,
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
        VariantShape::Newtype(ty) => member(variant, input, ty),
        VariantShape::Empty | VariantShape::Fields => return None,
    };
    // The variants of an old, externally tagged enum usually have the names of the values or of the
    // fields. Without a discriminator, the name of the value is the name of the variant.
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

/// Returns the member of a variant with a field of this type.
fn member<'a>(
    variant: &UnionVariantInput<'a>,
    input: &UnionEnumInput<'_>,
    field_type: &'a Type,
) -> VariantKind<'a> {
    let (ty, is_option) = match SyntacticType::from_type(field_type) {
        SyntacticType::Option(ty) => (ty, true),
        _ => (field_type, false),
    };
    let (attrs, generics) = (&variant.attrs, input.generics);
    let leaf_types = leaf_types(ty);
    let is_generic = depends_on_parameters(ty, generics);
    let is_marked = attrs.open.is_some() || attrs.not_nested.is_some();
    let walk_target = if attrs.nested.is_some() {
        WalkTarget::Unions
    } else if !is_marked && !is_generic && leaf_types.iter().any(LeafType::may_be_walked) {
        WalkTarget::Values
    } else {
        WalkTarget::Nothing
    };
    let not_nested = attrs.not_nested;
    VariantKind::Member {
        json_name: input.member_name(variant).value,
        ty,
        is_option,
        walk_target,
        schema: member_schema(variant, &leaf_types),
        not_nested: not_nested.and_then(|span| not_nested_field(span, &leaf_types, generics)),
        unmarked_types: if is_marked || attrs.nested.is_some() {
            Vec::new()
        } else {
            leaf_types
        },
        open_span: attrs.open.filter(|_| !is_generic),
        mentions_enum: input.is_mentioned_in(ty),
    }
}

/// Returns the schema of a member. Kubernetes' own types for free JSON are recognized by their
/// names, because their schemas allow only objects without fields.
fn member_schema(variant: &UnionVariantInput<'_>, leaf_types: &[LeafType<'_>]) -> MemberSchema {
    let has_type = |name: &str| {
        let mut names = leaf_types.iter().filter_map(|leaf| last_name(leaf.ty));
        names.any(|last_name| last_name == name)
    };
    if let Some(function) = &variant.attrs.schema_with {
        MemberSchema::OfFunction(function.value.clone())
    } else if has_type("JSON") {
        MemberSchema::AnyJson
    } else if has_type("RawExtension") || variant.attrs.preserve_unknown_fields.is_some() {
        MemberSchema::PreserveUnknownFields
    } else {
        MemberSchema::OfType
    }
}
