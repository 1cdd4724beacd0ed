//! The members of a struct, as the runtime is handed them.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{TokenStreamExt as _, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::{located, respan};
use crate::model::{Member, Struct};

/// How many a tuple holds: the runtime knows no longer ones.
const MOST: usize = 8;

/// `(&self.alpha, &self.beta)`, or `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`.
///
/// The latter where a type may turn out to be no member's: a call has a place of its own, where rustc can say so. It also
/// takes rustc longer.
pub(super) fn look_at(members: &[Member<'_>], krate: &Path) -> TokenStream {
    if members.iter().all(|member| member.is_option) {
        return tuple(members, krate, &|member, tokens| {
            field("self", false, member.ident, tokens);
        });
    }
    let are_set = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let is_set = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(located(span)=> #is_set(&self.#ident))
    });
    quote!([#(#are_set),*])
}

/// Nothing to be reset; or:
///
/// ```text
/// ::union_runtime::__private::reset(
///     (&mut self.alpha, &mut self.beta),
///     match __union_old {
///         Some(__union_old) => Some((&__union_old.alpha, &__union_old.beta)),
///         None => None,
///     },
/// )
/// .member(__union, __union_member)
/// ```
///
/// Of several unions each is its only one in an arm of its own. In a struct with type parameters some members can be cloned
/// and others cannot, so there each member has an arm.
pub(super) fn reset(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let unions = &input.unions;
    if let ([union], None) = (&unions[..], input.generics.type_params().next()) {
        return reset_of(&union.members, &quote!(__union, __union_member), krate);
    }
    let is_generic = input.generics.type_params().next().is_some();
    let mut arms = TokenStream::new();
    for (i, union) in unions.iter().enumerate() {
        let i = Literal::usize_unsuffixed(i);
        if is_generic {
            for (j, member) in union.members.iter().enumerate() {
                let j = Literal::usize_unsuffixed(j);
                let reset = reset_of(core::slice::from_ref(member), &quote!(0, 0), krate);
                arms.extend(quote!((#i, #j) => #reset,));
            }
        } else {
            let reset = reset_of(&union.members, &quote!(0, __union_member), krate);
            arms.extend(quote!(#i => #reset,));
        }
    }
    match (arms.is_empty(), is_generic) {
        (true, _) => quote!(false),
        (false, true) => quote!(match (__union, __union_member) { #arms _ => false }),
        (false, false) => quote!(match __union { #arms _ => false }),
    }
}

fn reset_of(members: &[Member<'_>], which: &TokenStream, krate: &Path) -> TokenStream {
    let new = tuple(members, krate, &|member, tokens| {
        field("self", true, member.ident, tokens);
    });
    let old = tuple(members, krate, &|member, tokens| {
        field("__union_old", false, member.ident, tokens);
    });
    quote! {
        #krate::__private::reset(
            #new,
            match __union_old {
                ::core::option::Option::Some(__union_old) => ::core::option::Option::Some(#old),
                ::core::option::Option::None => ::core::option::Option::None,
            },
        )
        .member(#which)
    }
}

/// `(a, b,)`, and `::union_runtime::__private::And((a, b, ...,), (i, j, ...,))` where they are too many.
fn tuple(
    members: &[Member<'_>],
    krate: &Path,
    write: &dyn Fn(&Member<'_>, &mut TokenStream),
) -> TokenStream {
    let mut tuples = members.chunks(MOST).rev().map(|members| {
        let mut inner = TokenStream::new();
        for member in members {
            write(member, &mut inner);
            inner.append(Punct::new(',', Spacing::Alone));
        }
        TokenTree::from(Group::new(Delimiter::Parenthesis, inner)).into()
    });
    let last = tuples.next().unwrap_or_default();
    tuples.fold(
        last,
        |behind, tuple: TokenStream| quote!(#krate::__private::And(#tuple, #behind)),
    )
}

/// `&self.alpha` or `&mut self.alpha`, written where it belongs.
fn field(of: &str, is_mut: bool, ident: &Ident, tokens: &mut TokenStream) {
    tokens.append(Punct::new('&', Spacing::Alone));
    if is_mut {
        tokens.append(Ident::new("mut", Span::call_site()));
    }
    tokens.append(Ident::new(of, Span::call_site()));
    tokens.append(Punct::new('.', Spacing::Alone));
    tokens.append(ident.clone());
}
