//! The methods of `UnionType` that walk the members of an enum.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::context::{EnumContext, Member};
use crate::expand::tokens::{call_site_at, respan};
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
pub(super) fn walk_methods(context: &EnumContext<'_>) -> Option<TokenStream> {
    let nested_members: Vec<Member<'_>> = context
        .members()
        .filter(|member| member.walk_target == WalkTarget::Unions)
        .collect();
    if nested_members.is_empty() {
        return None;
    }
    let krate = &context.input.krate;
    let settled_arms = nested_members.iter().map(|member| {
        let ident = member.ident;
        let ty = member.variant_type();
        let span = member.ty.span();
        let as_nested = respan(
            quote!(<#ty as #krate::Nested<#krate::__private::UnionNodes>>),
            span,
        );
        let is_settled =
            quote_spanned!(call_site_at(span)=> #as_nested::is_settled(__union_member));
        quote!(Self::#ident(__union_member) => #is_settled,)
    });
    let walk_arms = nested_members
        .iter()
        .map(|member| walk_arm(member, context, "walk"));
    let walk_mut_arms = nested_members
        .iter()
        .map(|member| walk_arm(member, context, "walk_mut"));
    Some(quote! {
        #[inline]
        fn children_are_settled(&self) -> ::core::primitive::bool {
            match self {
                #(#settled_arms)*
                _ => true,
            }
        }
        fn walk_children(
            &self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::Visitor + '_>,
        ) {
            let __union_old = __union_on.old;
            match self {
                #(#walk_arms)*
                _ => {}
            }
        }
        fn walk_children_mut(
            &mut self,
            mut __union_on: #krate::__private::Descent<'_, '_, Self, dyn #krate::VisitorMut + '_>,
        ) {
            let __union_old = __union_on.old;
            match self {
                #(#walk_mut_arms)*
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
///     match self {
///         Self::Level(member) => {
///             Probe::from_value(member).walk_values(member, |old| ..., EnumMember::from_old, "level", on)
///         }
///         _ => true,
///     }
/// }
/// ```
pub(super) fn walk_values_method(context: &EnumContext<'_>) -> Option<TokenStream> {
    let krate = &context.input.krate;
    let members = context.members();
    let members = members.filter(|member| member.walk_target == WalkTarget::Values);
    let arms: Vec<TokenStream> = members
        .map(|member| {
            let (ident, name, ty, span) = (member.ident, member.json_name, member.ty, member.ty.span());
            let probe = respan(quote!(#krate::__private::Probe), span);
            let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), span);
            let read_raw = quote_spanned!(call_site_at(span)=> #as_member::from_old);
            let read_raw = if member.is_option {
                quote!(|__union_name, __union_old| #read_raw(__union_name, __union_old).map(::core::option::Option::Some))
            } else {
                read_raw
            };
            let old_member = quote! {
                |__union_old| match __union_old {
                    Self::#ident(__union_old) => ::core::option::Option::Some(__union_old),
                    _ => ::core::option::Option::None,
                }
            };
            quote! {
                Self::#ident(__union_member) => #probe::from_value(__union_member).walk_values(__union_member, #old_member, #read_raw, #name, __union_on),
            }
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
fn walk_arm(member: &Member<'_>, context: &EnumContext<'_>, function: &str) -> TokenStream {
    let (name, span) = (member.json_name, member.ty.span());
    let krate = &context.input.krate;
    let function = syn::Ident::new(function, call_site_at(span));
    let ty = member.variant_type();
    let as_nested = respan(
        quote!(<#ty as #krate::Nested<#krate::__private::UnionNodes>>),
        span,
    );
    let walk =
        quote_spanned!(call_site_at(span)=> #as_nested::#function(__union_member, __union_on));
    member_arm(
        member,
        context,
        &quote!(__union_on.member(#name, __union_raw(), __union_old, |__union_on| #walk);),
    )
}

/// Returns the tokens of the match arm `Self::S3(member) => { ... }`. `expression` can use
/// `__union_member`, `__union_old`, and the function `__union_raw`, which reads the old member from
/// an old object that does not deserialize as a whole.
fn member_arm(
    member: &Member<'_>,
    context: &EnumContext<'_>,
    expression: &TokenStream,
) -> TokenStream {
    let (ident, name, ty) = (member.ident, member.json_name, member.ty);
    let krate = &context.input.krate;
    let as_member = respan(quote!(<#ty as #krate::__private::EnumMember>), ty.span());
    let read_raw =
        quote_spanned!(call_site_at(ty.span())=> #as_member::from_old::<Self>(#name, __union_old));
    let read_raw = if member.is_option {
        quote!(::core::option::Option::map(#read_raw, ::core::option::Option::Some))
    } else {
        read_raw
    };
    quote! {
        Self::#ident(__union_member) => {
            let __union_raw = || #read_raw;
            let __union_old = match __union_old {
                ::core::option::Option::Some(Self::#ident(__union_old)) => ::core::option::Option::Some(__union_old),
                _ => ::core::option::Option::None,
            };
            #expression
        }
    }
}
