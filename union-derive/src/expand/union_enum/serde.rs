//! The impls of `Serialize` and `Deserialize`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::target::{Target, Variant};
use crate::expand::tokens::{impl_attributes, located, respan};
use crate::model::{UnionEnum, VariantKind};

/// Returns the tokens of the impls of `Serialize` and `Deserialize`. An example:
///
/// ```text
/// impl Serialize for Target {
///     ...
///     Self::S3(member) => <S3 as EnumMember>::serialize_variant(
///         Some(("type", "S3")),
///         Some(("s3", member)),
///         serializer,
///     ),
/// }
/// impl<'de> Deserialize<'de> for Target { ... deserialize_enum::<Self, _>(...) }
/// ```
pub(super) fn expand(target: &Target<'_>) -> TokenStream {
    let UnionEnum {
        ident,
        krate,
        generics,
        ..
    } = target.input;
    let (impl_generics, ty_generics, where_clause) = target.generics.split_for_impl();
    let on_impl = impl_attributes();
    let serde = quote!(#krate::__private::serde);
    let serialize_arms = target
        .variants
        .iter()
        .map(|variant| serialize_arm(variant, target));
    let other = target.input.other.map(|other| {
        quote!(Self::#other(__union_raw) => #serde::Serialize::serialize(__union_raw, __union_serializer),)
    });
    let deserialize_generics = with_deserialize_lifetime(generics);
    let (deserialize_generics, _, _) = deserialize_generics.split_for_impl();
    quote! {
        #on_impl
        impl #impl_generics #serde::Serialize for #ident #ty_generics #where_clause {
            fn serialize<__UnionSerializer: #serde::Serializer>(
                &self,
                __union_serializer: __UnionSerializer,
            ) -> ::core::result::Result<__UnionSerializer::Ok, __UnionSerializer::Error> {
                match self {
                    #(#serialize_arms)*
                    #other
                }
            }
        }
        #on_impl
        impl #deserialize_generics #serde::Deserialize<'de> for #ident #ty_generics #where_clause {
            fn deserialize<__UnionDeserializer: #serde::Deserializer<'de>>(
                __union_deserializer: __UnionDeserializer,
            ) -> ::core::result::Result<Self, __UnionDeserializer::Error> {
                #krate::__private::deserialize_enum(__union_deserializer)
            }
        }
    }
}

/// Adds the lifetime `'de` to the parameters of the enum. The name is free, because the enum has no
/// lifetime parameters.
fn with_deserialize_lifetime(generics: &syn::Generics) -> syn::Generics {
    let mut generics = generics.clone();
    generics.params.insert(0, syn::parse_quote!('de));
    generics
}

fn serialize_arm(variant: &Variant<'_>, target: &Target<'_>) -> TokenStream {
    let krate = &target.input.krate;
    let ident = variant.variant.ident;
    let none = quote!(::core::option::Option::None);
    let some = quote!(::core::option::Option::Some);
    let value = &variant.variant.value;
    let is_absent = value.is_empty() || matches!(variant.variant.kind, VariantKind::Absent);
    let discriminator = match target.discriminator() {
        Some(name) if !is_absent => quote!(#some((#name, #value))),
        _ => none.clone(),
    };
    let Some(member) = variant.member() else {
        return quote! {
            Self::#ident => <() as #krate::__private::EnumMember>::serialize_variant(#discriminator, #none, __union_serializer),
        };
    };
    let (ty, field, span) = (member.ty, member.field, member.ty.span());
    let field_value = if member.is_option {
        quote!(::core::option::Option::map(::core::option::Option::as_ref(__union_member), |__union_member| (#field, __union_member)))
    } else {
        quote!(#some((#field, __union_member)))
    };
    let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
    let function = quote_spanned!(located(span)=> #as_member::serialize_variant);
    quote! {
        Self::#ident(__union_member) => #function(#discriminator, #field_value, __union_serializer),
    }
}
