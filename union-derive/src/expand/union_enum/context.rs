//! The input of the generators: the enum with numbered variants, and its members with their types.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Generics, Ident, Type, WherePredicate};

use crate::expand::tokens::respan;
use crate::model::{
    EnumKind, EnumVariant, LeafType, MemberSchema, NotNestedField, UnionEnum, VariantKind,
    WalkTarget, depends_on_parameters,
};

/// The enum, and the data that the generators of several impls need.
pub(super) struct EnumContext<'a> {
    pub(super) input: &'a UnionEnum<'a>,
    pub(super) variants: Vec<NumberedVariant<'a>>,
    /// The parameters of the enum, with the trait bounds on the types of the members.
    pub(super) generics: Generics,
}

/// A variant and its number. `EnumForm` of the runtime defines which variants have a number. For
/// the other variants, `number` is the count of numbered variants.
pub(super) struct NumberedVariant<'a> {
    pub(super) checked: &'a EnumVariant<'a>,
    pub(super) number: usize,
}

impl<'a> EnumContext<'a> {
    pub(super) fn new(input: &'a UnionEnum<'a>) -> Self {
        let is_numbered = |variant: &EnumVariant<'_>| match input.kind {
            EnumKind::Discriminated { .. } => !matches!(variant.kind, VariantKind::Absent),
            EnumKind::Undiscriminated => matches!(variant.kind, VariantKind::Member { .. }),
        };
        let numbered = input.variants.iter().filter(|variant| is_numbered(variant));
        let numbered_count = numbered.count();
        let mut next_number = 0;
        let variants = input.variants.iter().map(|variant| {
            let number = if is_numbered(variant) {
                next_number
            } else {
                numbered_count
            };
            next_number += usize::from(is_numbered(variant));
            NumberedVariant {
                checked: variant,
                number,
            }
        });
        let mut context = Self {
            input,
            variants: variants.collect(),
            generics: input.generics.clone(),
        };
        let bounds: Vec<WherePredicate> = context.member_bounds().collect();
        if !bounds.is_empty() {
            let clause = context.generics.make_where_clause();
            clause.predicates.extend(bounds);
        }
        context
    }

    /// Returns the trait bounds on the member types that depend on a parameter.
    fn member_bounds(&self) -> impl Iterator<Item = WherePredicate> {
        let krate = &self.input.krate;
        let serde = quote!(#krate::__private::serde);
        let generic_members = self.members().filter(|member| {
            !member.mentions_enum && depends_on_parameters(member.ty, self.input.generics)
        });
        generic_members.map(move |member| {
            let ty = member.ty;
            let is_nested = member.walk_target == WalkTarget::Unions;
            let nested_bound = is_nested.then(|| quote!(+ #krate::Nested));
            syn::parse_quote!(#ty: #serde::Serialize + #serde::de::DeserializeOwned #nested_bound)
        })
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.variants.iter().filter_map(NumberedVariant::member)
    }

    /// Returns the JSON name of the discriminator, if the enum has a discriminator.
    pub(super) fn discriminator(&self) -> Option<&str> {
        match &self.input.kind {
            EnumKind::Discriminated { name, .. } => Some(name),
            EnumKind::Undiscriminated => None,
        }
    }
}

/// A variant with a member.
pub(super) struct Member<'a> {
    pub(super) ident: &'a Ident,
    pub(super) number: usize,
    pub(super) value: &'a str,
    pub(super) doc: &'a str,
    pub(super) json_name: &'a str,
    pub(super) ty: &'a Type,
    pub(super) is_option: bool,
    pub(super) walk_target: WalkTarget,
    pub(super) unmarked_types: &'a [LeafType<'a>],
    pub(super) not_nested: Option<&'a NotNestedField<'a>>,
    pub(super) open_span: Option<Span>,
    pub(super) schema: &'a MemberSchema,
    pub(super) mentions_enum: bool,
}

impl NumberedVariant<'_> {
    pub(super) fn member(&self) -> Option<Member<'_>> {
        let VariantKind::Member {
            json_name,
            ty,
            is_option,
            walk_target,
            unmarked_types,
            not_nested,
            open_span,
            schema,
            mentions_enum,
        } = &self.checked.kind
        else {
            return None;
        };
        Some(Member {
            ident: self.checked.ident,
            number: self.number,
            value: &self.checked.value,
            doc: &self.checked.doc,
            json_name,
            ty,
            is_option: *is_option,
            walk_target: *walk_target,
            unmarked_types,
            not_nested: not_nested.as_ref(),
            open_span: *open_span,
            schema,
            mentions_enum: *mentions_enum,
        })
    }
}

impl Member<'_> {
    /// Returns the tokens of the type in the variant, with the `Option` of an optional member.
    pub(super) fn variant_type(&self) -> TokenStream {
        let ty = self.ty;
        let ty = if self.is_option {
            quote!(::core::option::Option<#ty>)
        } else {
            ty.to_token_stream()
        };
        respan(ty, self.ty.span())
    }
}

/// Returns the name of the enum for messages and schemas, without `r#`.
pub(super) fn enum_name(input: &UnionEnum<'_>) -> String {
    input.ident.unraw().to_string()
}

pub(super) fn number_literal(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
