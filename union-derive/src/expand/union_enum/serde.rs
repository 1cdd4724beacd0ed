//! The impls of `Serialize` and `Deserialize`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::context::{EnumContext, NumberedVariant};
use crate::expand::tokens::{call_site_at, impl_attributes, respan};
use crate::model::{UnionEnum, VariantKind};

/// Returns the tokens of the impls of `Serialize` and `Deserialize`. An example:
///
/// ```text
/// impl Serialize for Target {
///     ...
///     Self::S3(member) => <S3 as EnumMember>::serialize_variant(
///         ["type", "S3", "s3"],
///         Some(member),
///         serializer,
///     ),
/// }
/// impl<'de> Deserialize<'de> for Target { ... deserialize_enum::<Self, _>(...) }
/// ```
pub(super) fn expand(context: &EnumContext<'_>) -> TokenStream {
    let UnionEnum {
        ident,
        krate,
        generics,
        ..
    } = context.input;
    let (impl_generics, ty_generics, where_clause) = context.generics.split_for_impl();
    let attributes = impl_attributes();
    let serde = quote!(#krate::__private::serde);
    let serialize_arms = context
        .variants
        .iter()
        .map(|variant| serialize_arm(variant, context));
    let other_arm = context.input.other_variant.map(|variant| {
        quote!(Self::#variant(__union_raw) => #serde::Serialize::serialize(__union_raw, __union_serializer),)
    });
    let deserialize_generics = with_deserialize_lifetime(generics);
    let (deserialize_generics, _, _) = deserialize_generics.split_for_impl();
    quote! {
        #attributes
        impl #impl_generics #serde::Serialize for #ident #ty_generics #where_clause {
            fn serialize<__UnionSerializer: #serde::Serializer>(
                &self,
                __union_serializer: __UnionSerializer,
            ) -> ::core::result::Result<__UnionSerializer::Ok, __UnionSerializer::Error> {
                match self {
                    #(#serialize_arms)*
                    #other_arm
                }
            }
        }
        #attributes
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

/// Returns the tokens of the match arm that serializes a variant.
fn serialize_arm(variant: &NumberedVariant<'_>, context: &EnumContext<'_>) -> TokenStream {
    let krate = &context.input.krate;
    let ident = variant.checked.ident;
    let value = &variant.checked.value;
    let is_absent = value.is_empty() || matches!(variant.checked.kind, VariantKind::Absent);
    let discriminator = context.discriminator().filter(|_| !is_absent);
    let discriminator = discriminator.unwrap_or_default();
    let Some(member) = variant.member() else {
        return quote! {
            Self::#ident => <() as #krate::__private::EnumMember>::serialize_variant([#discriminator, #value, ""], ::core::option::Option::None, __union_serializer),
        };
    };
    let (ty, name, span) = (member.ty, member.json_name, member.ty.span());
    let field = if member.is_option {
        quote!(::core::option::Option::as_ref(__union_member))
    } else {
        quote!(::core::option::Option::Some(__union_member))
    };
    let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
    let function = quote_spanned!(call_site_at(span)=> #as_member::serialize_variant);
    quote! {
        Self::#ident(__union_member) => #function([#discriminator, #value, #name], #field, __union_serializer),
    }
}
