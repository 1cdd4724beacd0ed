//! The methods of `UnionType` that walk the members of an enum.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::target::{Member, Target};
use crate::expand::tokens::{located, respan};
use crate::model::WalkTarget;

/// Returns the tokens of the methods that walk the unions in members. Returns `None` if no member
/// may contain unions. An example:
///
/// ```text
/// fn children_are_settled(&self) -> bool {
///     match self { Self::S3(member) => Nested::is_settled(member), _ => true }
/// }
/// fn walk_children(&self, ...) { match self { Self::S3(member) => { ... } _ => {} } }
/// fn walk_children_mut(&mut self, ...) { ... }
/// ```
pub(super) fn expand(target: &Target<'_>) -> Option<TokenStream> {
    let nested: Vec<Member<'_>> = target
        .members()
        .filter(|member| member.descend == WalkTarget::Unions)
        .collect();
    if nested.is_empty() {
        return None;
    }
    let krate = &target.input.krate;
    let settled = nested.iter().map(|member| {
        let ident = member.ident;
        let ty = member.whole_type();
        let span = member.ty.span();
        let as_nested = respan(
            quote!(<#ty as #krate::Nested<#krate::__private::UnionNodes>>),
            span,
        );
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
        fn walk_children(
            &self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::Visitor + '_>,
        ) {
            let __union_old = __union_on.old;
            match self {
                #(#walk)*
                _ => {}
            }
        }
        fn walk_children_mut(
            &mut self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::VisitorMut + '_>,
        ) {
            let __union_old = __union_on.old;
            match self {
                #(#walk_mut)*
                _ => {}
            }
        }
    })
}

/// Returns the tokens of the method that walks values of enum types. Returns `None` if no member
/// may contain such values. An example:
///
/// ```text
/// fn walk_values(&self, on: &mut Option<Descent<...>>) -> bool {
///     match self { Self::Level(member) => { ... } _ => true }
/// }
/// ```
pub(super) fn values(target: &Target<'_>) -> Option<TokenStream> {
    let krate = &target.input.krate;
    let members = target.members();
    let members = members.filter(|member| member.descend == WalkTarget::Values);
    let arms: Vec<TokenStream> = members
        .map(|member| {
            let field = member.field;
            let probe = respan(quote!(#krate::__private::Probe), member.ty.span());
            let expression = quote!(#probe::from_value(__union_member).walk_values(__union_member, __union_raw, __union_old, #field, __union_on));
            arm(&member, target, &expression)
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            #[inline]
            fn walk_values(
                &self,
                __union_on: &mut ::core::option::Option<#krate::__private::Descent<'_, '_, Self, dyn #krate::Visitor + '_>>,
            ) -> ::core::primitive::bool {
                use #krate::__private::ProbeDefaults as _;
                let __union_old = __union_on.as_ref().and_then(|__union_on| __union_on.old);
                match self {
                    #(#arms)*
                    _ => true,
                }
            }
        }
    })
}

/// Returns the tokens of the match arm that walks the unions in a member. An example:
///
/// ```text
/// Self::S3(member) => {
///     let raw = || <S3 as EnumMember>::from_old::<Self>("s3", old);
///     let old = match old { Some(Self::S3(old)) => Some(old), _ => None };
///     on.member("s3", raw(), old, |on| <S3 as Nested>::walk(member, on));
/// }
/// ```
fn descend(member: &Member<'_>, target: &Target<'_>, function: &str) -> TokenStream {
    let (field, span) = (member.field, member.ty.span());
    let krate = &target.input.krate;
    let function = syn::Ident::new(function, located(span));
    let whole = member.whole_type();
    let as_nested = respan(
        quote!(<#whole as #krate::Nested<#krate::__private::UnionNodes>>),
        span,
    );
    let walk = quote_spanned!(located(span)=> #as_nested::#function(__union_member, __union_on));
    arm(
        member,
        target,
        &quote!(__union_on.member(#field, __union_raw(), __union_old, |__union_on| #walk);),
    )
}

/// Returns the tokens of the match arm `Self::S3(member) => { ... }`. `expression` can use the
/// member, the old member, and a function that reads the old member from an old object that could
/// not be read as a whole.
fn arm(member: &Member<'_>, target: &Target<'_>, expression: &TokenStream) -> TokenStream {
    let (ident, field, ty) = (member.ident, member.field, member.ty);
    let krate = &target.input.krate;
    let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), ty.span());
    let raw =
        quote_spanned!(located(ty.span())=> #as_member::from_old::<Self>(#field, __union_old));
    let raw = if member.is_option {
        quote!(::core::option::Option::map(#raw, ::core::option::Option::Some))
    } else {
        raw
    };
    quote! {
        Self::#ident(__union_member) => {
            let __union_raw = || #raw;
            let __union_old = match __union_old {
                ::core::option::Option::Some(Self::#ident(__union_old)) => ::core::option::Option::Some(__union_old),
                _ => ::core::option::Option::None,
            };
            #expression
        }
    }
}
