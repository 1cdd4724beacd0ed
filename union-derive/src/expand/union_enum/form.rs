//! The impl of `UnionEnum`: the constant that describes the enum, and the functions for a single
//! variant.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::context::{EnumContext, enum_name, number_literal};
use crate::attr::{Enforcement, ExtensionShape, FlattenedFields};
use crate::expand::tokens::{call_site_at, impl_attributes, respan};
use crate::model::{EnumKind, UnionEnum, VariantKind};

/// Returns the tokens of the impl of `UnionEnum`. An example:
///
/// ```text
/// impl ::union_runtime::UnionEnum for Target {
///     const FORM: &'static EnumForm = &EnumForm { name: "Target", ..., ..EnumForm::EMPTY };
///     fn current_variant(&self) -> CurrentVariant<'_> {
///         let (variant, is_set) = match self {
///             Self::S3(_) => (1, true),
///             Self::Other(raw) => return CurrentVariant::Other(raw),
///             ...
///         };
///         CurrentVariant::Variant(variant, is_set)
///     }
///     fn read_variant(number: usize, member: FieldValue<'_>) -> Result<Self> {
///         match number { 0 => Ok(Self::None), 1 => ..., ... }
///     }
///     fn from_raw(raw: RawUnion) -> Result<Self, RawUnion> { Ok(Self::Other(raw)) }
///     fn raw_mut(&mut self) -> Option<&mut RawUnion> { ... }
/// }
/// ```
pub(super) fn expand(context: &EnumContext<'_>) -> TokenStream {
    let UnionEnum { ident, krate, .. } = context.input;
    let (impl_generics, ty_generics, where_clause) = context.generics.split_for_impl();
    let attributes = impl_attributes();
    let form = enum_form(context);
    let current_arms = current_variant_arms(context);
    let read_arms = read_variant_arms(context);
    let raw_union_methods = raw_union_methods(context);
    quote! {
        #attributes
        impl #impl_generics #krate::UnionEnum for #ident #ty_generics #where_clause {
            const FORM: &'static #krate::__private::EnumForm = &#form;
            #[inline]
            fn current_variant(&self) -> #krate::__private::CurrentVariant<'_> {
                let (__union_variant, __union_is_set) = match self { #current_arms };
                #krate::__private::CurrentVariant::Variant(__union_variant, __union_is_set)
            }
            fn read_variant(
                __union_variant: ::core::primitive::usize,
                __union_member: #krate::__private::FieldValue<'_>,
            ) -> #krate::__private::serde_json::Result<Self> {
                match __union_variant { #read_arms }
            }
            #raw_union_methods
        }
    }
}

