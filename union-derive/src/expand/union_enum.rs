//! The tokens of a union that is a Rust enum: it is read and written by the runtime, which asks here for one variant.

mod children;
mod form;
mod schema;
mod serde;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Generics, Ident, Type, WherePredicate};

use super::values::open_checks;
use super::{on_impl, respan};
use crate::model::{Descend, EnumKind, EnumVariant, UnionEnum, VariantKind, depends_on_parameters};

/// All that `#[derive(UnionEnum)]` emits.
pub(crate) fn union_enum(input: &UnionEnum<'_>) -> TokenStream {
    let target = Target::of(input);
    let form = form::expand(&target);
    let serde = serde::expand(&target);
    let union = union(&target);
    let schema = schema::expand(&target);
    let open = target
        .members()
        .filter_map(|member| Some((member.open?, member.ty)));
    let open_checks = open_checks(open, &input.krate);
    quote!(#form #serde #union #open_checks #schema)
}

/// What the impls of one enum share.
struct Target<'a> {
    input: &'a UnionEnum<'a>,
    variants: Vec<Variant<'a>>,
    /// The enum's, and what is asked of its members.
    generics: Generics,
}

/// A variant, and its number: see `EnumForm` of the runtime.
struct Variant<'a> {
    variant: &'a EnumVariant<'a>,
    number: usize,
}

impl<'a> Target<'a> {
    fn of(input: &'a UnionEnum<'a>) -> Self {
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

    /// What is asked of members whose type depends on a parameter, as it is of others by what is done with them.
    fn bounds(&self) -> impl Iterator<Item = WherePredicate> {
        let krate = &self.input.krate;
        let serde = quote!(#krate::__private::serde);
        let generic = self.members().filter(|member| {
            !member.names_self && depends_on_parameters(member.ty, self.input.generics)
        });
        generic.map(move |member| {
            let ty = member.ty;
            let nested = member.descend == Descend::Unions;
            let nested = nested.then(|| quote!(+ #krate::Nested));
            syn::parse_quote!(#ty: #serde::Serialize + #serde::de::DeserializeOwned #nested)
        })
    }

    fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.variants.iter().filter_map(Variant::member)
    }

    /// The field that says which variant it is, if there is one.
    fn discriminator(&self) -> Option<&str> {
        match &self.input.kind {
            EnumKind::Discriminated { name, .. } => Some(name),
            EnumKind::Undiscriminated => None,
        }
    }
}

/// A variant with a member.
struct Member<'a> {
    ident: &'a Ident,
    number: usize,
    value: &'a str,
    doc: &'a str,
    field: &'a str,
    ty: &'a Type,
    is_option: bool,
    descend: Descend,
    open: Option<Span>,
    names_self: bool,
}

impl Variant<'_> {
    fn member(&self) -> Option<Member<'_>> {
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
    /// The type as it stands in the variant.
    fn whole_type(&self) -> TokenStream {
        let ty = self.ty;
        let ty = if self.is_option {
            quote!(::core::option::Option<#ty>)
        } else {
            ty.to_token_stream()
        };
        respan(ty, self.ty.span())
    }
}

/// The enum's name in texts.
fn name(input: &UnionEnum<'_>) -> String {
    input.ident.unraw().to_string()
}

fn number(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}

/// ```text
/// impl ::union_runtime::Union for Target {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] { enum_unions::<Self>() }
///     fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> { enum_state(self, __union) }
///     ...
/// }
/// ```
fn union(target: &Target<'_>) -> TokenStream {
    let UnionEnum {
        ident,
        krate,
        other,
        ..
    } = target.input;
    let (impl_generics, ty_generics, where_clause) = target.generics.split_for_impl();
    let on_impl = on_impl();
    let descend = children::expand(target);
    let values = children::values(target);
    let of_other = other.map(|_| {
        quote! {
            fn unknown_members(&mut self) -> ::core::option::Option<&mut dyn #krate::UnknownMembers> {
                #krate::__private::enum_unknown(self)
            }
            fn reread(&mut self) {
                #krate::__private::enum_reread(self)
            }
        }
    });
    quote! {
        #on_impl
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            const AS_ENUM: ::core::option::Option<&'static #krate::__private::EnumForm> =
                ::core::option::Option::Some(<Self as #krate::UnionEnum>::FORM);
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec<'static>] {
                #krate::__private::enum_unions::<Self>()
            }
            #[inline]
            fn union_state(&self, __union: ::core::primitive::usize) -> ::core::option::Option<#krate::State<'_>> {
                #krate::__private::enum_state(self, __union)
            }
            fn reset_member(
                &mut self,
                __union_old: ::core::option::Option<&Self>,
                __union: ::core::primitive::usize,
                __union_member: ::core::primitive::usize,
            ) -> ::core::primitive::bool {
                #krate::__private::enum_reset(self, __union_old, __union, __union_member)
            }
            #of_other
            #descend
            #values
        }
    }
}
