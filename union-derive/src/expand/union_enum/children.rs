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
/// fn walk_children(&self, ...) { match self { Self::S3(member) => { ... } _ => {} } }
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
    let walk = nested.iter().map(|member| descend(member, target, "walk"));
    let walk_mut = nested
        .iter()
        .map(|member| descend(member, target, "walk_mut"));
    Some(quote! {
        #[inline]
        fn children_are_settled(&self) -> ::core::primitive::bool {
            match self {
                #(#settled)*
                _ => true,
            }
        }
        fn walk_children<'__union>(
            &self,
            __union_old: ::core::option::Option<&'__union Self>,
            __union_at: &#krate::Place<'_, '__union>,
            __union_visitor: &mut dyn #krate::Visitor,
        ) {
            match self {
                #(#walk)*
                _ => {}
            }
        }
        fn walk_children_mut<'__union>(
            &mut self,
            __union_old: ::core::option::Option<&'__union Self>,
            __union_at: &#krate::Place<'_, '__union>,
            __union_visitor: &mut dyn #krate::VisitorMut,
        ) {
            match self {
                #(#walk_mut)*
                _ => {}
            }
        }
    })
}

/// ```text
/// Self::S3(member) => {
///     let raw = <S3 as EnumMember>::of_old::<Self>("s3", old);
///     let old = match old { Some(Self::S3(old)) => Some(old), _ => None };
///     Place::member(at, "s3", raw, old, |old, at| <S3 as Nested>::walk(member, old, at, visitor));
/// }
/// ```
fn descend(member: &Member<'_>, target: &Target<'_>, function: &str) -> TokenStream {
    let (ident, field, ty) = (member.ident, member.field, member.ty);
    let span = ty.span();
    let krate = &target.input.krate;
    let function = syn::Ident::new(function, located(span));
    let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
    let raw = quote_spanned!(located(span)=> #as_member::of_old::<Self>(#field, __union_old));
    let raw = if member.is_option {
        quote!(::core::option::Option::map(#raw, ::core::option::Option::Some))
    } else {
        raw
    };
    let whole = member.whole_type();
    let as_nested = respan(quote!(<#whole as #krate::Nested>), span);
    let walk = quote_spanned!(located(span)=> #as_nested::#function(__union_member, __union_old, __union_at, __union_visitor));
    quote! {
        Self::#ident(__union_member) => {
            let __union_raw = #raw;
            let __union_old = match __union_old {
                ::core::option::Option::Some(Self::#ident(__union_old)) => ::core::option::Option::Some(__union_old),
                _ => ::core::option::Option::None,
            };
            #krate::Place::member(__union_at, #field, __union_raw, __union_old, |__union_old, __union_at| #walk);
        }
    }
}
