//! The impls that stand in after an error, so that code which uses the traits adds no errors of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path, parse_quote};

use crate::attr::ContainerAttrs;
use crate::diag::Diag;
use crate::hook::Schemars;

/// The errors, and a union without members.
pub(crate) fn union(input: &DeriveInput, errors: Option<syn::Error>) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = krate(input, "union");
    let union = empty_union(input, &krate);
    let for_hook = has_hook(input, "add_enum").then(|| open_enum_type(input, &krate));
    quote!(#errors #union #for_hook)
}

/// The errors, and an enum type whose list of values is open: the members of its unions get no errors for it.
pub(crate) fn enum_type(input: &DeriveInput, errors: Option<syn::Error>) -> TokenStream {
    let errors = errors.map(|errors| errors.to_compile_error());
    let krate = krate(input, "enum_type");
    let enum_type = open_enum_type(input, &krate);
    let for_hook = has_hook(input, "add_unions").then(|| empty_union(input, &krate));
    quote!(#errors #enum_type #for_hook)
}

/// The hook of the other derive stands on the type, which is an error already: what it asks for is there too.
fn has_hook(input: &DeriveInput, function: &str) -> bool {
    let hooks = Schemars::from_syn(&input.attrs).hooks;
    hooks.iter().any(|hook| hook.function == function)
}

fn empty_union(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            fn unions() -> &'static [#krate::UnionSpec] {
                &[]
            }
            fn union_state(&self, _: ::core::primitive::usize) -> #krate::State<'_> {
                ::core::unreachable!()
            }
            fn clear_member(&mut self, _: ::core::primitive::usize, _: ::core::primitive::usize) {}
        }
    }
}

fn open_enum_type(input: &DeriveInput, krate: &Path) -> TokenStream {
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #impl_generics #krate::EnumType for #ident #ty_generics #where_clause {
            const VALUES: &'static [&'static ::core::primitive::str] = &[];
            const DOCS: &'static [&'static ::core::primitive::str] = &[];
            fn value(&self) -> #krate::EnumValue<'_> {
                ::core::unreachable!()
            }
        }
    }
}

/// What `crate = path` says; errors in it have been reported.
fn krate(input: &DeriveInput, attr: &str) -> Path {
    ContainerAttrs::from_syn(&input.attrs, attr, &Diag::default())
        .krate
        .unwrap_or_else(|| parse_quote!(::union_runtime))
}
