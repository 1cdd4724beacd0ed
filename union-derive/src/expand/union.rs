//! The tokens of `#[derive(Union)]`, mainly the impl of `UnionType`.

use core::mem;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{impl_attributes, probe_constant, respan};
use super::union_tokens::{self, UnionTokens};
use super::{children, hook_probe, members, not_nested, patch, unknown, values};
use crate::attr::{Enforcement, ExtensionShape};
use crate::model::{DeferredHookCheck, Member, Struct};

/// Returns all tokens of `#[derive(Union)]`. An example:
///
/// ```text
/// impl ::union_runtime::spec::UnionType for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
///         const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ...;
///         &UNIONS
///     }
///     fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> { ... }
///     ::union_runtime::__private::reset!(self [LIST] 0 alpha 1 beta);
/// }
/// ```
///
/// The table `UNIONS` is a constant in the function, not in the impl. rustc therefore evaluates the
/// table and reports its errors even in generic types, and even if the program does not use the
/// table.
pub(crate) fn expand(input: &Struct<'_>, hook_check: &DeferredHookCheck) -> TokenStream {
    let krate = &input.krate;
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let impl_attributes = impl_attributes();
    let reset_macro = members::reset(input);
    let (mut unions, mut tables, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for union in &input.unions {
        let mut tokens = union_tokens::union_tokens(union, &input.unmarked_options, krate);
        let declaration = mem::take(&mut tokens.declaration);
        let declaration =
            unknown::allow_unknown(declaration, input.unknown_members.as_ref(), krate);
        tables.push(finish_declaration(input, &declaration));
        states.push(state_call(&tokens, &union.members, krate));
        unions.push(tokens);
    }
    let table = unions_table(input, &tables);
    let union_parameter = if tables.is_empty() {
        quote!(_)
    } else {
        quote!(__union)
    };
    let type_check = hook_probe::hook_type_check(hook_check, krate);
    let states = match_union(states);
    let select_method = select_method(&unions, krate);
    let defaults_method = defaults_method(&unions);
    let walk_methods = children::expand(input);
    let keeps_unknown = unknown::expand(input);
    let patch_fields_method = patch::expand(input);
    let values_macro = values::expand(input);
    let mark_checks = not_nested::mark_checks(input.unmarked_types.iter().copied(), krate);
    let type_checks = type_checks(input);
    let keyed_impl = children::keyed_impl(input, krate);
    let schema_probe = hook_probe::expand(hook_check, krate, ident);
    quote! {
        #impl_attributes
        impl #impl_generics #krate::spec::UnionType for #ident #ty_generics #where_clause {
            #keeps_unknown
            #reset_macro
            #[inline]
            fn unions() -> &'static [#krate::UnionSpec<'static>] { #mark_checks #type_check #table }
            #[inline]
            fn union_state(
                &self,
                #union_parameter: ::core::primitive::usize,
            ) -> ::core::option::Option<#krate::State<'_>> { #states }
            #select_method
            #defaults_method
            #walk_methods
            #values_macro
            #patch_fields_method
        }
        #keyed_impl
        #type_checks
        #schema_probe
    }
}

/// Returns the tokens of constants that check the types of fields, which only rustc knows.
fn type_checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let children = children::checks(input);
    let patches = patch::checks(input);
    let aliases = alias_checks(input);
    let open_fields = values::open_checks(&input.open_fields, krate);
    let required_union = not_nested::union_check(input);
    let not_nested_fields = not_nested::effect_checks(input.not_nested_fields.iter(), krate);
    let walks = not_nested::walked_checks(&input.unmarked_types, input.generics, krate);
    quote!(#children #patches #aliases #open_fields #required_union #not_nested_fields #walks)
}

