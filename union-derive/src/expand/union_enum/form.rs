//! The impl of `UnionEnum`: the constant that describes the enum, and the functions for a single
//! variant.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::target::{Target, name, number};
use crate::attr::{Enforcement, ExtensionShape};
use crate::expand::tokens::{impl_attributes, located, respan};
use crate::model::{EnumKind, UnionEnum, VariantKind};

/// Returns the tokens of the impl of `UnionEnum`. An example:
///
/// ```text
/// impl ::union_runtime::UnionEnum for Target {
///     const FORM: &'static EnumForm = &EnumForm { name: "Target", ..., ..EnumForm::EMPTY };
///     fn current_variant(&self) -> CurrentVariant<'_> {
///         match self {
///             Self::S3(_) => CurrentVariant::Variant(1, true),
///             Self::Other(raw) => CurrentVariant::Other(raw),
///             ...
///         }
///     }
///     fn read_variant(number: usize, member: &Value) -> Result<Self> {
///         Ok(match number { 0 => Self::None, ... })
///     }
///     fn from_raw(raw: RawUnion) -> Result<Self, RawUnion> { Ok(Self::Other(raw)) }
///     fn raw_mut(&mut self) -> Option<&mut RawUnion> { ... }
/// }
/// ```
pub(super) fn expand(target: &Target<'_>) -> TokenStream {
    let UnionEnum { ident, krate, .. } = target.input;
    let (impl_generics, ty_generics, where_clause) = target.generics.split_for_impl();
    let on_impl = impl_attributes();
    let form = form(target);
    let current_arms = current_variant(target);
    let read_arms = read_variant(target);
    let from_raw = from_raw(target);
    quote! {
        #on_impl
        impl #impl_generics #krate::UnionEnum for #ident #ty_generics #where_clause {
            const FORM: &'static #krate::__private::EnumForm = &#form;
            #[inline]
            fn current_variant(&self) -> #krate::__private::CurrentVariant<'_> {
                match self { #current_arms }
            }
            fn read_variant(
                __union_variant: ::core::primitive::usize,
                __union_member: &#krate::__private::serde_json::Value,
            ) -> #krate::__private::serde_json::Result<Self> {
                ::core::result::Result::Ok(match __union_variant { #read_arms })
            }
            #from_raw
        }
    }
}

