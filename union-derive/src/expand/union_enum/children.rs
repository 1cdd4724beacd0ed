//! The methods of `Union` that descend into members.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::{Member, Target};
use crate::expand::{located, respan};

/// Nothing where there is nothing to descend into; else:
///
/// ```text
/// fn children_are_settled(&self) -> bool { match self { Self::S3(member) => Nested::is_settled(member), _ => true } }
/// fn walk_children(&self, ...) { match self { Self::S3(member) => walk_member(member, ...), _ => {} } }
/// fn walk_children_mut(&mut self, ...) { ... }
/// ```
pub(super) fn expand(target: &Target<'_>) -> Option<TokenStream> {
    let nested: Vec<Member<'_>> = target.members().filter(|member| member.nested).collect();
    if nested.is_empty() {
        return None;
    }
    let krate = &target.input.krate;
    let settled = nested.iter().map(|member| {
        let ident = member.ident;
        let ty = member.whole_type();
        let span = member.ty.span();
        let as_nested = respan(quote!(<#ty as #krate::Nested>), span);
        let settled = quote_spanned!(located(span)=> #as_nested::is_settled(__union_member));
        quote!(Self::#ident(__union_member) => #settled,)
    });
    let walk = nested
        .iter()
        .map(|member| descend(member, target, "walk_member"));
    let walk_mut = nested
        .iter()
        .map(|member| descend(member, target, "walk_member_mut"));
    Some(quote! {
        #[inline]
        fn children_are_settled(&self) -> ::core::primitive::bool {
            match self {
                #(#settled)*
                _ => true,
            }
        }
        fn walk_children(
            &self,
            __union_old: ::core::option::Option<&Self>,
            __union_at: &#krate::Place<'_>,
            __union_visitor: &mut dyn #krate::Visitor,
        ) {
            match self {
                #(#walk)*
                _ => {}
            }
        }
        fn walk_children_mut(
            &mut self,
            __union_old: ::core::option::Option<&Self>,
            __union_at: &#krate::Place<'_>,
            __union_visitor: &mut dyn #krate::VisitorMut,
        ) {
            match self {
                #(#walk_mut)*
                _ => {}
            }
        }
    })
}

/// `Self::S3(member) => walk_member(member, |old| match old { Self::S3(old) => Some(old), _ => None }, ("s3", old), at, visitor),`
fn descend(member: &Member<'_>, target: &Target<'_>, function: &str) -> TokenStream {
    let (ident, field, span) = (member.ident, member.field, member.ty.span());
    let krate = &target.input.krate;
    let function = syn::Ident::new(function, located(span));
    let ty = member.whole_type();
    let function = respan(quote!(#krate::__private::#function), span);
    let function = quote_spanned!(located(span)=> #function::<Self, #ty>);
    quote! {
        Self::#ident(__union_member) => #function(
            __union_member,
            |__union_old| match __union_old {
                Self::#ident(__union_old) => ::core::option::Option::Some(__union_old),
                _ => ::core::option::Option::None,
            },
            (#field, __union_old),
            __union_at,
            __union_visitor,
        ),
    }
}
