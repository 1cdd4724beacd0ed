//! The tokens of all impls of the enum, and the impl of `UnionType`.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::EnumContext;
use super::{children, form, schema, serde};
use crate::expand::not_nested;
use crate::expand::tokens::impl_attributes;
use crate::expand::values::open_checks;
use crate::model::{LeafType, OpenField, UnionEnum};

/// Returns all tokens of `#[derive(UnionEnum)]`.
pub(crate) fn union_enum(input: &UnionEnum<'_>) -> TokenStream {
    let context = EnumContext::new(input);
    let union_enum_impl = form::expand(&context);
    let serde_impls = serde::expand(&context);
    let union_type_impl = union_type_impl(&context);
    let schema_impl = schema::expand(&context);
    let open_fields = context.members().filter_map(|member| {
        let (span, ty) = (member.open_span?, member.ty);
        Some(OpenField { span, ty })
    });
    let open_checks = open_checks(&open_fields.collect::<Vec<_>>(), &input.krate);
    let not_nested_members = context.members().filter_map(|member| member.not_nested);
    let unmarked_types: Vec<LeafType<'_>> = unmarked_types(&context).collect();
    let probes = [
        not_nested::effect_checks(not_nested_members, &input.krate),
        not_nested::walked_checks(&unmarked_types, input.generics, &input.krate),
    ];
    quote!(#union_enum_impl #serde_impls #union_type_impl #open_checks #(#probes)* #schema_impl)
}

/// Returns the types in the members without `nested`, `not_nested` and `open`.
fn unmarked_types<'a>(context: &'a EnumContext<'a>) -> impl Iterator<Item = LeafType<'a>> {
    let members = context.members();
    members.flat_map(|member| member.unmarked_types.iter().copied())
}

/// Returns the tokens of the impl of `UnionType`. An example:
///
/// ```text
/// impl ::union_runtime::spec::UnionType for Target {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] { enum_unions::<Self>() }
///     fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> {
///         enum_state(self, __union)
///     }
///     ...
/// }
/// ```
fn union_type_impl(context: &EnumContext<'_>) -> TokenStream {
    let UnionEnum {
        ident,
        krate,
        other_variant,
        ..
    } = context.input;
    let (impl_generics, ty_generics, where_clause) = context.generics.split_for_impl();
    let attributes = impl_attributes();
    let walk_methods = children::walk_methods(context);
    let walk_values_method = children::walk_values_method(context);
    let mark_checks = not_nested::mark_checks(unmarked_types(context), krate);
    let other_methods = other_variant.map(|_| {
        quote! {
            fn unknown_members(&mut self) -> ::core::option::Option<&mut dyn #krate::UnknownMembers> {
                #krate::__private::enum_unknown_members(self)
            }
            fn reread(&mut self) {
                #krate::__private::enum_reread(self)
            }
        }
    });
    quote! {
        #attributes
        impl #impl_generics #krate::spec::UnionType for #ident #ty_generics #where_clause {
            const AS_ENUM: ::core::option::Option<&'static #krate::__private::EnumForm> =
                ::core::option::Option::Some(<Self as #krate::UnionEnum>::FORM);
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec<'static>] {
                #mark_checks
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
            #other_methods
            #walk_methods
            #walk_values_method
        }
    }
}
