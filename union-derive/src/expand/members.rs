//! The argument that lists the set members of a struct, and the macro call that resets members.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{call_site_at, respan};
use crate::model::{Member, Struct};

/// Returns the tokens of an array with a flag for each member, which is true if the member is set.
/// Usually these are the tokens of `::union_runtime::__private::are_set!(self alpha beta)`, which
/// is fast to compile. If the type of a member is not written as `Option`, the array has a call for
/// each member.
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
    let calls = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let function = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(call_site_at(span)=> #function(&self.#ident))
    });
    quote!([#(#calls),*])
}

/// Returns the tokens of `::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);`. The
/// arguments are the positions of union and member, and the name of the field.
pub(super) fn reset(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let mut fields = TokenStream::new();
    for (union_index, union) in input.unions.iter().enumerate() {
        let union_index = Literal::usize_unsuffixed(union_index);
        for (member_index, member) in union.members.iter().enumerate() {
            let member_index = Literal::usize_unsuffixed(member_index);
            let ident = member.ident;
            fields.extend(quote!((#union_index, #member_index) #ident));
        }
    }
    quote!(#krate::__private::reset!(#fields);)
}
