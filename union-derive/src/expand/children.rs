//! The methods of `UnionType` that walk children, and the impl of `Keyed`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{LitStr, Path};

use super::tokens::{call_site_at, impl_attributes, respan};
use super::{flattened, unknown};
use crate::model::{Child, ChildKind, KeyField, Struct};

/// Returns the tokens of the methods that walk the children. The result is empty if the struct has
/// neither children nor a map of unknown members. An example:
///
/// ```text
/// fn children_are_settled(&self) -> bool {
///     true && Nested::is_settled(&self.spec) && UnknownMembers::is_empty(&self.rest)
/// }
/// fn walk_children(&self, mut on: Descent<...>) {
///     Descent::field(&mut on, "spec", |old| &old.spec, |on| Nested::walk(&self.spec, on));
/// }
/// fn walk_children_mut(&mut self, mut on: Descent<...>) { ... }
/// ```
pub(super) fn expand(input: &Struct<'_>) -> TokenStream {
    let children = input.children.iter();
    let children: Vec<ChildTokens> = children.map(|child| child_tokens(child, input)).collect();
    let conditions = children.iter().map(|child| child.is_settled.clone());
    let conditions: Vec<TokenStream> = conditions.chain(unknown::map_is_empty(input)).collect();
    if conditions.is_empty() {
        return TokenStream::new();
    }
    let settled_method = quote! {
        #[inline]
        fn children_are_settled(&self) -> ::core::primitive::bool {
            true #(&& #conditions)*
        }
    };
    if children.is_empty() {
        return settled_method;
    }
    let krate = &input.krate;
    let walk_statements = children.iter().map(|child| &child.walk);
    let walk_mut_statements = children.iter().map(|child| &child.walk_mut);
    let visit_unions_method = visit_unions_method(input);
    let list_maps_method = list_maps_method(input);
    quote! {
        #settled_method
        fn walk_children(
            &self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::Visitor + '_>,
        ) {
            #(#walk_statements)*
        }
        fn walk_children_mut(
            &mut self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::VisitorMut + '_>,
        ) {
            #(#walk_mut_statements)*
        }
        #visit_unions_method
        #list_maps_method
    }
}

/// The tokens of one child: its expression for `children_are_settled`, and its statements in the
/// methods that walk the children.
struct ChildTokens {
    is_settled: TokenStream,
    walk: TokenStream,
    walk_mut: TokenStream,
}

