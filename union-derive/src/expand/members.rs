//! The members of a struct, as the runtime is handed them.

use core::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::text::{self, Runtime};
use super::tokens::{located, respan};
use crate::model::{Member, Struct};

/// Returns true if all of them are members by their looks.
pub(super) fn are_looked_at(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| member.is_option)
}

/// `self, __union, ::union_runtime::__private::are_set!(self alpha beta),`, without the members if
/// they are not looked at.
pub(super) fn looked_at(members: &[Member<'_>], runtime: Runtime<'_>) -> String {
    let mut arguments = String::from("self, __union,");
    if are_looked_at(members) {
        let names: Vec<String> = members
            .iter()
            .map(|member| text::name(member.ident))
            .collect();
        // A `String` takes all that is written to it.
        let _ = write!(
            arguments,
            "{runtime}::__private::are_set!(self {}),",
            names.join(" ")
        );
    }
    arguments
}

/// `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`, where a type may turn out to be no member's: a call has a place of
/// its own, where rustc can say so. It also takes rustc longer.
pub(super) fn look_at_each(members: &[Member<'_>], krate: &Path) -> TokenStream {
    let are_set = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let is_set = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(located(span)=> #is_set(&self.#ident))
    });
    quote!([#(#are_set),*])
}

/// `::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);`: the positions of union and
/// member, and the field.
pub(super) fn reset(input: &Struct<'_>, runtime: Runtime<'_>) -> String {
    let mut fields = String::new();
    for (i, union) in input.unions.iter().enumerate() {
        for (j, member) in union.members.iter().enumerate() {
            // A `String` takes all that is written to it.
            let _ = write!(fields, "({i}, {j}) {} ", text::name(member.ident));
        }
    }
    format!("{runtime}::__private::reset!({fields});")
}
