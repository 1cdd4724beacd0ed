//! The members of a struct, as arguments for the runtime.

use core::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::text::{self, Runtime};
use super::tokens::{located, respan};
use crate::model::{Member, Struct};

/// Returns true if the types of all members are written as `Option`.
pub(super) fn are_looked_at(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| member.is_option)
}

/// Returns `self, __union, ::union_runtime::__private::are_set!(self alpha beta),`, without the
/// members if their types are not all written as `Option`.
pub(super) fn looked_at(members: &[Member<'_>], runtime: Runtime<'_>) -> String {
    let mut arguments = String::from("self, __union,");
    if are_looked_at(members) {
        let names: Vec<String> = members
            .iter()
            .map(|member| text::name(member.ident))
            .collect();
        // Writing to a `String` cannot fail.
        let _ = write!(
            arguments,
            "{runtime}::__private::are_set!(self {}),",
            names.join(" ")
        );
    }
    arguments
}

/// Returns `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`, for members whose types may
/// not be members: each call has a span of its own, at which rustc can report the error. Calls take
/// rustc longer.
pub(super) fn look_at_each(members: &[Member<'_>], krate: &Path) -> TokenStream {
    let are_set = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let is_set = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(located(span)=> #is_set(&self.#ident))
    });
    quote!([#(#are_set),*])
}

/// Returns `::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);`: the positions of union
/// and member, and the field.
pub(super) fn reset(input: &Struct<'_>, runtime: Runtime<'_>) -> String {
    let mut fields = String::new();
    for (i, union) in input.unions.iter().enumerate() {
        for (j, member) in union.members.iter().enumerate() {
            // Writing to a `String` cannot fail.
            let _ = write!(fields, "({i}, {j}) {} ", text::name(member.ident));
        }
    }
    format!("{runtime}::__private::reset!({fields});")
}
