//! What must be known of flattened unions before anything uses them: constants report the mistakes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::{located, respan, unknown};
use crate::check::NO_UNION_TO_KEEP;
use crate::model::{Child, ChildKind, Struct};

/// ```text
/// const _: () = {
///     ::union_runtime::__private::refuse_unknown(...);
///     ::union_runtime::__private::check_inlined(<Source as ::union_runtime::Inline>::INLINED, "source", &["name"], &[], true);
/// };
/// ```
///
/// What depends on a parameter is not known here.
pub(super) fn check(child: &Child<'_>, input: &Struct<'_>) -> Option<TokenStream> {
    let krate = &input.krate;
    let ChildKind::Inline {
        flattened,
        is_generic: false,
        keeps,
    } = &child.kind
    else {
        return None;
    };
    let refuse_unknown = unknown::check(child, flattened, krate);
    let span = located(child.ty.span());
    let is_this = |other: &&Child<'_>| other.ident != child.ident;
    let before = concrete(input).take_while(is_this);
    // Each stays at its own type, or rustc would tell twice that it has no unions.
    let before = before.map(|before| inlined(before, krate));
    let name = child.ident.unraw().to_string();
    let names = &input.names;
    let function = respan(quote!(#krate::__private::check_inlined), child.ty.span());
    let inlined = inlined(child, krate);
    Some(quote_spanned! {span=>
        const _: () = {
            #refuse_unknown
            #function(#inlined, #name, &[#(#names),*], &[#(#before),*], #keeps);
        };
    })
}

/// For a struct that keeps what none of its fields knows:
///
/// ```text
/// const _: () = {
///     let _: fn(&BTreeMap<String, Value>) -> bool = <BTreeMap<String, Value> as ::union_runtime::UnknownMembers>::is_empty;
///     ::union_runtime::__private::require_enum(&[<Source as ::union_runtime::Inline>::INLINED], "...");
/// };
/// ```
pub(super) fn check_rest(input: &Struct<'_>) -> Option<TokenStream> {
    let rest = input.rest.as_ref()?;
    let krate = &input.krate;
    let ty = rest.ty;
    let as_map = respan(quote!(<#ty as #krate::UnknownMembers>), ty.span());
    let is_empty = quote_spanned!(located(ty.span())=> #as_map::is_empty);
    let function = respan(quote!(#krate::__private::require_enum), rest.span);
    let children = concrete(input).map(|child| inlined(child, krate));
    let children: Vec<TokenStream> = children.collect();
    let is_generic = |child: &Child<'_>| {
        matches!(
            child.kind,
            ChildKind::Inline {
                is_generic: true,
                ..
            }
        )
    };
    let has_generic = input.children.iter().any(is_generic);
    let remedy = NO_UNION_TO_KEEP;
    let require = (!has_generic)
        .then(|| quote_spanned!(located(rest.span)=> #function(&[#(#children),*], #remedy);));
    Some(quote! {
        const _: () = {
            let _: fn(&#ty) -> ::core::primitive::bool = #is_empty;
            #require
        };
    })
}

/// The flattened unions whose types are known here.
fn concrete<'i, 'a>(input: &'i Struct<'a>) -> impl Iterator<Item = &'i Child<'a>> {
    let children = input.children.iter();
    children.filter(|child| {
        matches!(
            child.kind,
            ChildKind::Inline {
                is_generic: false,
                ..
            }
        )
    })
}

/// `<Source as ::union_runtime::Inline>::INLINED`
fn inlined(child: &Child<'_>, krate: &Path) -> TokenStream {
    let ty = child.ty;
    let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
    quote_spanned!(located(ty.span())=> #as_inline::INLINED)
}
