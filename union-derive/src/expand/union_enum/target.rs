//! The input of the generators: the enum with numbered variants, and its members with their types.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Generics, Ident, Type, WherePredicate};

use crate::expand::tokens::respan;
use crate::model::{
    EnumKind, EnumVariant, UnionEnum, VariantKind, WalkTarget, depends_on_parameters,
};

/// The enum, and the data that several of its impls need.
pub(super) struct Target<'a> {
    pub(super) input: &'a UnionEnum<'a>,
    pub(super) variants: Vec<Variant<'a>>,
    /// The parameters of the enum, with the trait bounds on the types of the members.
    pub(super) generics: Generics,
}

/// A variant and its number. `EnumForm` of the runtime defines the numbers.
pub(super) struct Variant<'a> {
    pub(super) variant: &'a EnumVariant<'a>,
    pub(super) number: usize,
}

impl<'a> Target<'a> {
    pub(super) fn new(input: &'a UnionEnum<'a>) -> Self {
        let is_numbered = |variant: &EnumVariant<'_>| match input.kind {
            EnumKind::Discriminated { .. } => !matches!(variant.kind, VariantKind::Absent),
            EnumKind::Undiscriminated => matches!(variant.kind, VariantKind::Member { .. }),
        };
        let count = input.variants.iter().filter(|variant| is_numbered(variant));
        let count = count.count();
        let mut next = 0;
        let variants = input.variants.iter().map(|variant| {
            let number = if is_numbered(variant) { next } else { count };
            next += usize::from(is_numbered(variant));
            Variant { variant, number }
        });
        let mut target = Self {
            input,
            variants: variants.collect(),
            generics: input.generics.clone(),
        };
        let bounds: Vec<WherePredicate> = target.bounds().collect();
        if !bounds.is_empty() {
            let clause = target.generics.make_where_clause();
            clause.predicates.extend(bounds);
        }
        target
    }

    /// Returns the trait bounds on the types of members that depend on a parameter.
    fn bounds(&self) -> impl Iterator<Item = WherePredicate> {
        let krate = &self.input.krate;
        let serde = quote!(#krate::__private::serde);
        let generic = self.members().filter(|member| {
            !member.names_self && depends_on_parameters(member.ty, self.input.generics)
        });
        generic.map(move |member| {
            let ty = member.ty;
            let nested = member.descend == WalkTarget::Unions;
            let nested = nested.then(|| quote!(+ #krate::Nested));
            syn::parse_quote!(#ty: #serde::Serialize + #serde::de::DeserializeOwned #nested)
        })
    }

    pub(super) fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.variants.iter().filter_map(Variant::member)
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
    pub(super) field: &'a str,
    pub(super) ty: &'a Type,
    pub(super) is_option: bool,
    pub(super) descend: WalkTarget,
    pub(super) open: Option<Span>,
    pub(super) names_self: bool,
}

impl Variant<'_> {
    pub(super) fn member(&self) -> Option<Member<'_>> {
        let VariantKind::Member {
            field,
            ty,
            is_option,
            descend,
            open,
            names_self,
        } = &self.variant.kind
        else {
            return None;
        };
        Some(Member {
            ident: self.variant.ident,
            number: self.number,
            value: &self.variant.value,
            doc: &self.variant.doc,
            field,
            ty,
            is_option: *is_option,
            descend: *descend,
            open: *open,
            names_self: *names_self,
        })
    }
}

impl Member<'_> {
    /// Returns the tokens of the type in the variant, with the `Option` of an optional member.
    pub(super) fn whole_type(&self) -> TokenStream {
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
pub(super) fn name(input: &UnionEnum<'_>) -> String {
    input.ident.unraw().to_string()
}

pub(super) fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
