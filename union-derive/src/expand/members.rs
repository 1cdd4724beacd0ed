//! The members of a struct, as the runtime is handed them.

use core::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::text::{self, Runtime};
use super::tokens::{located, respan};
use crate::model::{Member, Struct};

/// How many a tuple holds: the runtime knows no longer ones.
const MOST: usize = 8;

/// Whether all of them are members by their looks.
pub(super) fn are_looked_at(members: &[Member<'_>]) -> bool {
    members.iter().all(|member| member.is_option)
}

/// `self, __union, (&self.alpha, &self.beta),`, without the members if they are not looked at.
pub(super) fn looked_at(members: &[Member<'_>], runtime: Runtime<'_>) -> String {
    if are_looked_at(members) {
        let members = tuple(members, "&self", runtime);
        format!("self, __union, {members},")
    } else {
        "self, __union,".to_owned()
    }
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

/// Nothing to be reset; or:
///
/// ```text
/// ::union_runtime::__private::reset(
///     (&mut self.alpha, &mut self.beta),
///     __union_old.map(|__union_old| (&__union_old.alpha, &__union_old.beta)),
/// )
/// .member(__union, __union_member)
/// ```
///
/// Of several unions each is its only one in an arm of its own. In a struct with type parameters some members can be cloned
/// and others cannot, so there each member has an arm.
pub(super) fn reset(input: &Struct<'_>, runtime: Runtime<'_>) -> String {
    let unions = &input.unions;
    let is_generic = input.generics.type_params().next().is_some();
    if let ([union], false) = (&unions[..], is_generic) {
        return reset_of(&union.members, "__union, __union_member", runtime);
    }
    let mut arms = String::new();
    for (i, union) in unions.iter().enumerate() {
        // A text takes all that is written to it.
        let _ = if is_generic {
            let mut members = union.members.iter().enumerate();
            members.try_for_each(|(j, member)| {
                let reset = reset_of(core::slice::from_ref(member), "0, 0", runtime);
                write!(arms, "({i}, {j}) => {reset},")
            })
        } else {
            let reset = reset_of(&union.members, "0, __union_member", runtime);
            write!(arms, "{i} => {reset},")
        };
    }
    match (arms.is_empty(), is_generic) {
        (true, _) => "false".to_owned(),
        (false, true) => format!("match (__union, __union_member) {{ {arms} _ => false }}"),
        (false, false) => format!("match __union {{ {arms} _ => false }}"),
    }
}

fn reset_of(members: &[Member<'_>], which: &str, runtime: Runtime<'_>) -> String {
    let new = tuple(members, "&mut self", runtime);
    let old = tuple(members, "&__union_old", runtime);
    format!(
        "{runtime}::__private::reset({new}, __union_old.map(|__union_old| {old})).member({which})"
    )
}

/// `(&self.a, &self.b,)`, and `::union_runtime::__private::And((&self.a, ...,), (&self.i, ...,))` where they are too many.
fn tuple(members: &[Member<'_>], of: &str, runtime: Runtime<'_>) -> String {
    let mut tuples = members.chunks(MOST).rev().map(|members| {
        let mut tuple = String::from("(");
        for member in members {
            tuple.push_str(of);
            tuple.push('.');
            tuple.push_str(&text::name(member.ident));
            tuple.push(',');
        }
        tuple + ")"
    });
    let last = tuples.next().unwrap_or_default();
    tuples.fold(last, |behind, tuple| {
        format!("{runtime}::__private::And({tuple}, {behind})")
    })
}
