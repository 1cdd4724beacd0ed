//! The impl of `Union`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::parts::{self, Parts};
use super::text::{Runtime, Texts};
use super::{
    children, hook_probe, located, members, on_impl_in_text, patch, probe, respan, unknown,
};
use crate::attr::{Enforce, Shape};
use crate::model::{HookCheck, Member, Struct};

/// ```text
/// impl ::union_runtime::Union for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
///         const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ...;
///         &UNIONS
///     }
///     fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> { ... }
///     fn reset_member(&mut self, __union_old: Option<&Self>, __union: usize, __union_member: usize) -> bool { ... }
/// }
/// ```
///
/// The table stands in the function and not in the impl, so that it is evaluated, and mistakes in it reported, even
/// where nothing uses it, and in generic types too.
pub(crate) fn expand(input: &Struct<'_>, hook: &HookCheck) -> TokenStream {
    let krate = &input.krate;
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let runtime = Runtime::new(krate);
    let mut texts = texts(input, runtime).read(runtime);
    let mut next = || texts.next().unwrap_or_default();
    let [on_impl, before, between] = [next(), next(), next()];
    let (mut table, mut states) = (next(), Vec::new());
    let mut unions = Vec::with_capacity(input.unions.len());
    for union in &input.unions {
        let these = parts::parts(union, &next(), &input.unmarked, krate);
        states.push(state(&these, next(), &union.members, krate));
        unions.push(these);
    }
    tables(input, &unions, &mut table);
    let named = hook_probe::named(hook, krate);
    let states = one_of(states);
    let select = select(&unions, krate);
    let descend = children::expand(input);
    let keeps_unknown = unknown::expand(input);
    let checks = children::checks(input);
    let patches = patch::expand(input);
    let patch_checks = patch::checks(input);
    let alias_checks = alias_checks(input);
    let keyed = children::keyed(input, krate);
    let hook = hook_probe::expand(hook, krate, ident);
    quote! {
        #on_impl
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            #keeps_unknown
            #before { #named #table }
            #between { #states }
            #select
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

/// What is written as text, in one: what stands on the impl; its first method and the head of the next one; the head of the
/// third; how the table begins; and of each union its rows and its members.
///
/// ```text
/// fn reset_member(&mut self, __union_old: Option<&Self>, __union: usize, __union_member: usize) -> bool { ... }
/// fn unions() -> &'static [::union_runtime::UnionSpec<'static>]
///
/// fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>>
///
/// const UNIONS: [::union_runtime::UnionSpec<'static>; 1] =
/// ```
fn texts(input: &Struct<'_>, runtime: Runtime<'_>) -> Texts {
    let unions = &input.unions;
    let [old, number, member] = if unions.is_empty() {
        ["_"; 3]
    } else {
        ["__union_old", "__union", "__union_member"]
    };
    let reset = members::reset(input, runtime);
    let mut texts = Texts::new();
    texts.push(&on_impl_in_text());
    texts.push(&format!(
        "fn reset_member(
            &mut self,
            {old}: ::core::option::Option<&Self>,
            {number}: ::core::primitive::usize,
            {member}: ::core::primitive::usize,
        ) -> ::core::primitive::bool {{
            {reset}
        }}
        #[inline]
        fn unions() -> &'static [{runtime}::UnionSpec<'static>]"
    ));
    texts.push(&format!(
        "#[inline]
        fn union_state(
            &self,
            {number}: ::core::primitive::usize,
        ) -> ::core::option::Option<{runtime}::State<'_>>"
    ));
    texts.push(&match unions.len() {
        0 => "&[]".to_owned(),
        1 => format!("const UNIONS: [{runtime}::UnionSpec<'static>; 1] ="),
        count => format!("const UNIONS: [[{runtime}::UnionSpec<'static>; 1]; {count}] ="),
    });
    for union in unions {
        texts.push(&parts::rows(&union.members));
        texts.push(&members::looked_at(&union.members, runtime));
    }
    texts
}

/// Goes on after `const UNIONS: ... =` with `::union_runtime::__private::union(DECLARATION); &UNIONS`. Of several unions it is a
/// list of such lists.
fn tables(input: &Struct<'_>, parts: &[Parts], table: &mut TokenStream) {
    let krate = &input.krate;
    let close = close(input);
    let enforced = enforced(input);
    let unions = parts.iter().map(|parts| {
        let declaration = unknown::beside(&parts.declaration, input.unknown.as_ref(), krate);
        let union = quote!(#krate::__private::#close(#declaration));
        match &enforced {
            None => union,
            Some(by) => quote!(#krate::__private::#by(#union)),
        }
    });
    let unions: Vec<TokenStream> = unions.collect();
    table.extend(match &unions[..] {
        [] => return,
        [union] => quote!(#union; &UNIONS),
        unions => quote!([#(#unions),*]; UNIONS.as_flattened()),
    });
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

/// The function that closes a declaration, by the shape that the author wants.
fn close(input: &Struct<'_>) -> Ident {
    let name = match input.shape {
        Shape::V2022 => "union",
        Shape::V2019 => "union_in_2019",
        Shape::Both => "union_in_both",
    };
    Ident::new(name, Span::call_site())
}

/// The function that says how the unions are enforced, unless by plain CEL rules.
fn enforced(input: &Struct<'_>) -> Option<Ident> {
    let name = match input.enforce {
        Enforce::Cel => return None,
        Enforce::CelSameReason => "enforced_with_same_reason",
        Enforce::OneOf => "enforced_by_one_of",
        Enforce::None => "not_enforced",
    };
    Some(Ident::new(name, Span::call_site()))
}

/// `::union_runtime::__private::state(self, __union, SELECTED, (MEMBER, ...))`, which answers for no other number. `looked_at`
/// are the members, if they are members by their looks.
fn state(
    parts: &Parts,
    looked_at: TokenStream,
    members: &[Member<'_>],
    krate: &Path,
) -> TokenStream {
    let selected = &parts.selected;
    let members = if looked_at.is_empty() {
        members::look_at_each(members, krate)
    } else {
        looked_at
    };
    quote!(#krate::__private::state(self, __union, #selected, #members))
}

/// The state of the only union, or `match __union { 0 => STATE, 1 => STATE, _ => None }`.
fn one_of(mut states: Vec<TokenStream>) -> TokenStream {
    match states.len() {
        0 => quote!(::core::option::Option::None),
        1 => states.pop().unwrap_or_default(),
        _ => {
            let arms = states.iter().enumerate().map(|(i, state)| {
                let i = Literal::usize_unsuffixed(i);
                quote!(#i => #state,)
            });
            quote!(match __union { #(#arms)* _ => ::core::option::Option::None })
        }
    }
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
