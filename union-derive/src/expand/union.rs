//! The impls of `Union` and `Node`.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::{hook, located, respan};
use crate::model::{Absent, Discriminator, Member, MemberValue, Union};

/// ```ignore
/// impl ::union_runtime::Union for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec] {
///         const UNIONS: &[::union_runtime::UnionSpec] = &[...];
///         UNIONS
///     }
/// }
/// impl ::union_runtime::Node for Strategy { ... }
/// ```
///
/// The const stands in the function and not in the impl, so that it is evaluated, and mistakes in it reported, even
/// where nothing uses it, and in generic types too.
pub(crate) fn expand(union: &Union<'_>) -> TokenStream {
    let krate = &union.krate;
    let ident = union.ident;
    let (impl_generics, ty_generics, where_clause) = union.generics.split_for_impl();
    let spec = spec(union);
    let selected = selected(&union.discriminator, union);
    let set = union.members.iter().map(|member| is_set(member, union));
    let clear = union
        .members
        .iter()
        .enumerate()
        .map(|(i, member)| clear(i, member, union));
    let hook = hook::expand(&union.hook, krate, ident);
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec] {
                const UNIONS: &[#krate::UnionSpec] = &[#spec];
                UNIONS
            }
        }
        #[automatically_derived]
        impl #impl_generics #krate::Node for #ident #ty_generics #where_clause {
            #[inline]
            fn specs(&self) -> &[#krate::UnionSpec] {
                <Self as #krate::Union>::unions()
            }
            #[inline]
            fn state(&self, _: ::core::primitive::usize) -> #krate::State<'_> {
                #krate::State::new(&<Self as #krate::Union>::unions()[0], #selected, [#(#set),*])
            }
            fn clear(&mut self, _: ::core::primitive::usize, __union_member: ::core::primitive::usize) {
                match __union_member {
                    #(#clear)*
                    _ => {}
                }
            }
        }
        #hook
    }
}

/// `union(&member(member(discriminator::<2>("type", FACTS, false, false), "alpha", "Alpha", false), ...))`
///
/// Plain calls in each other, as a call's error has the span of its first and last token: those of its own field.
fn spec(union: &Union<'_>) -> TokenStream {
    let krate = &union.krate;
    let Discriminator {
        ty,
        name,
        span,
        has_skip_if,
        default,
        ..
    } = &union.discriminator;
    let count = Literal::usize_unsuffixed(union.members.len());
    let defaulted = !default.is_nothing();
    let facts = respan(quote!(<#ty as #krate::Discriminator>::FACTS), ty.span());
    let function = respan(quote!(#krate::__private::discriminator), *span);
    let start = quote_spanned! {located(*span)=>
        #function::<#count>(#name, #facts, #has_skip_if, #defaulted)
    };
    let members = union.members.iter().fold(start, |before, member| {
        let Member { name, optional, .. } = member;
        let (function, value, span) = match &member.value {
            MemberValue::ByName { camel } => ("member", camel.clone(), member.span),
            MemberValue::Written(value) => ("member_as", value.value(), value.span()),
        };
        let function = quote::format_ident!("{function}");
        let function = respan(quote!(#krate::__private::#function), span);
        quote_spanned! {located(span)=>
            #function(#before, #name, #value, #optional)
        }
    });
    quote!(#krate::__private::union(&#members))
}

/// `<Kind as ::union_runtime::Discriminator>::selected(&self.r#type)`
fn selected(discriminator: &Discriminator<'_>, union: &Union<'_>) -> TokenStream {
    let krate = &union.krate;
    let Discriminator { ident, ty, .. } = discriminator;
    let span = ty.span();
    let function = respan(quote!(<#ty as #krate::Discriminator>), span);
    let default = match &discriminator.default {
        Absent::Nothing => {
            return quote_spanned!(located(span)=> #function::selected(&self.#ident));
        }
        Absent::FieldDefault => quote!(<#ty as ::core::default::Default>::default),
        Absent::FieldPath(path) => quote!(#path),
        Absent::StructDefault => quote!(|| <Self as ::core::default::Default>::default().#ident),
        Absent::StructPath(path) => quote!(|| (#path)().#ident),
    };
    quote_spanned!(located(span)=> #function::selected_or(&self.#ident, #default))
}

/// `<Option<Alpha> as ::union_runtime::UnionMember>::is_set(&self.alpha)`
fn is_set(member: &Member<'_>, union: &Union<'_>) -> TokenStream {
    let ident = member.ident;
    let member_trait = member_trait(member, union);
    quote_spanned!(located(member.ty.span())=> #member_trait::is_set(&self.#ident))
}

/// `0 => <Option<Alpha> as ::union_runtime::UnionMember>::clear(&mut self.alpha),`
fn clear(i: usize, member: &Member<'_>, union: &Union<'_>) -> TokenStream {
    let i = Literal::usize_unsuffixed(i);
    let ident = member.ident;
    let member_trait = member_trait(member, union);
    quote_spanned!(located(member.ty.span())=> #i => #member_trait::clear(&mut self.#ident),)
}

fn member_trait(member: &Member<'_>, union: &Union<'_>) -> TokenStream {
    let krate = &union.krate;
    let ty = member.ty;
    respan(quote!(<#ty as #krate::UnionMember>), ty.span())
}