/// Returns the tokens of `EnumForm { name: "Target", fields: &["type", "s3"], ..EnumForm::EMPTY }`.
fn form(target: &Target<'_>) -> TokenStream {
    let input = target.input;
    let krate = &input.krate;
    let name = name(input);
    let fields = target.members().map(|member| member.field);
    let fields = target.discriminator().into_iter().chain(fields);
    let members = target.members().map(|member| {
        let (field, value, optional) = (member.field, member.value, member.is_option);
        // The checks ensure that the number of a member is below 64.
        let number = Literal::usize_unsuffixed(member.number);
        quote!(#krate::MemberSpec::new(#field, #value, #number, #optional))
    });
    let discriminator = match &input.kind {
        EnumKind::Discriminated { name: field, .. } => {
            let named = target.variants.iter().map(|variant| variant.variant);
            let named = named.filter(|variant| !matches!(variant.kind, VariantKind::Absent));
            let (values, docs): (Vec<&str>, Vec<&str>) = named
                .map(|variant| (&*variant.value, &*variant.doc))
                .unzip();
            let field = quote!(::core::option::Option::Some(#field));
            quote!(discriminator: #field, values: &[#(#values),*], docs: &[#(#docs),*],)
        }
        EnumKind::Undiscriminated => TokenStream::new(),
    };
    let others = optional_fields(target);
    quote! {
        #krate::__private::EnumForm {
            name: #name,
            fields: &[#(#fields),*],
            #discriminator
            members: &[#(#members),*],
            #others
            ..#krate::__private::EnumForm::EMPTY
        }
    }
}

/// Returns the tokens of the fields of `EnumForm` that few enums need. A field with the default
/// value is omitted.
fn optional_fields(target: &Target<'_>) -> TokenStream {
    let input = target.input;
    let krate = &input.krate;
    let has_empty_variant = target.variants.iter().any(|variant| {
        let kind = &variant.variant.kind;
        let is_none = matches!(kind, VariantKind::Absent);
        is_none || target.discriminator().is_none() && matches!(kind, VariantKind::Unit)
    });
    let has_empty_variant = has_empty_variant.then(|| quote!(has_empty_variant: true,));
    let default = input.default.and_then(|at| target.variants.get(at));
    let default = default.map(|variant| {
        let number = number(variant.number);
        quote!(default: ::core::option::Option::Some(#number),)
    });
    let strict = input.other.is_none().then(|| quote!(is_strict: true,));
    let shape = match input.shape {
        ExtensionShape::V2022 => None,
        ExtensionShape::V2019 => Some(quote!(shape: #krate::ExtensionShape::V2019,)),
        ExtensionShape::Both => Some(quote!(shape: #krate::ExtensionShape::Both,)),
    };
    let enforce = match input.enforce {
        Enforcement::Cel => None,
        Enforcement::CelSameReason => {
            Some(quote!(enforcement: #krate::Enforcement::CelSameReason,))
        }
        Enforcement::OneOf => Some(quote!(enforcement: #krate::Enforcement::OneOf,)),
        Enforcement::None => Some(quote!(enforcement: #krate::Enforcement::None,)),
    };
    quote!(#has_empty_variant #default #strict #shape #enforce)
}

/// Returns the tokens of the match arm `Self::S3(_) => CurrentVariant::Variant(1, true),` for each
/// variant.
fn current_variant(target: &Target<'_>) -> TokenStream {
    let krate = &target.input.krate;
    let variants = target.variants.iter().map(|variant| {
        let ident = variant.variant.ident;
        let number = number(variant.number);
        let constructor = quote!(#krate::__private::CurrentVariant::Variant);
        match variant.member() {
            None => quote!(Self::#ident => #constructor(#number, false),),
            Some(member) if member.is_option => {
                quote!(Self::#ident(__union_member) => #constructor(#number, ::core::option::Option::is_some(__union_member)),)
            }
            Some(_) => quote!(Self::#ident(_) => #constructor(#number, true),),
        }
    });
    let other = target.input.other.map(
        |other| quote!(Self::#other(__union_raw) => #krate::__private::CurrentVariant::Other(__union_raw),),
    );
    quote!(#(#variants)* #other)
}

/// Returns the tokens of the match arm
/// `1 => Self::S3(<S3 as EnumMember>::from_json(__union_member)?),` for each variant. The pattern
/// of the last arm is `_`.
fn read_variant(target: &Target<'_>) -> TokenStream {
    let krate = &target.input.krate;
    let last = target.variants.len().saturating_sub(1);
    let variants = target.variants.iter().enumerate().map(|(i, variant)| {
        let ident = variant.variant.ident;
        let number = number(variant.number);
        let pattern = if i == last {
            quote!(_)
        } else {
            quote!(#number)
        };
        match variant.member() {
            None => quote!(#pattern => Self::#ident,),
            Some(member) => {
                let ty = member.ty;
                let span = ty.span();
                let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
                let read = if member.is_option {
                    quote_spanned!(located(span)=> #as_member::optional_from_json(__union_member))
                } else {
                    quote_spanned!(located(span)=> #as_member::from_json(__union_member))
                };
                quote!(#pattern => Self::#ident(#read?),)
            }
        }
    });
    quote!(#(#variants)*)
}

fn from_raw(target: &Target<'_>) -> Option<TokenStream> {
    let krate = &target.input.krate;
    let other = target.input.other?;
    Some(quote! {
        fn from_raw(__union_raw: #krate::RawUnion) -> ::core::result::Result<Self, #krate::RawUnion> {
            ::core::result::Result::Ok(Self::#other(__union_raw))
        }
        fn raw_mut(&mut self) -> ::core::option::Option<&mut #krate::RawUnion> {
            match self {
                Self::#other(__union_raw) => ::core::option::Option::Some(__union_raw),
                _ => ::core::option::Option::None,
            }
        }
    })
}
