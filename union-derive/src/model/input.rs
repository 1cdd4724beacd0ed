//! The input of a derive, before it is checked.

use proc_macro2::Ident;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Type};

use super::leaf_types::{LeafType, leaf_types};
use crate::attr::schemars::SchemarsAttrs;
use crate::attr::{EnumAttrs, FieldAttrs, StructAttrs, VariantAttrs};
use crate::errors::Errors;
use crate::name::{SerdeContainer, SerdeField, SerdeVariant};

/// The URL of the documentation, to which error messages link.
const PAGES: &str = "https://docs.rs/union-runtime/latest/union_runtime";

/// A struct with `#[derive(Union)]`, before it is checked.
pub(crate) struct UnionInput<'a> {
    pub(crate) container: Container<'a>,
    pub(crate) attrs: StructAttrs,
    pub(crate) fields: Vec<FieldInput<'a>>,
    /// True if all attributes could be read. If false, a missing attribute may be an attribute with
    /// an error.
    pub(crate) is_complete: bool,
}

/// The parts that the inputs of `Union` and `EnumType` share.
pub(crate) struct Container<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    /// The value of `crate = path`.
    pub(crate) krate: Option<syn::Path>,
    /// The value of `schema = false`.
    pub(crate) schema: Option<syn::LitBool>,
    pub(crate) syn_attrs: &'a [Attribute],
    /// True if all attributes of the type could be read, apart from its fields and variants.
    pub(crate) is_complete: bool,
    pub(crate) schemars: SchemarsAttrs,
    pub(crate) serde: SerdeContainer,
}

/// A field, before it is checked.
pub(crate) struct FieldInput<'a> {
    pub(crate) syn_attrs: &'a [Attribute],
    /// True if all attributes of the field could be read.
    pub(crate) is_complete: bool,
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    /// The types of the values in the field.
    pub(crate) leaf_types: Vec<LeafType<'a>>,
    pub(crate) attrs: FieldAttrs,
    pub(crate) schemars: SchemarsAttrs,
    pub(crate) serde: SerdeField,
}

/// An enum with `#[derive(EnumType)]`, before it is checked.
pub(crate) struct EnumInput<'a> {
    pub(crate) container: Container<'a>,
    pub(crate) variants: Vec<VariantInput<'a>>,
}

/// A variant, before it is checked.
pub(crate) struct VariantInput<'a> {
    pub(crate) syn: &'a syn::Variant,
    pub(crate) attrs: VariantAttrs,
    /// True if all attributes of the variant could be read.
    pub(crate) is_complete: bool,
    pub(crate) schemars: SchemarsAttrs,
    pub(crate) serde: SerdeVariant,
}

impl<'a> UnionInput<'a> {
    /// Reads the input. Returns `None` after an error that makes all checks impossible.
    pub(crate) fn from_syn(input: &'a DeriveInput, errors: &Errors) -> Option<Self> {
        let fields = named_fields(input, errors)?;
        let count_before = errors.count();
        let attrs = StructAttrs::from_syn(&input.attrs, errors);
        let (krate, schema) = (attrs.krate.clone(), attrs.schema.clone());
        let is_complete = errors.count() == count_before;
        let mut container = Container::from_syn(input, krate, schema, is_complete, errors)?;
        let serde_fields = std::mem::take(&mut container.serde.fields);
        let fields = fields
            .iter()
            .zip(serde_fields)
            .filter_map(|(field, serde)| {
                let count_before = errors.count();
                let attrs = FieldAttrs::from_syn(&field.attrs, errors);
                Some(FieldInput {
                    syn_attrs: &field.attrs,
                    is_complete: errors.count() == count_before,
                    ident: field.ident.as_ref()?,
                    ty: &field.ty,
                    leaf_types: leaf_types(&field.ty),
                    attrs,
                    schemars: SchemarsAttrs::from_syn(&field.attrs),
                    serde,
                })
            })
            .collect();
        Some(Self {
            container,
            attrs,
            fields,
            is_complete: errors.count() == count_before,
        })
    }
}

