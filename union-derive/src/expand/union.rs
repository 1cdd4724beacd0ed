//! The impl of `Union`.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::{hook, key, located, respan};
use crate::model::{Absent, Discriminator, Member, MemberValue, Union};

/// ```text
/// impl ::union_runtime::Union for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec] {
///         const UNIONS: &[::union_runtime::UnionSpec] = &[...];
///         UNIONS
///     }
///     fn union_state(&self, _: usize) -> ::union_runtime::State<'_> { ... }
///     fn clear_member(&mut self, _: usize, __union_member: usize) { ... }
/// }
/// ```
///
/// The const stands in the function and not in the impl, so that it is evaluated, and mistakes in it reported, even
/// where nothing uses it, and in generic types too.
pub(crate) fn expand(union: &Union<'_>) -> TokenStream {
    let krate = &union.krate;
    let ident = union.ident;
    let (impl_generics, ty_generics, where_clause) = union.generics.split_for_impl();
    let ty = union.discriminator.ty;
    let discriminator = respan(
        quote!(<#ty as #krate::Discriminator>),
        union.discriminator.ty.span(),
    );
    let declaration = declaration(union, &discriminator);
    let selected = selected(union, &discriminator);
    let (set, clear): (Vec<_>, Vec<_>) = union
        .members
        .iter()
        .enumerate()
        .map(|(i, member)| accessors(i, member, krate))
        .unzip();
    let hook = hook::expand(&union.hook, krate, ident);
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec] {
                const UNIONS: &[#krate::UnionSpec] = &[#krate::__private::union(&#declaration)];
                UNIONS
            }
            #[inline]
            fn union_state(&self, _: ::core::primitive::usize) -> #krate::State<'_> {
                #krate::State::new(&<Self as #krate::Union>::unions()[0], #selected, [#(#set),*])
            }
            fn clear_member(&mut self, _: ::core::primitive::usize, __union_member: ::core::primitive::usize) {
                match __union_member {
                    #(#clear)*
                    _ => {}
                }
            }
        }
        #hook
    }
}

/// `member(member(discriminator::<2>("type", FACTS, false, false), "alpha", "Alpha", [0x.., 0x..], false), ...)`
///
/// Plain calls in each other, as a call's error has the span of its first and last token: those of its own field.
fn declaration(union: &Union<'_>, discriminator: &TokenStream) -> TokenStream {
    let krate = &union.krate;
    let Discriminator {
        name,
        span,
        has_skip_if,
        default,
        ..
    } = &union.discriminator;
    let count = Literal::usize_unsuffixed(union.members.len());
    let defaulted = !default.is_nothing();
    let function = respan(quote!(#krate::__private::discriminator), *span);
    let start = quote_spanned! {located(*span)=>
        #function::<#count>(#name, #discriminator::FACTS, #has_skip_if, #defaulted)
    };
    union.members.iter().fold(start, |before, member| {
        let Member { name, optional, .. } = member;
        let (function, value, span) = match &member.value {
            MemberValue::ByName { camel } => {
                let [json, camel_key] =
                    [name, camel].map(|name| Literal::u64_unsuffixed(key(name)));
                let value = quote!(#camel, [#json, #camel_key]);
                (quote!(#krate::__private::member), value, member.span)
            }
            MemberValue::Written(text) => {
                let value = text.value();
                (
                    quote!(#krate::__private::member_as),
                    quote!(#value),
                    text.span(),
                )
            }
        };
        let function = respan(function, span);
        quote_spanned!(located(span)=> #function(#before, #name, #value, #optional))
    })
}

/// `<Kind as ::union_runtime::Discriminator>::selected(&self.r#type)`
fn selected(union: &Union<'_>, discriminator: &TokenStream) -> TokenStream {
    let Discriminator {
        ident, ty, default, ..
    } = &union.discriminator;
    let default = match default {
        Absent::Nothing => return quote!(#discriminator::selected(&self.#ident)),
        Absent::FieldDefault => quote!(<#ty as ::core::default::Default>::default),
        Absent::FieldPath(path) => quote!(#path),
        Absent::StructDefault => quote!(|| <Self as ::core::default::Default>::default().#ident),
        Absent::StructPath(path) => quote!(|| (#path)().#ident),
    };
    quote!(#discriminator::selected_or(&self.#ident, #default))
}

/// `<Option<Alpha> as ::union_runtime::UnionMember>::is_set(&self.alpha)` and
/// `0 => <Option<Alpha> as ::union_runtime::UnionMember>::clear(&mut self.alpha),`
fn accessors(i: usize, member: &Member<'_>, krate: &Path) -> (TokenStream, TokenStream) {
    let Member { ident, ty, .. } = member;
    // Asked once: the span of a type is put together from all of its tokens.
    let span = ty.span();
    let i = Literal::usize_unsuffixed(i);
    let member_trait = respan(quote!(<#ty as #krate::UnionMember>), span);
    let span = located(span);
    (
        quote_spanned!(span=> #member_trait::is_set(&self.#ident)),
        quote_spanned!(span=> #i => #member_trait::clear(&mut self.#ident),),
    )
}
