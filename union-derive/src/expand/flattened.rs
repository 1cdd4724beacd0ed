//! The checks of flattened unions. They are constants, so they report their errors even if the
//! program does not use the unions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::tokens::{allow_deprecated, located, respan};
use super::unknown;
use crate::check::NO_UNION_TO_KEEP;
use crate::model::{Child, ChildKind, Struct};

/// Returns the tokens of the check of a flattened child. An example:
///
/// ```text
/// const _: () = {
///     ::union_runtime::__private::reject_if(...);
///     ::union_runtime::__private::check_flattened_enum(
///         <Source as ::union_runtime::Inline>::INLINED,
///         "source",
///         &["name"],
///         &[],
///         true,
///     );
/// };
/// ```
///
/// Returns `None` if the type of the child depends on a parameter, because such a type cannot be
/// checked here.
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
    let reject_unknown = unknown::check(child, flattened, krate);
    let span = located(child.ty.span());
    let is_this = |other: &&Child<'_>| other.ident != child.ident;
    let before = concrete(input).take_while(is_this);
    // The tokens of each type have the span of the type. Otherwise rustc would report twice that a
    // type has no unions.
    let before = before.map(|before| flattened_type(before, krate));
    let name = child.ident.unraw().to_string();
    let names = &input.names;
    let function = respan(
        quote!(#krate::__private::check_flattened_enum),
        child.ty.span(),
    );
    let inlined = flattened_type(child, krate);
    let names_deprecated = allow_deprecated();
    Some(quote_spanned! {span=>
        #names_deprecated
        const _: () = {
            #reject_unknown
            #function(#inlined, #name, &[#(#names),*], &[#(#before),*], #keeps);
        };
    })
}

/// Returns the tokens of the check that a struct with a map of unknown fields flattens an enum.
/// Returns `None` if a flattened type depends on a parameter. An example:
///
/// ```text
/// const _: () = ::union_runtime::__private::require_enum(
///     &[<Source as ::union_runtime::Inline>::INLINED],
///     "...",
/// );
/// ```
pub(super) fn check_rest(input: &Struct<'_>) -> Option<TokenStream> {
    let rest = input.rest.as_ref()?;
    let krate = &input.krate;
    let children = input.children.iter();
    let count = children.filter(|child| is_inline(child)).count();
    let children = concrete(input).map(|child| flattened_type(child, krate));
    let children: Vec<TokenStream> = children.collect();
    if children.len() < count {
        return None;
    }
    let function = respan(quote!(#krate::__private::require_enum), rest.span);
    let remedy = NO_UNION_TO_KEEP;
    let names_deprecated = allow_deprecated();
    let span = located(rest.span);
    Some(quote_spanned! {span=>
        #names_deprecated
        const _: () = #function(&[#(#children),*], #remedy);
    })
}

fn is_inline(child: &Child<'_>) -> bool {
    matches!(child.kind, ChildKind::Inline { .. })
}

/// Returns the flattened children whose types do not depend on parameters.
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

/// Returns the tokens of `<Source as ::union_runtime::Inline>::INLINED`.
fn flattened_type(child: &Child<'_>, krate: &Path) -> TokenStream {
    let ty = child.ty;
    let as_inline = respan(quote!(<#ty as #krate::Inline>), ty.span());
    quote_spanned!(located(ty.span())=> #as_inline::INLINED)
}