impl<'a> EnumInput<'a> {
    /// Reads the input. Returns `None` after an error that makes all checks impossible.
    pub(crate) fn from_syn(input: &'a DeriveInput, errors: &Errors) -> Option<Self> {
        let Data::Enum(data) = &input.data else {
            errors.error(
                input.ident.span(),
                "`#[derive(EnumType)]` must be on an enum of unit variants; for a struct with a union use `#[derive(Union)]` (https://docs.rs/union-runtime/latest/union_runtime/derive.EnumType.html)",
            );
            return None;
        };
        let count_before = errors.count();
        let EnumAttrs { krate, schema } = EnumAttrs::from_syn(&input.attrs, errors);
        let is_complete = errors.count() == count_before;
        let mut container = Container::from_syn(input, krate, schema, is_complete, errors)?;
        let serde_variants = std::mem::take(&mut container.serde.variants);
        let variants = data
            .variants
            .iter()
            .zip(serde_variants)
            .map(|(variant, serde)| {
                let count_before = errors.count();
                VariantInput {
                    syn: variant,
                    attrs: VariantAttrs::from_syn(&variant.attrs, errors),
                    is_complete: errors.count() == count_before,
                    schemars: SchemarsAttrs::from_syn(&variant.attrs),
                    serde,
                }
            })
            .collect();
        Some(Self {
            container,
            variants,
        })
    }
}

impl<'a> Container<'a> {
    fn from_syn(
        input: &'a DeriveInput,
        krate: Option<syn::Path>,
        schema: Option<syn::LitBool>,
        is_complete: bool,
        errors: &Errors,
    ) -> Option<Self> {
        Some(Self {
            is_complete,
            ident: &input.ident,
            generics: &input.generics,
            krate,
            schema,
            syn_attrs: &input.attrs,
            schemars: SchemarsAttrs::from_syn(&input.attrs),
            serde: SerdeContainer::from_syn(input, errors)?,
        })
    }
}

/// Returns the fields of a struct with named fields. Reports other types.
fn named_fields<'a>(
    input: &'a DeriveInput,
    errors: &Errors,
) -> Option<&'a syn::punctuated::Punctuated<syn::Field, syn::Token![,]>> {
    let ident = &input.ident;
    let remedy = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(&fields.named),
            Fields::Unnamed(_) => "name the fields of this tuple struct".to_owned(),
            Fields::Unit => "add a discriminator and members to this unit struct".to_owned(),
        },
        Data::Enum(data) if data.variants.iter().all(is_enum_type_variant) => format!(
            "derive `EnumType` on this enum, and `Union` on a struct with `#[union(discriminator)] r#type: {ident}` and an `Option` for each value with data ({PAGES}/migration)"
        ),
        Data::Enum(_) => format!(
            "for an enum, write `#[derive(UnionEnum)] #[union(discriminator = \"type\")] enum {ident}`, without `Serialize`, `Deserialize` and `JsonSchema`, and a last variant `#[union(other)] Other(union_runtime::RawUnion)` ({PAGES}/derive.UnionEnum.html)"
        ),
        Data::Union(_) => "a Rust `union` is not supported".to_owned(),
    };
    let page = if matches!(input.data, Data::Enum(_)) {
        String::new()
    } else {
        format!(" ({PAGES}/derive.Union.html)")
    };
    errors.error(
        ident.span(),
        format_args!("`#[derive(Union)]` needs a struct with named fields; {remedy}{page}"),
    );
    None
}

/// Returns true for a variant that an enum type may have: a unit variant, or a variant with
/// `#[enum_type(other)]`, which keeps unknown strings.
fn is_enum_type_variant(variant: &syn::Variant) -> bool {
    matches!(variant.fields, Fields::Unit)
        || variant
            .attrs
            .iter()
            .any(|attr| attr.path().is_ident("enum_type"))
}
