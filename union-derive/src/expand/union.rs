//! The impl of `Union`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::parts::{Parts, parts};
use super::{
    children, hook_probe, import_for_probe, located, on_impl, patch, probe, respan, unknown,
};
use crate::attr::{Enforce, Shape};
use crate::model::{HookCheck, Struct};

/// ```text
/// impl ::union_runtime::Union for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
///         static UNIONS: &[::union_runtime::UnionSpec<'static>] = &[...];
///         UNIONS
///     }
///     fn union_state(&self, _: usize) -> ::union_runtime::State<'_> { ... }
///     fn clear_member(&mut self, _: usize, __union_member: usize) { ... }
///     fn restore_member(&mut self, __union_old: &Self, _: usize, __union_member: usize) -> bool { ... }
/// }
/// ```
///
/// The table stands in the function and not in the impl, so that it is evaluated, and mistakes in it reported, even
/// where nothing uses it, and in generic types too.
pub(crate) fn expand(input: &Struct<'_>, hook: &HookCheck) -> TokenStream {
    let krate = &input.krate;
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let parts: Vec<Parts> = input
        .unions
        .iter()
        .map(|union| parts(union, &input.unmarked, krate))
        .collect();
    let declarations = declarations(input, &parts);
    let accessors = accessors(&parts, krate);
    let descend = children::expand(input);
    let keeps_unknown = unknown::expand(input);
    let checks = children::checks(input);
    let patches = patch::expand(input);
    let patch_checks = patch::checks(input);
    let alias_checks = alias_checks(input);
    let keyed = children::keyed(input, krate);
    let named = hook_probe::named(hook, krate);
    let hook = hook_probe::expand(hook, krate, ident);
    let on_impl = on_impl();
    quote! {
        #on_impl
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            #keeps_unknown
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec<'static>] {
                #named
                static UNIONS: &[#krate::UnionSpec<'static>] = &[#declarations];
                UNIONS
            }
            #accessors
            #descend
            #patches
        }
        #keyed
        #checks
        #patch_checks
        #alias_checks
        #hook
    }
}

