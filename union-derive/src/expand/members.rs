//! The argument that lists the set members of a struct, and the macro call that resets members.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{call_site_at, respan};
use crate::model::{Member, Struct, last_name};

/// Returns the tokens of the members of a union as a list, such as
/// `(&self.alpha, (&self.beta, [false; 0]))`. If the type of a member is not written as `Option`,
/// the list is an array with a call for each member, because the type may be invalid.
pub(super) fn set_members(members: &[Member<'_>], krate: &Path) -> TokenStream {
    if members.iter().all(|member| member.is_option) {
        let pairs = members.iter().rev();
        pairs.fold(
            quote!([false; 0]),
            |tail, Member { ident, .. }| quote!((&self.#ident, #tail)),
        )
    } else {
        is_set_calls(members, krate)
    }
}

/// Returns the tokens of `[::union_runtime::UnionMember::is_set(&self.alpha), ...]`, for members
/// whose types may be invalid. rustc compiles these calls more slowly than a list.
fn is_set_calls(members: &[Member<'_>], krate: &Path) -> TokenStream {
    let calls = members
        .iter()
        .map(|member| method_call(member, krate, &quote!(is_set), quote!(&self)));
    quote!([#(#calls),*])
}

/// Returns the tokens of `::union_runtime::UnionMember::METHOD(REFERENCE.alpha)`, in which
/// `REFERENCE` is `&self` or `&mut self`. The call has the span of the member's type, at which
/// rustc reports that the type is invalid.
fn method_call(
    member: &Member<'_>,
    krate: &Path,
    method: &TokenStream,
    reference: TokenStream,
) -> TokenStream {
    let (ident, span) = (member.ident, member.ty.span());
    let function = respan(quote!(#krate::UnionMember::#method), span);
    let span = call_site_at(span);
    let reference = respan(reference, span);
    quote_spanned!(span=> #function(#reference.#ident))
}

/// Returns the tokens of `::union_runtime::__private::reset!(self (0, 0) alpha [] (0, 1) beta [])`.
/// The arguments for each member are the position of the union and the position of the member, the
/// name of the field, and brackets. If the type is not written as `Option<T>`, the brackets contain
/// a call of `UnionMember::clear`.
pub(super) fn reset(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let mut fields = TokenStream::new();
    for (union_index, union) in input.unions.iter().enumerate() {
        let union_index = Literal::usize_unsuffixed(union_index);
        for (member_index, member) in union.members.iter().enumerate() {
            let member_index = Literal::usize_unsuffixed(member_index);
            let ident = member.ident;
            let is_option = last_name(member.ty).is_some_and(|name| name == "Option");
            let clear =
                (!is_option).then(|| method_call(member, krate, &quote!(clear), quote!(&mut self)));
            fields.extend(quote!((#union_index, #member_index) #ident [#clear]));
        }
    }
    quote!(#krate::__private::reset!(self #fields);)
}
