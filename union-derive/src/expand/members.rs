//! The arguments that tell the runtime which members of a struct are set, and the macro call that
//! resets members.

use core::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::text::{self, Runtime};
use super::tokens::{located, respan};
use crate::model::{Member, Struct};

/// Returns true if the types of all members are written as `Option`. Then a macro of the runtime
/// can look at all members together, which is faster to compile.
pub(super) fn are_looked_at(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| member.is_option)
}

/// Returns the source of the first arguments of `state`: `self, __union,
/// ::union_runtime::__private::are_set!(self alpha beta),`. The macro call is omitted if a member's
/// type is not written as `Option`.
pub(super) fn looked_at(members: &[Member<'_>], runtime: Runtime<'_>) -> String {
    let mut arguments = String::from("self, __union,");
    if are_looked_at(members) {
        let names: Vec<String> = members
            .iter()
            .map(|member| text::name(member.ident))
            .collect();
        // Writing to a `String` never fails.
        let _ = write!(
            arguments,
            "{runtime}::__private::are_set!(self {}),",
            names.join(" ")
        );
    }
    arguments
}

/// Returns the tokens of `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`, for members
/// whose types may be invalid. Each call has the span of the member's type, so that rustc reports
/// the error there. rustc compiles these calls more slowly than `are_set!`.
pub(super) fn look_at_each(members: &[Member<'_>], krate: &Path) -> TokenStream {
    let are_set = members.iter().map(|Member { ident, ty, .. }| {
        let span = ty.span();
        let is_set = respan(quote!(#krate::UnionMember::is_set), span);
        quote_spanned!(located(span)=> #is_set(&self.#ident))
    });
    quote!([#(#are_set),*])
}

/// Returns the source of `::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);`. The
/// arguments are the positions of union and member, and the name of the field.
pub(super) fn reset(input: &Struct<'_>, runtime: Runtime<'_>) -> String {
    let mut fields = String::new();
    for (i, union) in input.unions.iter().enumerate() {
        for (j, member) in union.members.iter().enumerate() {
            // Writing to a `String` never fails.
            let _ = write!(fields, "({i}, {j}) {} ", text::name(member.ident));
        }
    }
    format!("{runtime}::__private::reset!({fields});")
}
