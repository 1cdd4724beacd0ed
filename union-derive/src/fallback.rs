//! The impls that stand in after an error, so that code which uses the traits adds no errors of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use crate::attr::ContainerAttrs;
use crate::diag::Diag;
use crate::expand::{hook_probe, on_impl};
use crate::model::{HookCheck, union_runtime};
use crate::schemars_attr::Schemars;

/// The errors, a union without members, and whether the schema hook is missing too.
pub(crate) fn union(
    input: &DeriveInput,
    hook: &HookCheck,
    errors: Option<syn::Error>,
) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = krate(input, "union");
    let union = empty_union(input, &krate);
    let keyed = open_keys(input, &krate);
    let for_hook = has_hook(input, "add_enum").then(|| open_enum_type(input, &krate));
    let probe = hook_probe::expand(hook, &krate, &input.ident);
    quote!(#errors #union #keyed #for_hook #probe)
}

/// The errors, an enum type whose list of values is open, so that the members of its unions get no errors for it, and
/// whether the schema hook is missing too.
pub(crate) fn enum_type(
    input: &DeriveInput,
    hook: &HookCheck,
    errors: Option<syn::Error>,
) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = krate(input, "enum_type");
    let enum_type = open_enum_type(input, &krate);
    let for_hook = has_hook(input, "add_unions").then(|| empty_union(input, &krate));
    let probe = hook_probe::expand(hook, &krate, &input.ident);
    quote!(#errors #enum_type #for_hook #probe)
}

/// The hook of the other derive stands on the type, which is an error already: what it asks for is there too.
fn has_hook(input: &DeriveInput, function: &str) -> bool {
    let hooks = Schemars::from_syn(&input.attrs).hooks;
    hooks.iter().any(|hook| hook.function == function)
}

fn empty_union(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let on_impl = on_impl();
    quote! {
        #on_impl
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            fn unions() -> &'static [#krate::UnionSpec<'static>] {
                &[]
            }
            fn union_state(&self, _: ::core::primitive::usize) -> ::core::option::Option<#krate::State<'_>> {
                ::core::option::Option::None
            }
            fn reset_member(
                &mut self,
                _: ::core::option::Option<&Self>,
                _: ::core::primitive::usize,
                _: ::core::primitive::usize,
            ) -> ::core::primitive::bool {
                false
            }
        }
    }
}

/// Any key will do: lists of the struct get no errors for its own.
fn open_keys(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let on_impl = on_impl();
    quote! {
        #on_impl
        impl #impl_generics #krate::Keyed for #ident #ty_generics #where_clause {
            const KEYS: &'static [&'static ::core::primitive::str] = &[];
            fn key(&self, _: ::core::primitive::usize) -> ::core::option::Option<#krate::Key<'_>> {
                ::core::option::Option::None
            }
        }
    }
}

fn open_enum_type(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let on_impl = on_impl();
    quote! {
        #on_impl
        impl #impl_generics #krate::EnumType for #ident #ty_generics #where_clause {
            const VALUES: &'static [&'static ::core::primitive::str] = &[];
            const DOCS: &'static [&'static ::core::primitive::str] = &[];
            const KEEPS_UNKNOWN: ::core::primitive::bool = true;
            fn value(&self) -> #krate::EnumValue<'_> {
                ::core::unreachable!()
            }
            fn at(_: ::core::primitive::usize) -> ::core::option::Option<Self> {
                ::core::option::Option::None
            }
        }
    }
}

/// What `crate = path` says; errors in it have been reported.
fn krate(input: &DeriveInput, attr: &str) -> Path {
    let silent = Diag::default();
    let attrs = if attr == "union" {
        ContainerAttrs::of_struct(&input.attrs, &silent).0
    } else {
        ContainerAttrs::of_enum(&input.attrs, &silent)
    };
    attrs.krate.unwrap_or_else(union_runtime)
}