/// Returns the tokens of `EnumForm { name: "Target", fields: &["type", "s3"], ..EnumForm::EMPTY }`.
fn enum_form(context: &EnumContext<'_>) -> TokenStream {
    let input = context.input;
    let krate = &input.krate;
    let name = enum_name(input);
    let member_names = context.members().map(|member| member.json_name);
    let fields = context.discriminator().into_iter().chain(member_names);
    let members = context.members().map(|member| {
        let (name, value, optional) = (member.json_name, member.value, member.is_option);
        // The checks ensure that the number of a member is below 64.
        let number = Literal::usize_unsuffixed(member.number);
        quote!(#krate::MemberSpec::new(#name, #value, #number, #optional))
    });
    let discriminator = match &input.kind {
        EnumKind::Discriminated { name: field } => {
            let variants = context.variants.iter().map(|variant| variant.checked);
            let valued_variants =
                variants.filter(|variant| !matches!(variant.kind, VariantKind::Absent));
            let (values, docs): (Vec<&str>, Vec<&str>) = valued_variants
                .map(|variant| (&*variant.value, &*variant.doc))
                .unzip();
            let field = quote!(::core::option::Option::Some(#field));
            quote!(discriminator: #field, values: &[#(#values),*], docs: &[#(#docs),*],)
        }
        EnumKind::Undiscriminated => TokenStream::new(),
    };
    let optional_fields = optional_form_fields(context);
    quote! {
        #krate::__private::EnumForm {
            name: #name,
            fields: &[#(#fields),*],
            #discriminator
            members: &[#(#members),*],
            #optional_fields
            ..#krate::__private::EnumForm::EMPTY
        }
    }
}

/// Returns the tokens of the fields of `EnumForm` that few enums need. A field with the default
/// value is omitted.
fn optional_form_fields(context: &EnumContext<'_>) -> TokenStream {
    let input = context.input;
    let krate = &input.krate;
    let has_empty_variant = context.variants.iter().any(|variant| {
        let kind = &variant.checked.kind;
        let is_absent = matches!(kind, VariantKind::Absent);
        is_absent || context.discriminator().is_none() && matches!(kind, VariantKind::Unit)
    });
    let has_empty_variant = has_empty_variant.then(|| quote!(has_empty_variant: true,));
    let default_variant = input
        .default_index
        .and_then(|index| context.variants.get(index));
    let default = default_variant.map(|variant| {
        let number = number_literal(variant.number);
        quote!(default: ::core::option::Option::Some(#number),)
    });
    let strict = input
        .other_variant
        .is_none()
        .then(|| quote!(is_strict: true,));
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
    let flattened = input.flattened.map(|fields| match fields {
        FlattenedFields::Own => quote!(flattened: #krate::__private::FlattenedFields::Own,),
        FlattenedFields::All => quote!(flattened: #krate::__private::FlattenedFields::All,),
    });
    let external = input.reads_external.then(|| {
        let names = context.variants.iter().flat_map(|variant| {
            let names = variant.checked.external_names.iter().enumerate();
            names.map(|(index, name)| (index, name, variant.number))
        });
        let mut names: Vec<(usize, &String, usize)> = names.collect();
        // The first name of each variant takes precedence over the other names.
        names.sort_by_key(|(index, ..)| *index);
        let names = names.into_iter().map(|(_, name, number)| {
            let number = number_literal(number);
            quote!((#name, #number))
        });
        quote!(external: &[#(#names),*],)
    });
    quote!(#external #has_empty_variant #default #strict #shape #enforce #flattened)
}

/// Returns the tokens of the match arm `Self::S3(_) => (1, true),` for each variant. rustc compiles
/// a tuple faster than a call of `CurrentVariant::Variant`.
fn current_variant_arms(context: &EnumContext<'_>) -> TokenStream {
    let krate = &context.input.krate;
    let variants = context.variants.iter().map(|variant| {
        let ident = variant.checked.ident;
        let number = number_literal(variant.number);
        match variant.member() {
            None => quote!(Self::#ident => (#number, false),),
            Some(member) if member.is_option => {
                quote!(Self::#ident(__union_member) => (#number, ::core::option::Option::is_some(__union_member)),)
            }
            Some(_) => quote!(Self::#ident(_) => (#number, true),),
        }
    });
    let other_arm = context.input.other_variant.map(
        |variant| quote!(Self::#variant(__union_raw) => return #krate::__private::CurrentVariant::Other(__union_raw),),
    );
    quote!(#(#variants)* #other_arm)
}

/// Returns the tokens of the match arm
/// `1 => <S3 as EnumMember>::read(__union_member, Self::S3),` for each variant. The
/// pattern of the last arm is `_`.
fn read_variant_arms(context: &EnumContext<'_>) -> TokenStream {
    let krate = &context.input.krate;
    let last_index = context.variants.len().saturating_sub(1);
    let arms = context.variants.iter().enumerate().map(|(index, variant)| {
        let ident = variant.checked.ident;
        let number = number_literal(variant.number);
        let pattern = if index == last_index {
            quote!(_)
        } else {
            quote!(#number)
        };
        match variant.member() {
            None => quote!(#pattern => ::core::result::Result::Ok(Self::#ident),),
            Some(member) => {
                let ty = member.ty;
                let span = ty.span();
                let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
                let read_member = if member.is_option {
                    quote_spanned!(call_site_at(span)=> #as_member::read_optional)
                } else {
                    quote_spanned!(call_site_at(span)=> #as_member::read)
                };
                quote!(#pattern => #read_member(__union_member, Self::#ident),)
            }
        }
    });
    quote!(#(#arms)*)
}

/// Returns the tokens of the methods that convert from and to a `RawUnion`. Returns `None` if the
/// enum is strict.
fn raw_union_methods(context: &EnumContext<'_>) -> Option<TokenStream> {
    let krate = &context.input.krate;
    let other_variant = context.input.other_variant?;
    Some(quote! {
        fn from_raw(__union_raw: #krate::RawUnion) -> ::core::result::Result<Self, #krate::RawUnion> {
            ::core::result::Result::Ok(Self::#other_variant(__union_raw))
        }
        fn raw_mut(&mut self) -> ::core::option::Option<&mut #krate::RawUnion> {
            match self {
                Self::#other_variant(__union_raw) => ::core::option::Option::Some(__union_raw),
                _ => ::core::option::Option::None,
            }
        }
    })
}
