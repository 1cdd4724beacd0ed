//! Reads the serde attributes with serde's own parser, `serde_derive_internals`.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Ident, Span};
use serde_derive_internals::attr::{self, TagType};
use serde_derive_internals::name::{MultiName, Name};
use serde_derive_internals::{Ctxt, Derive, ast};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::fast_path;
use super::serde_attrs::{
    JsonNames, SerdeContainer, SerdeDefault, SerdeDirection, SerdeField, SerdeVariant,
};
use crate::errors::Errors;

impl SerdeContainer {
    /// Reads the serde attributes. Returns `None` if they are invalid, after reporting the same
    /// errors as serde's derive.
    pub(crate) fn from_syn(input: &DeriveInput, errors: &Errors) -> Option<Self> {
        fast_path::read_plain_struct(input).or_else(|| Self::from_serde(input, errors))
    }

    /// Reads the attributes with serde's own parser, even for plain structs.
    pub(super) fn from_serde(input: &DeriveInput, errors: &Errors) -> Option<Self> {
        let cx = Ctxt::new();
        // serde uses this name only in tokens for types that borrow, and this derive never emits
        // these tokens.
        let private = Ident::new("__private", Span::call_site());
        // The parser panics on names that `rename_all` cannot convert, such as `__`. serde's derive
        // panics too, but this derive must not.
        let read = AssertUnwindSafe(|| {
            ast::Container::from_ast(&cx, input, Derive::Serialize, &private)
                .map(|container| Self::new(&container))
        });
        let Ok(container) = catch_unwind(read) else {
            // `Ctxt` panics if it is dropped before its errors are read.
            let _ = cx.check();
            errors.error(
                input.ident.span(),
                "serde's `rename_all` cannot convert the name of a field or variant here; use only ASCII letters in names",
            );
            return None;
        };
        if let Err(error) = cx.check() {
            errors.add(error);
            return None;
        }
        container
    }

    fn new(container: &ast::Container<'_>) -> Self {
        let attrs = &container.attrs;
        let (fields, variants) = match &container.data {
            ast::Data::Struct(_, fields) => (fields.iter().map(serde_field).collect(), Vec::new()),
            ast::Data::Enum(variants) => (Vec::new(), variants.iter().map(serde_variant).collect()),
        };
        Self {
            conversion: conversion_attribute(attrs),
            default: serde_default(attrs.default()),
            is_tagged: !matches!(attrs.tag(), TagType::External),
            tag: match attrs.tag() {
                TagType::Internal { tag } => Some(tag.clone()),
                _ => None,
            },
            denies_unknown: attrs.deny_unknown_fields(),
            fields,
            variants,
        }
    }
}

/// Returns the name of the attribute with which serde writes or reads another type instead of the
/// container.
fn conversion_attribute(attrs: &attr::Container) -> Option<&'static str> {
    if attrs.transparent() {
        Some("transparent")
    } else if attrs.type_from().is_some() {
        Some("from")
    } else if attrs.type_try_from().is_some() {
        Some("try_from")
    } else if attrs.type_into().is_some() {
        Some("into")
    } else if attrs.remote().is_some() {
        Some("remote")
    } else {
        None
    }
}

fn serde_field(field: &ast::Field<'_>) -> SerdeField {
    let attrs = &field.attrs;
    SerdeField {
        names: JsonNames::new(attrs.name(), attrs.aliases()),
        is_flattened: attrs.flatten(),
        direction: match (attrs.skip_deserializing(), attrs.skip_serializing()) {
            (false, false) => SerdeDirection::Both,
            (false, true) => SerdeDirection::DeserializeOnly,
            (true, false) => SerdeDirection::SerializeOnly,
            (true, true) => SerdeDirection::Neither,
        },
        skip_if: attrs
            .skip_serializing_if()
            .and_then(|path| path.path.segments.last())
            .map(|segment| segment.ident.clone()),
        serialize_with: attrs.serialize_with().map(Spanned::span),
        deserialize_with: attrs.deserialize_with().map(Spanned::span),
        default: serde_default(attrs.default()),
    }
}

fn serde_variant(variant: &ast::Variant<'_>) -> SerdeVariant {
    let attrs = &variant.attrs;
    SerdeVariant {
        names: JsonNames::new(attrs.name(), attrs.aliases()),
        is_skipped: attrs.skip_serializing() || attrs.skip_deserializing(),
        is_untagged: attrs.untagged(),
        is_other: attrs.other(),
        conversion_span: attrs
            .serialize_with()
            .or(attrs.deserialize_with())
            .map(Spanned::span)
            .or_else(|| {
                let mut fields = variant.fields.iter();
                fields.find_map(|field| serde_field(field).conversion_span())
            }),
    }
}

impl SerdeField {
    /// Returns the span of the function that serializes or deserializes the field instead of its
    /// type.
    pub(crate) fn conversion_span(&self) -> Option<Span> {
        self.serialize_with.or(self.deserialize_with)
    }

    /// Returns true if the field has `skip`, `skip_serializing` or `skip_deserializing`.
    pub(crate) fn is_skipped(&self) -> bool {
        self.direction != SerdeDirection::Both
    }
}

impl JsonNames {
    fn new(name: &MultiName, aliases: &BTreeSet<Name>) -> Self {
        let deserialize = &name.deserialize_name().value;
        let serialize = &name.serialize_name().value;
        Self {
            deserialize: deserialize.clone(),
            serialize: (deserialize != serialize).then(|| serialize.clone()),
            aliases: aliases
                .iter()
                // serde lists the name itself as an alias.
                .filter(|alias| alias.value != *deserialize)
                .map(|alias| alias.value.clone())
                .collect(),
        }
    }

    pub(crate) fn has_alias(&self) -> bool {
        !self.aliases.is_empty()
    }

    /// Returns all names that serde reads or writes for the field or variant.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        let deserialize = std::iter::once(&self.deserialize);
        deserialize.chain(&self.serialize).chain(&self.aliases)
    }
}

fn serde_default(default: &attr::Default) -> SerdeDefault {
    match default {
        attr::Default::None => SerdeDefault::None,
        attr::Default::Default => SerdeDefault::Default,
        attr::Default::Path(path) => SerdeDefault::Path(path.clone()),
    }
}
