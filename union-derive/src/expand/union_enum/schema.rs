//! The impl of `JsonSchema`, which applies if the type of every member implements `JsonSchema`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::context::{EnumContext, Member, enum_name};
use crate::expand::tokens::impl_attributes;
use crate::model::{MemberSchema, is_same_name, type_with_schema};

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
    let bounded_types = bounded_types(context);
    let bounds = bounded_types.iter().map(|ty| {
        quote!(for<'__union> <#ty as #krate::__private::Identity<'__union>>::Type: #schemars::JsonSchema)
    });
    let members = context.members().map(|member| {
        let (name, doc, ty) = (member.json_name, member.doc, member.ty);
        let of_type = quote!(#schemars::SchemaGenerator::subschema_for::<#ty>(__union_generator));
        let schema = match member.schema {
            MemberSchema::OfType => of_type,
            MemberSchema::PreserveUnknownFields => {
                quote!(#krate::__private::preserve_unknown_fields(#of_type))
            }
            MemberSchema::AnyJson => {
                quote!(#krate::__private::accept_any_json(#of_type))
            }
            // With this type, a wrong function is one error, at the path of the function.
            MemberSchema::OfFunction(function) => quote!({
                let __union_function: fn(&mut #schemars::SchemaGenerator) -> #schemars::Schema = #function;
                __union_function(__union_generator)
            }),
        };
        quote!((#name, #doc, #schema))
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

/// Returns the types that need a bound, each once. A bound on a type that names the enum itself
/// would be infinitely recursive. A type whose schema is the result of a function needs no schema
/// of its own.
fn bounded_types<'c>(context: &'c EnumContext<'c>) -> Vec<&'c Type> {
    let has_bound = |member: &Member<'_>| {
        !member.mentions_enum && !matches!(member.schema, MemberSchema::OfFunction(_))
    };
    let members = context.members().filter(has_bound);
    let mut types: Vec<&Type> = Vec::new();
    for ty in members.filter_map(|member| type_with_schema(member.ty)) {
        if !types.iter().any(|bounded| is_same_name(bounded, ty)) {
            types.push(ty);
        }
    }
    types
}
