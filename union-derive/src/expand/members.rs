//! The argument with the set members of a struct, and the macro call that resets members.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{located, respan};
use crate::model::{Member, Struct};

/// Returns the tokens of an array with a flag for each member, which is true if the member is set.
/// Usually this is `::union_runtime::__private::are_set!(self alpha beta)`, which is fast to
/// compile. If a member's type is not written as `Option`, it is a call for each member.
pub(super) fn are_set(members: &[Member<'_>], krate: &Path) -> TokenStream {
    if members.iter().all(|member| member.is_option) {
        let names = members.iter().map(|member| member.ident);
        quote!(#krate::__private::are_set!(self #(#names)*))
    } else {
        are_set_each(members, krate)
    }
}

/// Returns the tokens of `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`, for members
/// whose types may be invalid. Each call has the span of the member's type, at which rustc reports
/// the error. rustc compiles these calls more slowly than `are_set!`.
fn are_set_each(members: &[Member<'_>], krate: &Path) -> TokenStream {
    let are_set = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let is_set = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(located(span)=> #is_set(&self.#ident))
    });
    quote!([#(#are_set),*])
}

/// Returns the tokens of `::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);`. The
/// arguments are the positions of union and member, and the name of the field.
pub(super) fn reset(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let fields = input.unions.iter().enumerate().flat_map(|(i, union)| {
        let i = Literal::usize_unsuffixed(i);
        union.members.iter().enumerate().map(move |(j, member)| {
            let (j, ident) = (Literal::usize_unsuffixed(j), member.ident);
            quote!((#i, #j) #ident)
        })
    });
    quote!(#krate::__private::reset!(#(#fields)*);)
}