/// `::union_runtime::__private::union(&DECLARATION)` for each union, with commas between them.
fn declarations(input: &Struct<'_>, parts: &[Parts]) -> TokenStream {
    let krate = &input.krate;
    let close = close(input);
    let enforced = enforced(input);
    let declarations = parts.iter().map(|parts| {
        let declaration = unknown::beside(&parts.declaration, input.unknown.as_ref(), krate);
        let union = quote!(#krate::__private::#close(&#declaration));
        match &enforced {
            None => union,
            Some(by) => quote!(#krate::__private::#by(#union)),
        }
    });
    quote!(#(#declarations),*)
}

/// For each member whose type has a name of its own:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::NoOptionTwice as _;
///     ::union_runtime::__private::refuse_option_twice(<::union_runtime::__private::Probe<Text>>::IS_OPTION_TWICE)
/// };
/// ```
fn alias_checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let members = input.unions.iter().flat_map(|union| &union.members);
    let checks = members.filter(|member| member.is_alias).map(|member| {
        let ty = member.ty;
        let span = ty.span();
        let call = respan(
            quote!(refuse_option_twice(<#krate::__private::Probe<#ty>>::IS_OPTION_TWICE)),
            span,
        );
        let traits = quote_spanned!(located(span)=> NoOptionTwice as _);
        probe(&respan(quote!(#krate), span), &traits, &call, span)
    });
    quote!(#(#checks)*)
}

/// The methods that read and write what the unions of one struct are about.
fn accessors(parts: &[Parts], krate: &Path) -> TokenStream {
    // One union needs no number.
    let [number, member] = match parts.len() {
        0 => [quote!(_), quote!(_)],
        1 => [quote!(_), quote!(__union_member)],
        _ => [quote!(__union), quote!(__union_member)],
    };
    let state = if parts.is_empty() {
        quote!(#krate::State::EMPTY)
    } else {
        choose(
            parts
                .iter()
                .enumerate()
                .map(|(i, parts)| state(i, parts, krate)),
        )
    };
    let nothing = quote!({});
    let clear = choose(parts.iter().map(|parts| by_member(&parts.clear, &nothing)));
    let restore = restore(parts, krate, &number, &member);
    let select = select(parts, krate);
    quote! {
        #[inline]
        fn union_state(&self, #number: ::core::primitive::usize) -> #krate::State<'_> {
            #state
        }
        fn clear_member(&mut self, #number: ::core::primitive::usize, #member: ::core::primitive::usize) {
            #clear
        }
        #restore
        #select
    }
}

/// The function that closes a declaration, by the shape that the author wants.
fn close(input: &Struct<'_>) -> Ident {
    let name = match input.shape {
        Shape::V2022 => "union",
        Shape::V2019 => "union_in_2019",
        Shape::Both => "union_in_both",
    };
    Ident::new(name, Span::call_site())
}

/// The function that says how the unions are enforced, unless by CEL.
fn enforced(input: &Struct<'_>) -> Option<Ident> {
    let name = match input.enforce {
        Enforce::Cel => return None,
        Enforce::OneOf => "enforced_by_one_of",
        Enforce::None => "not_enforced",
    };
    Some(Ident::new(name, Span::call_site()))
}

/// `::union_runtime::__private::state::<Self, _>(0, SELECTED, [SET, ...])`
fn state(i: usize, parts: &Parts, krate: &Path) -> TokenStream {
    let i = Literal::usize_unsuffixed(i);
    let Parts { selected, set, .. } = parts;
    quote!(#krate::__private::state::<Self, _>(#i, #selected, [#(#set),*]))
}

/// Nothing where there are no unions; else:
///
/// ```text
/// fn restore_member(&mut self, __union_old: &Self, _: usize, __union_member: usize) -> bool {
///     use ::union_runtime::__private::NotClone as _;
///     let Some(mut __union_old) = ::union_runtime::__private::Restore(__union_old).cloned() else {
///         return false;
///     };
///     match __union_member { 0 => RESTORE, ... _ => return false }
///     true
/// }
/// ```
fn restore(
    parts: &[Parts],
    krate: &Path,
    number: &TokenStream,
    member: &TokenStream,
) -> Option<TokenStream> {
    let nothing = quote!(return false);
    let restore = choose(
        parts
            .iter()
            .map(|parts| by_member(&parts.restore, &nothing)),
    );
    let import = import_for_probe(&quote!(#krate), &quote!(NotClone as _), Span::call_site());
    (!parts.is_empty()).then(|| {
        quote! {
            fn restore_member(
                &mut self,
                __union_old: &Self,
                #number: ::core::primitive::usize,
                #member: ::core::primitive::usize,
            ) -> ::core::primitive::bool {
                #import
                let ::core::option::Option::Some(mut __union_old) =
                    #krate::__private::Restore(__union_old).cloned()
                else {
                    return false;
                };
                #restore
                true
            }
        }
    })
}

/// `match __union_member { 0 => FIRST, ... _ => OTHERWISE }`
fn by_member(what: &[TokenStream], otherwise: &TokenStream) -> TokenStream {
    let arms = numbered(what.iter());
    quote!(match __union_member { #(#arms)* _ => #otherwise })
}

/// Nothing where no discriminator follows its members; else:
///
/// ```text
/// fn select_member(&mut self, __union: usize, __union_member: usize) {
///     if let Some(__union_member) = ::union_runtime::__private::member_at::<Self>(__union, __union_member) {
///         match __union { 0 => SELECT, ... _ => {} }
///     }
/// }
/// ```
fn select(parts: &[Parts], krate: &Path) -> Option<TokenStream> {
    let selects = parts.iter().enumerate().filter_map(|(i, parts)| {
        let i = Literal::usize_unsuffixed(i);
        let select = parts.select.as_ref()?;
        Some(quote!(#i => #select,))
    });
    let selects: Vec<TokenStream> = selects.collect();
    (!selects.is_empty()).then(|| {
        quote! {
            fn select_member(&mut self, __union: ::core::primitive::usize, __union_member: ::core::primitive::usize) {
                if let ::core::option::Option::Some(__union_member) =
                    #krate::__private::member_at::<Self>(__union, __union_member)
                {
                    match __union { #(#selects)* _ => {} }
                }
            }
        }
    })
}

/// The only one, or `match __union { 0 => FIRST, _ => LAST }`.
fn choose(choices: impl Iterator<Item = TokenStream>) -> TokenStream {
    let mut choices: Vec<TokenStream> = choices.collect();
    let Some(last) = choices.pop() else {
        return TokenStream::new();
    };
    if choices.is_empty() {
        return last;
    }
    let arms = numbered(choices.iter());
    quote!(match __union { #(#arms)* _ => #last })
}

/// `0 => FIRST, 1 => SECOND,`
fn numbered<'a>(items: impl Iterator<Item = &'a TokenStream>) -> impl Iterator<Item = TokenStream> {
    items.enumerate().map(|(i, item)| {
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => #item,)
    })
}