/// Returns the tokens of `const UNIONS: ... = TABLE; &UNIONS`. For several unions, the table is an
/// array of tables.
fn unions_table(input: &Struct<'_>, tables: &[TokenStream]) -> TokenStream {
    let krate = &input.krate;
    let mut members = input.unions.iter().flat_map(|union| &union.members);
    let import = members.any(union_tokens::is_found_by_json_name).then(|| {
        let function = Ident::new(union_tokens::MEMBER_FUNCTION, Span::call_site());
        quote!(use #krate::__private::#function;)
    });
    let array = quote!([#krate::UnionSpec<'static>; 1]);
    match tables {
        [] => quote!(&[]),
        [table] => quote!(#import const UNIONS: #array = #table; &UNIONS),
        tables => {
            let count = Literal::usize_unsuffixed(tables.len());
            quote! {
                #import
                const UNIONS: [#array; #count] = [#(#tables),*];
                UNIONS.as_flattened()
            }
        }
    }
}

/// The error message for a member that is an `Option` of an `Option`, which may be set and null.
const DOUBLE_OPTION: &str = "a member cannot be `Option<Option<T>>`: `Some(None)` serializes as null, which reads back as unset; use one `Option`";

/// Returns the tokens of a check for each member whose type may be an alias of an `Option` of an
/// `Option`:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::ProbeDefaults as _;
///     ::union_runtime::__private::reject_if(
///         <::union_runtime::__private::Probe<Alias>>::IS_DOUBLE_OPTION,
///         "...",
///     )
/// };
/// ```
fn alias_checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let members = input.unions.iter().flat_map(|union| &union.members);
    let checks = members.filter(|member| member.is_alias).map(|member| {
        let ty = member.ty;
        let span = ty.span();
        let call = respan(
            quote!(reject_if(<#krate::__private::Probe<#ty>>::IS_DOUBLE_OPTION, #DOUBLE_OPTION)),
            span,
        );
        probe_constant(&respan(quote!(#krate), span), &call, span)
    });
    quote!(#(#checks)*)
}

/// Returns the tokens of the call that ends a declaration:
/// `::union_runtime::__private::union(DECLARATION)`, or `union_with(SHAPE, ENFORCE, DECLARATION)`
/// if `shape` or `enforce` of the struct is not the default.
fn finish_declaration(input: &Struct<'_>, declaration: &TokenStream) -> TokenStream {
    let krate = &input.krate;
    let shape = match input.shape {
        ExtensionShape::V2022 => quote!(V2022),
        ExtensionShape::V2019 => quote!(V2019),
        ExtensionShape::Both => quote!(Both),
    };
    let enforce = match input.enforce {
        Enforcement::Cel => quote!(Cel),
        Enforcement::CelSameReason => quote!(CelSameReason),
        Enforcement::OneOf => quote!(OneOf),
        Enforcement::None => quote!(None),
    };
    if let (ExtensionShape::V2022, Enforcement::Cel) = (input.shape, input.enforce) {
        return quote!(#krate::__private::union(#declaration));
    }
    quote! {
        #krate::__private::union_with(#krate::ExtensionShape::#shape, #krate::Enforcement::#enforce, #declaration)
    }
}

/// Returns the tokens of
/// `::union_runtime::__private::state(self, __union, MEMBERS, SELECTED)`, in which `MEMBERS` is the
/// result of [`members::set_members`].
fn state_call(tokens: &UnionTokens, members: &[Member<'_>], krate: &Path) -> TokenStream {
    let members = members::set_members(members, krate);
    let selected = &tokens.selected;
    quote!(#krate::__private::state(self, __union, #members, #selected))
}

/// Returns the tokens of the state of a single union, or of
/// `match __union { 0 => STATE, 1 => STATE, _ => None }` for several unions.
fn match_union(mut states: Vec<TokenStream>) -> TokenStream {
    match states.len() {
        0 => quote!(::core::option::Option::None),
        1 => states.pop().unwrap_or_default(),
        _ => {
            let arms = states.iter().enumerate().map(|(index, state)| {
                let index = Literal::usize_unsuffixed(index);
                quote!(#index => #state,)
            });
            quote!(match __union { #(#arms)* _ => ::core::option::Option::None })
        }
    }
}

/// Returns the tokens of the method that visits the defaults that serde may omit. Returns `None` if
/// serde omits no default of a discriminator. The method for a discriminator `kind`:
///
/// ```text
/// fn visit_omitted_defaults(__visit: &mut dyn FnMut(&str, Option<&str>)) {
///     __visit("kind", VALUE);
/// }
/// ```
fn defaults_method(unions: &[UnionTokens]) -> Option<TokenStream> {
    let defaults = unions.iter();
    let defaults = defaults.filter_map(|tokens| tokens.omitted_default.as_ref());
    let defaults: Vec<_> = defaults.collect();
    (!defaults.is_empty()).then(|| {
        quote! {
            fn visit_omitted_defaults(
                __visit: &mut dyn ::core::ops::FnMut(
                    &::core::primitive::str,
                    ::core::option::Option<&::core::primitive::str>,
                ),
            ) { #(__visit(#defaults);)* }
        }
    })
}

/// Returns the tokens of the method that sets a discriminator. Returns `None` if no discriminator
/// follows its members. An example:
///
/// ```text
/// fn select_member(&mut self, __union: usize, __union_member: usize) {
///     let member = ::union_runtime::__private::member_spec::<Self>(__union, __union_member);
///     if let Some(__union_member) = member {
///         match __union { 0 => SELECT, ... _ => {} }
///     }
/// }
/// ```
fn select_method(unions: &[UnionTokens], krate: &Path) -> Option<TokenStream> {
    let arms = unions.iter().enumerate().filter_map(|(index, tokens)| {
        let index = Literal::usize_unsuffixed(index);
        let select = tokens.select.as_ref()?;
        Some(quote!(#index => #select,))
    });
    let arms: Vec<TokenStream> = arms.collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn select_member(&mut self, __union: ::core::primitive::usize, __union_member: ::core::primitive::usize) {
                if let ::core::option::Option::Some(__union_member) =
                    #krate::__private::member_spec::<Self>(__union, __union_member)
                {
                    match __union { #(#arms)* _ => {} }
                }
            }
        }
    })
}
