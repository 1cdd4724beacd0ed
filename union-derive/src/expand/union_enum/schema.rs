//! The impl of `JsonSchema`, which applies if the type of every member implements `JsonSchema`.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{EnumContext, enum_name};
use crate::expand::tokens::impl_attributes;

/// Returns the tokens of the impl of `JsonSchema`. Returns `None` if the enum has `schema = false`.
/// An example:
///
/// ```text
/// if_schema! {
///     impl JsonSchema for Target where for<'a> <S3 as Identity<'a>>::Type: JsonSchema {
///         fn json_schema(generator: &mut SchemaGenerator) -> Schema {
///             let members = [("s3", "", generator.subschema_for::<S3>())];
///             enum_schema::<Self, 1>("The target of backups.", members)
///         }
///     }
/// }
/// ```
///
/// Because of the bounds, a crate whose member types do not implement `JsonSchema` still compiles
/// if another crate enables the feature for schemas.
pub(super) fn expand(context: &EnumContext<'_>) -> Option<TokenStream> {
    let input = context.input;
    if !input.has_schema {
        return None;
    }
    let (ident, krate, doc) = (input.ident, &input.krate, &input.doc);
    let name = enum_name(input);
    let (impl_generics, ty_generics, where_clause) = context.generics.split_for_impl();
    let schemars = quote!(#krate::__private::schemars);
    let predicates = where_clause.iter().flat_map(|clause| &clause.predicates);
    // A bound on a type that names the enum itself would be infinitely recursive.
    let bounded_members = context.members().filter(|member| !member.mentions_enum);
    let bounds = bounded_members.map(|member| {
        let ty = member.ty;
        quote!(for<'__union> <#ty as #krate::__private::Identity<'__union>>::Type: #schemars::JsonSchema)
    });
    let members = context.members().map(|member| {
        let (name, doc, ty) = (member.json_name, member.doc, member.ty);
        quote!((#name, #doc, #schemars::SchemaGenerator::subschema_for::<#ty>(__union_generator)))
    });
    let attributes = impl_attributes();
    Some(quote! {
        #krate::__private::if_schema! {
            #attributes
            impl #impl_generics #schemars::JsonSchema for #ident #ty_generics
            where
                #(#predicates,)*
                #(#bounds,)*
            {
                fn schema_name() -> #krate::__private::Cow<'static, ::core::primitive::str> {
                    #krate::__private::Cow::Borrowed(#name)
                }
                fn schema_id() -> #krate::__private::Cow<'static, ::core::primitive::str> {
                    #krate::__private::Cow::Borrowed(::core::any::type_name::<Self>())
                }
                fn json_schema(__union_generator: &mut #schemars::SchemaGenerator) -> #schemars::Schema {
                    #krate::__private::enum_schema::<Self, _>(#doc, [#(#members),*])
                }
            }
        }
    })
}
