//! The methods of `UnionType` that walk children, and the impl of `Keyed`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{LitStr, Path};

use super::tokens::{impl_attributes, located, respan};
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
    let parts: Vec<ChildTokens> = input
        .children
        .iter()
        .map(|child| child_tokens(child, input))
        .collect();
    let settled = parts.iter().map(|parts| parts.settled.clone());
    let settled: Vec<TokenStream> = settled.chain(unknown::is_empty(input)).collect();
    if settled.is_empty() {
        return TokenStream::new();
    }
    let settled = quote! {
        #[inline]
        fn children_are_settled(&self) -> ::core::primitive::bool {
            true #(&& #settled)*
        }
    };
    if parts.is_empty() {
        return settled;
    }
    let krate = &input.krate;
    let walk = parts.iter().map(|parts| &parts.walk);
    let walk_mut = parts.iter().map(|parts| &parts.walk_mut);
    let unions = inline_unions(input);
    let lists = list_maps(input);
    quote! {
        #settled
        fn walk_children(
            &self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::Visitor + '_>,
        ) {
            #(#walk)*
        }
        fn walk_children_mut(
            &mut self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::VisitorMut + '_>,
        ) {
            #(#walk_mut)*
        }
        #unions
        #lists
    }
}

/// The tokens of one child: its expression for `children_are_settled`, and its statements in the
/// methods that walk the children.
struct ChildTokens {
    settled: TokenStream,
    walk: TokenStream,
    walk_mut: TokenStream,
}

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
    let span = located(span);
    let old = quote!(|__union_old| &__union_old.#ident);
    let in_field = |statement: &TokenStream| quote!(#krate::__private::Descent::field(&mut __union_on, #name, #old, |__union_on| #statement););
    match kind {
        ChildKind::Inline { .. } => {
            let on = quote!(#krate::__private::Descent::flattened(&mut __union_on, #old));
            ChildTokens {
                settled: quote_spanned!(span=> #as_inline::inline_is_settled(&self.#ident)),
                walk: quote_spanned!(span=> #as_inline::walk_inline(&self.#ident, #on);),
                walk_mut: quote_spanned!(span=> #as_inline::walk_inline_mut(&mut self.#ident, #on);),
            }
        }
        ChildKind::Nested => ChildTokens {
            settled: quote_spanned!(span=> #as_nested::is_settled(&self.#ident)),
            walk: in_field(&quote_spanned!(span=> #as_nested::walk(&self.#ident, __union_on))),
            walk_mut: in_field(
                &quote_spanned!(span=> #as_nested::walk_mut(&mut self.#ident, __union_on)),
            ),
        },
        ChildKind::List { keys, .. } => {
            let positions = positions(keys, &as_list, krate);
            let keys = quote!(&const { [#(#positions),*] });
            ChildTokens {
                settled: quote_spanned!(span=> #as_list::elements_are_settled(&self.#ident)),
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
fn positions(keys: &[LitStr], as_list: &TokenStream, krate: &Path) -> Vec<TokenStream> {
    keys.iter()
        .map(|key| {
            let function = respan(quote!(#krate::__private::key_position), key.span());
            quote_spanned!(located(key.span())=> #function(#as_list::KEYS, #key))
        })
        .collect()
}

/// Returns the tokens of the method that visits the unions of the struct and of its flattened
/// structs.
fn inline_unions(input: &Struct<'_>) -> Option<TokenStream> {
    let krate = &input.krate;
    let inline: Vec<TokenStream> = input
        .children
        .iter()
        .filter(|child| matches!(child.kind, ChildKind::Inline { .. }))
        .map(|child| {
            let ty = child.ty;
            let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
            quote_spanned!(located(ty.span())=> #as_inline::visit_unions(__union_visit);)
        })
        .collect();
    (!inline.is_empty()).then(|| {
        quote! {
            fn visit_unions(__union_visit: &mut dyn ::core::ops::FnMut(&'static #krate::UnionSpec<'static>)) {
                for __union_spec in <Self as #krate::spec::UnionType>::unions() {
                    __union_visit(__union_spec);
                }
                #(#inline)*
            }
        }
    })
}

fn list_maps(input: &Struct<'_>) -> Option<TokenStream> {
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
        let checks = positions(keys, &as_list, krate);
        Some(quote!(const _: &[::core::primitive::usize] = &[#(#checks),*];))
    });
    let rest = flattened::check_rest(input);
    quote!(#(#checks)* #rest)
}

/// Returns the tokens of the impl of `Keyed`. Returns `None` if no field has `key`. An example:
///
/// ```text
/// impl ::union_runtime::Keyed for Volume {
///     const KEYS: &'static [&'static str] = &["name"];
///     fn key(&self, __union_position: usize) -> Option<::union_runtime::Key<'_>> { ... }
/// }
/// ```
pub(super) fn keyed(input: &Struct<'_>, krate: &Path) -> Option<TokenStream> {
    if input.keys.is_empty() {
        return None;
    }
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let names = input.keys.iter().map(|key| &key.name);
    let keys = input.keys.iter().enumerate().map(|(i, key)| {
        let KeyField { ident, ty, .. } = key;
        let i = proc_macro2::Literal::usize_unsuffixed(i);
        let as_key = respan(quote!(<#ty as #krate::KeyField>), ty.span());
        quote_spanned!(located(ty.span())=> #i => #as_key::key(&self.#ident),)
    });
    let on_impl = impl_attributes();
    Some(quote! {
        #on_impl
        impl #impl_generics #krate::Keyed for #ident #ty_generics #where_clause {
            const KEYS: &'static [&'static ::core::primitive::str] = &[#(#names),*];
            fn key(&self, __union_position: ::core::primitive::usize) -> ::core::option::Option<#krate::Key<'_>> {
                match __union_position {
                    #(#keys)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}
