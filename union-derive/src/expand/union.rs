//! The impl of `Union`.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{TokenStreamExt as _, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::parts::{Parts, parts};
use super::text::Runtime;
use super::{children, hook_probe, located, members, on_impl, patch, probe, respan, unknown};
use crate::attr::{Enforce, Shape};
use crate::model::{HookCheck, Struct};

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
    let parts: Vec<Parts> = input
        .unions
        .iter()
        .map(|union| parts(union, &input.unmarked, krate))
        .collect();
    let named = hook_probe::named(hook, krate);
    let accessors = accessors(input, &parts, named);
    let descend = children::expand(input);
    let keeps_unknown = unknown::expand(input);
    let checks = children::checks(input);
    let patches = patch::expand(input);
    let patch_checks = patch::checks(input);
    let alias_checks = alias_checks(input);
    let keyed = children::keyed(input, krate);
    let hook = hook_probe::expand(hook, krate, ident);
    let on_impl = on_impl();
    quote! {
        #on_impl
        impl #impl_generics #krate::Union for #ident #ty_generics #where_clause {
            #keeps_unknown
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

/// `const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ::union_runtime::__private::union(DECLARATION); &UNIONS`. Of
/// several unions, or none, it is a list of such lists.
fn table(input: &Struct<'_>, parts: &[Parts]) -> TokenStream {
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
    if let [union] = &unions[..] {
        let runtime = Runtime::new(krate);
        let text = format!("const UNIONS: [{runtime}::UnionSpec<'static>; 1] =");
        let mut table = runtime.tokens(&text);
        table.extend(quote!(#union; &UNIONS));
        return table;
    }
    if unions.is_empty() {
        return quote!(&[]);
    }
    let count = Literal::usize_unsuffixed(unions.len());
    quote! {
        const UNIONS: [[#krate::UnionSpec<'static>; 1]; #count] = [#(#unions),*];
        UNIONS.as_flattened()
    }
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

/// The methods that say which unions there are, and read and write what they are about.
///
/// ```text
/// fn reset_member(&mut self, __union_old: Option<&Self>, __union: usize, __union_member: usize) -> bool { ... }
/// fn unions() -> &'static [::union_runtime::UnionSpec<'static>] { TABLE }
/// fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> { STATE }
/// ```
fn accessors(input: &Struct<'_>, parts: &[Parts], named: Option<TokenStream>) -> TokenStream {
    let krate = &input.krate;
    let [old, number, member] = if parts.is_empty() {
        ["_"; 3]
    } else {
        ["__union_old", "__union", "__union_member"]
    };
    let runtime = Runtime::new(krate);
    let reset = members::reset(input);
    let before = format!(
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
    );
    let between = format!(
        "#[inline]
        fn union_state(
            &self,
            {number}: ::core::primitive::usize,
        ) -> ::core::option::Option<{runtime}::State<'_>>"
    );
    let mut methods = runtime.tokens(&before);
    let mut body = named.unwrap_or_default();
    body.extend(table(input, parts));
    methods.append(Group::new(Delimiter::Brace, body));
    methods.extend(runtime.tokens(&between));
    methods.append(Group::new(Delimiter::Brace, states(input, parts)));
    methods.extend(select(parts, krate));
    methods
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

/// `::union_runtime::__private::state(self, __union, SELECTED, (MEMBER, ...))`, which answers for no other number; or
/// `match __union { 0 => STATE, 1 => STATE, _ => None }`.
fn states(input: &Struct<'_>, parts: &[Parts]) -> TokenStream {
    let krate = &input.krate;
    let states = input.unions.iter().zip(parts).map(|(union, parts)| {
        let selected = &parts.selected;
        let members = members::look_at(&union.members, krate);
        quote!(#krate::__private::state(self, __union, #selected, #members))
    });
    let states: Vec<TokenStream> = states.collect();
    if let [state] = &states[..] {
        return state.clone();
    }
    let none = quote!(::core::option::Option::None);
    if states.is_empty() {
        return none;
    }
    let arms = states.iter().enumerate().map(|(i, state)| {
        let i = Literal::usize_unsuffixed(i);
        quote!(#i => #state,)
    });
    quote!(match __union { #(#arms)* _ => #none })
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
