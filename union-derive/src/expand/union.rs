//! The tokens of `#[derive(Union)]`, mainly the impl of `UnionType`.

use core::mem;

use proc_macro2::{Delimiter, Group, Literal, TokenStream};
use quote::{TokenStreamExt as _, quote};
use syn::Path;
use syn::spanned::Spanned as _;

use super::parts::{self, Parts};
use super::text::{Runtime, Texts};
use super::tokens::{on_impl_in_text, probe, respan};
use super::{children, hook_probe, members, patch, unknown, values};
use crate::attr::{Enforce, Shape};
use crate::model::{HookCheck, Member, Struct};

/// Returns all tokens of `#[derive(Union)]`. An example:
///
/// ```text
/// impl ::union_runtime::spec::UnionType for Strategy {
///     fn unions() -> &'static [::union_runtime::UnionSpec<'static>] {
///         const UNIONS: [::union_runtime::UnionSpec<'static>; 1] = ...;
///         &UNIONS
///     }
///     fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>> { ... }
///     ::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);
/// }
/// ```
///
/// The table `UNIONS` is a constant in the function and not in the impl. So rustc evaluates the
/// table, and reports the errors in it, in generic types too and even if the program does not use
/// the table.
pub(crate) fn expand(input: &Struct<'_>, hook: &HookCheck) -> TokenStream {
    let krate = &input.krate;
    let ident = input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let runtime = Runtime::new(krate);
    let mut texts = texts(input, runtime).read(runtime);
    let mut next = || texts.next().unwrap_or_default();
    let [on_impl, before, between] = [next(), next(), next()];
    let [head, close, choice, tail, state_of] = [next(), next(), next(), next(), next()];
    let (mut unions, mut tables, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for union in &input.unions {
        let mut these = parts::parts(union, &next(), &input.unmarked, krate);
        let declaration = mem::take(&mut these.declaration);
        let declaration = unknown::beside(declaration, input.unknown.as_ref(), krate);
        let mut arguments = choice.clone();
        arguments.extend(declaration);
        tables.push(call(close.clone(), arguments));
        let arguments = state_arguments(&these, next(), &union.members, krate);
        states.push(call(state_of.clone(), arguments));
        unions.push(these);
    }
    let table = one_table(head, tables, tail);
    let named = hook_probe::named(hook, krate);
    let states = one_of(states);
    let select = select(&unions, krate);
    let descend = children::expand(input);
    let keeps_unknown = unknown::expand(input);
    let checks = children::checks(input);
    let patches = patch::expand(input);
    let patch_checks = patch::checks(input);
    let alias_checks = alias_checks(input);
    let values = values::expand(input);
    let open_checks = values::open_checks(input.open.iter().copied(), krate);
    let keyed = children::keyed(input, krate);
    let hook = hook_probe::expand(hook, krate, ident);
    let generic =
        is_generic(input).then(|| quote!(impl #impl_generics #krate::spec::UnionType for));
    quote! {
        #on_impl
        #generic #ident #ty_generics #where_clause {
            #keeps_unknown
            #before { #named #table }
            #between { #states }
            #select
            #descend
            #values
            #patches
        }
        #keyed
        #checks
        #patch_checks
        #alias_checks
        #open_checks
        #hook
    }
}

/// Returns true if the struct has generic parameters. Their tokens have spans of the input, so they
/// cannot be written as source code.
fn is_generic(input: &Struct<'_>) -> bool {
    !input.generics.params.is_empty()
}

/// Returns the pieces of the impl that are written as source code, in this order:
///
/// - the attributes of the impl, and the start of the impl if the struct is not generic
/// - the call of `reset!`, and the signature of `unions`
/// - the signature of `union_state`
/// - the start of the table
/// - the function that closes a declaration
/// - the first arguments of this function
/// - the end of the table
/// - the function that returns a state
/// - for each union its rows, and the first arguments of the function that returns a state
///
/// ```text
/// ::union_runtime::__private::reset!((0, 0) alpha (0, 1) beta);
/// fn unions() -> &'static [::union_runtime::UnionSpec<'static>]
///
/// fn union_state(&self, __union: usize) -> Option<::union_runtime::State<'_>>
///
/// const UNIONS: [::union_runtime::UnionSpec<'static>; 1] =
/// ::union_runtime::__private::union
///
/// ; &UNIONS
/// ::union_runtime::__private::state
/// ```
fn texts(input: &Struct<'_>, runtime: Runtime<'_>) -> Texts {
    let unions = &input.unions;
    let number = if unions.is_empty() { "_" } else { "__union" };
    let reset = members::reset(input, runtime);
    let mut texts = Texts::new();
    let on_impl = if is_generic(input) {
        on_impl_in_text()
    } else {
        format!("{} impl {runtime}::spec::UnionType for", on_impl_in_text())
    };
    texts.push(&on_impl);
    texts.push(&format!(
        "{reset}
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
    let mut members = unions.iter().flat_map(|union| &union.members);
    let import = if members.any(parts::is_found_by_name) {
        format!("use {runtime}::__private::{};", parts::BY_NAME)
    } else {
        String::new()
    };
    texts.push(&match unions.len() {
        0 => String::new(),
        1 => format!("{import} const UNIONS: [{runtime}::UnionSpec<'static>; 1] ="),
        count => format!("{import} const UNIONS: [[{runtime}::UnionSpec<'static>; 1]; {count}] ="),
    });
    let function = |name: &str| format!("{runtime}::__private::{name}");
    let (closed, arguments) = close(input, runtime);
    texts.push(&function(closed));
    texts.push(&arguments);
    texts.push(match unions.len() {
        0 => "&[]",
        1 => "; &UNIONS",
        _ => "; UNIONS.as_flattened()",
    });
    texts.push(&function("state"));
    for union in unions {
        texts.push(&parts::rows(&union.members));
        texts.push(&members::looked_at(&union.members, runtime));
    }
    texts
}

/// Returns the tokens of `const UNIONS: ... = TABLE; &UNIONS`. For several unions, the table is an
/// array of tables.
fn one_table(
    mut head: TokenStream,
    mut tables: Vec<TokenStream>,
    tail: TokenStream,
) -> TokenStream {
    if tables.len() > 1 {
        tables = vec![quote!([#(#tables),*])];
    }
    head.extend(tables);
    head.extend(tail);
    head
}

/// Returns the tokens of `function(arguments)`.
fn call(mut function: TokenStream, arguments: TokenStream) -> TokenStream {
    function.append(Group::new(Delimiter::Parenthesis, arguments));
    function
}

/// The error message for a member that is an `Option` of an `Option`, which may be set and null.
const OPTION_TWICE: &str = "an `Option` in an `Option` is null where it is set to a none, and unset when it is read again; write one `Option`";

/// Returns the tokens of a check for each member whose type may be an alias of an `Option` of an
/// `Option`:
///
/// ```text
/// const _: () = {
///     use ::union_runtime::__private::Otherwise as _;
///     ::union_runtime::__private::refuse_if(<::union_runtime::__private::Probe<Text>>::IS_OPTION_TWICE, "...")
/// };
/// ```
fn alias_checks(input: &Struct<'_>) -> TokenStream {
    let krate = &input.krate;
    let members = input.unions.iter().flat_map(|union| &union.members);
    let checks = members.filter(|member| member.is_alias).map(|member| {
        let ty = member.ty;
        let span = ty.span();
        let call = respan(
            quote!(refuse_if(<#krate::__private::Probe<#ty>>::IS_OPTION_TWICE, #OPTION_TWICE)),
            span,
        );
        probe(&respan(quote!(#krate), span), &call, span)
    });
    quote!(#(#checks)*)
}

/// Returns the name of the function that closes a declaration, and the source of its first
/// arguments: `shape` and `enforce` of the struct. There are no arguments if both have the default.
fn close(input: &Struct<'_>, runtime: Runtime<'_>) -> (&'static str, String) {
    let shape = match input.shape {
        Shape::V2022 => "V2022",
        Shape::V2019 => "V2019",
        Shape::Both => "Both",
    };
    let enforce = match input.enforce {
        Enforce::Cel => "Cel",
        Enforce::CelSameReason => "CelSameReason",
        Enforce::OneOf => "OneOf",
        Enforce::None => "None",
    };
    if (shape, enforce) == ("V2022", "Cel") {
        return ("union", String::new());
    }
    let arguments = format!("{runtime}::Shape::{shape}, {runtime}::Enforce::{enforce},");
    ("union_as", arguments)
}

/// Returns the arguments of `::union_runtime::__private::state(self, __union, (MEMBER, ...),
/// SELECTED)`. `first` contains all arguments but the last, or all but the last two if a member's
/// type is not written as `Option`.
fn state_arguments(
    parts: &Parts,
    mut first: TokenStream,
    members: &[Member<'_>],
    krate: &Path,
) -> TokenStream {
    if !members::are_looked_at(members) {
        let members = members::look_at_each(members, krate);
        first.extend(quote!(#members,));
    }
    first.extend(parts.selected.clone());
    first
}

/// Returns the tokens of the state of a single union, or of `match __union { 0 => STATE, 1 =>
/// STATE, _ => None }` for several unions.
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

/// Returns the tokens of the method that sets a discriminator. Returns `None` if no discriminator
/// follows its members. An example:
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