/// Returns the tokens of a child, whose types and keys have the spans of the author's code.
fn child_tokens(child: &Child<'_>, input: &Struct<'_>) -> ChildTokens {
    let krate = &input.krate;
    let Child {
        ident,
        ty,
        name,
        kind,
    } = child;
    let span = ty.span();
    let as_nested = respan(
        quote!(<#ty as #krate::Nested<#krate::__private::UnionNodes>>),
        span,
    );
    let as_list = respan(quote!(<#ty as #krate::ListMap>), span);
    let as_inline = respan(quote!(<#ty as #krate::Inline>), span);
    let span = call_site_at(span);
    let old_field = quote!(|__union_old| &__union_old.#ident);
    let in_field = |statement: &TokenStream| quote!(#krate::__private::Descent::field(&mut __union_on, #name, #old_field, |__union_on| #statement););
    match kind {
        ChildKind::Inline { .. } => {
            let descent =
                quote!(#krate::__private::Descent::flattened(&mut __union_on, #old_field));
            ChildTokens {
                is_settled: quote_spanned!(span=> #as_inline::inline_is_settled(&self.#ident)),
                walk: quote_spanned!(span=> #as_inline::walk_inline(&self.#ident, #descent);),
                walk_mut: quote_spanned!(span=> #as_inline::walk_inline_mut(&mut self.#ident, #descent);),
            }
        }
        ChildKind::Nested => ChildTokens {
            is_settled: quote_spanned!(span=> #as_nested::is_settled(&self.#ident)),
            walk: in_field(&quote_spanned!(span=> #as_nested::walk(&self.#ident, __union_on))),
            walk_mut: in_field(
                &quote_spanned!(span=> #as_nested::walk_mut(&mut self.#ident, __union_on)),
            ),
        },
        ChildKind::List { keys, .. } => {
            let key_positions = key_positions(keys, &as_list, krate);
            let keys = quote!(&const { [#(#key_positions),*] });
            ChildTokens {
                is_settled: quote_spanned!(span=> #as_list::elements_are_settled(&self.#ident)),
                walk: in_field(
                    &quote_spanned!(span=> #as_list::walk_elements(&self.#ident, #keys, __union_on)),
                ),
                walk_mut: in_field(
                    &quote_spanned!(span=> #as_list::walk_elements_mut(&mut self.#ident, #keys, __union_on)),
                ),
            }
        }
    }
}

/// Returns `key_position(<Vec<Volume> as ::union_runtime::ListMap>::KEYS, "name")` for each key.
fn key_positions(keys: &[LitStr], as_list: &TokenStream, krate: &Path) -> Vec<TokenStream> {
    keys.iter()
        .map(|key| {
            let function = respan(quote!(#krate::__private::key_position), key.span());
            quote_spanned!(call_site_at(key.span())=> #function(#as_list::KEYS, #key))
        })
        .collect()
}

/// Returns the tokens of the method that visits the unions of the struct and of its flattened
/// structs.
fn visit_unions_method(input: &Struct<'_>) -> Option<TokenStream> {
    let krate = &input.krate;
    let visits: Vec<TokenStream> = input
        .children
        .iter()
        .filter(|child| matches!(child.kind, ChildKind::Inline { .. }))
        .map(|child| {
            let ty = child.ty;
            let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
            quote_spanned!(call_site_at(ty.span())=> #as_inline::visit_unions(__union_visit);)
        })
        .collect();
    (!visits.is_empty()).then(|| {
        quote! {
            fn visit_unions(__union_visit: &mut dyn ::core::ops::FnMut(&'static #krate::UnionSpec<'static>)) {
                for __union_spec in <Self as #krate::spec::UnionType>::unions() {
                    __union_visit(__union_spec);
                }
                #(#visits)*
            }
        }
    })
}

/// Returns the tokens of the method that lists the fields with `list_map_keys` and their keys.
fn list_maps_method(input: &Struct<'_>) -> Option<TokenStream> {
    let lists: Vec<TokenStream> = input
        .children
        .iter()
        .filter_map(|child| match &child.kind {
            ChildKind::List { keys, .. } => {
                let name = &child.name;
                Some(quote!((#name, &[#(#keys),*])))
            }
            ChildKind::Inline { .. } | ChildKind::Nested => None,
        })
        .collect();
    (!lists.is_empty()).then(|| {
        quote! {
            fn list_maps() -> &'static [(&'static ::core::primitive::str, &'static [&'static ::core::primitive::str])] {
                &[#(#lists),*]
            }
        }
    })
}

/// Returns the tokens of constants that check the children. A constant reports its error even if
/// the program does not use the children.
pub(super) fn checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let checks = input.children.iter().filter_map(|child| {
        let keys = match &child.kind {
            ChildKind::Inline { .. } => return flattened::check(child, input),
            // If the type of a list depends on a parameter, its keys are checked when the list is
            // walked.
            ChildKind::List {
                is_generic: true, ..
            }
            | ChildKind::Nested => return None,
            ChildKind::List { keys, .. } => keys,
        };
        let ty = child.ty;
        let as_list = respan(quote!(<#ty as #krate::ListMap>), ty.span());
        let checks = key_positions(keys, &as_list, krate);
        Some(quote!(const _: &[::core::primitive::usize] = &[#(#checks),*];))
    });
    let map_check = flattened::check_unknown_fields(input);
    quote!(#(#checks)* #map_check)
}

/// Returns the tokens of the impl of `Keyed`. Returns `None` if no field has `key`. An example:
///
/// ```text
/// impl ::union_runtime::Keyed for Volume {
///     const KEYS: &'static [&'static str] = &["name"];
///     fn key(&self, __union_position: usize) -> Option<::union_runtime::Key<'_>> { ... }
/// }
/// ```
pub(super) fn keyed_impl(input: &Struct<'_>, krate: &Path) -> Option<TokenStream> {
    if input.key_fields.is_empty() {
        return None;
    }
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let names = input.key_fields.iter().map(|key| &key.name);
    let arms = input.key_fields.iter().enumerate().map(|(index, key)| {
        let KeyField { ident, ty, .. } = key;
        let index = proc_macro2::Literal::usize_unsuffixed(index);
        let as_key = respan(quote!(<#ty as #krate::KeyField>), ty.span());
        quote_spanned!(call_site_at(ty.span())=> #index => #as_key::key(&self.#ident),)
    });
    let attributes = impl_attributes();
    Some(quote! {
        #attributes
        impl #impl_generics #krate::Keyed for #ident #ty_generics #where_clause {
            const KEYS: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            fn key(&self, __union_position: ::core::primitive::usize) -> ::core::option::Option<#krate::Key<'_>> {
                match __union_position {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}
