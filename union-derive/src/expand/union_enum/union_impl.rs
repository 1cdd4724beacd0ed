//! The tokens of all impls of the enum, and the impl of `UnionType`.

use proc_macro2::TokenStream;
use quote::quote;

use super::target::Target;
use super::{children, form, schema, serde};
use crate::expand::tokens::impl_attributes;
use crate::expand::values::open_checks;
use crate::model::UnionEnum;

/// Returns all tokens of `#[derive(UnionEnum)]`.
pub(crate) fn union_enum(input: &UnionEnum<'_>) -> TokenStream {
    let target = Target::new(input);
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
fn union(target: &Target<'_>) -> TokenStream {
    let UnionEnum {
        ident,
        krate,
        other,
        ..
    } = target.input;
    let (impl_generics, ty_generics, where_clause) = target.generics.split_for_impl();
    let on_impl = impl_attributes();
    let descend = children::expand(target);
    let values = children::values(target);
    let other_methods = other.map(|_| {
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
        #on_impl
        impl #impl_generics #krate::spec::UnionType for #ident #ty_generics #where_clause {
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
            #other_methods
            #descend
            #values
        }
    }
}
