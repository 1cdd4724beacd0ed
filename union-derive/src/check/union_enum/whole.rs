//! The rules of the enum as a whole: the selection of variants, and the handling of objects that do
//! not match any variant.

use proc_macro2::Span;

use super::variant::check_foreign;
use crate::diag::Diag;
use crate::model::{Form, UnionEnumInput, UnionVariantInput};

pub(super) fn check_whole(input: &UnionEnumInput<'_>, diag: &Diag) {
    check_foreign(
        input.syn_attrs,
        "`#[union(discriminator = \"type\", values = \"..\", fields = \"..\")]`",
        diag,
    );
    check_owned(input, diag);
    check_kind(input, diag);
    check_has_member(input, diag);
    check_other(input, diag);
    check_absent(input, diag);
    check_without_values(input, diag);
}

/// Reports lifetime parameters, because the enum keeps unreadable objects, which must not borrow
/// from the input.
fn check_owned(input: &UnionEnumInput<'_>, diag: &Diag) {
    for lifetime in input.generics.lifetimes() {
        diag.error(
            lifetime.lifetime.span(),
            "a union keeps what it cannot read, so it cannot borrow from what it reads; use owned types",
        );
    }
}

/// Reports an enum with both or neither of `discriminator` and `undiscriminated`.
fn check_kind(input: &UnionEnumInput<'_>, diag: &Diag) {
    let attrs = &input.attrs;
    match (&attrs.discriminator, attrs.undiscriminated) {
        (Some(_), Some(span)) => diag.error(
            span,
            "the discriminator says which variant an object is, and `undiscriminated` says that there is none; keep one of the two",
        ),
        (None, None) if input.is_complete => diag.error(
            input.ident.span(),
            "how does an object say which variant it is? write `#[union(discriminator = \"type\")]`, or `#[union(undiscriminated)]`",
        ),
        _ => {}
    }
}

/// Reports a union without members.
fn check_has_member(input: &UnionEnumInput<'_>, diag: &Diag) {
    let is_value = |variant: &UnionVariantInput<'_>| matches!(variant.form(), Form::Unit);
    if input.is_whole() && input.choices().all(is_value) {
        diag.error(
            input.ident.span(),
            "no variant has a member; an enum of values alone is `#[derive(EnumType)]`",
        );
    }
}

/// Reports several variants with `other`, a variant with `other` in an enum with `strict`, and an
/// enum with neither `other` nor `strict`.
fn check_other(input: &UnionEnumInput<'_>, diag: &Diag) {
    let others = input.variants.iter();
    let others = others.filter_map(|variant| Some((variant, variant.attrs.other?)));
    let others: Vec<(&UnionVariantInput<'_>, Span)> = others.collect();
    for (i, (variant, span)) in others.iter().enumerate() {
        if let (0, Some(_)) = (i, input.attrs.strict) {
            let name = &variant.syn.ident;
            diag.error(
                *span,
                format_args!("with `strict` reading fails where `{name}` would keep what it cannot read; keep one of the two"),
            );
        }
        if let (true, Some((first, _))) = (i > 0, others.first()) {
            let first = &first.syn.ident;
            diag.error(
                *span,
                format_args!("`{first}` keeps what cannot be read already; remove this one"),
            );
        }
    }
    let is_forgotten = || input.variants.iter().any(UnionVariantInput::holds_raw);
    let is_said = !others.is_empty() || input.attrs.strict.is_some();
    if !is_said && input.is_whole() && !is_forgotten() {
        diag.error(
            input.ident.span(),
            "a newer server sends values that this build does not know, and one of them makes a whole list unreadable; add a last variant `#[union(other)] Other(union_runtime::RawUnion)`, or `#[union(strict)]` if reading is to fail",
        );
    }
}

/// Reports several variants for an object with neither a discriminator nor a member, and several
/// variants for an absent discriminator.
fn check_absent(input: &UnionEnumInput<'_>, diag: &Diag) {
    let nothing = input.choices();
    let nothing = nothing.filter_map(|variant| Some((variant, input.says_nothing(variant)?)));
    let nothing: Vec<(&UnionVariantInput<'_>, Span)> = nothing.collect();
    let mut defaults = input
        .choices()
        .filter_map(|variant| Some((variant, variant.attrs.default?)));
    let mut again = nothing.iter().skip(1);
    if let (Some((first, _)), Some((second, span))) = (nothing.first(), again.next()) {
        diag.error(
            *span,
            format_args!(
                "`{}` and `{}` both stand for no member at all; keep one",
                first.syn.ident, second.syn.ident
            ),
        );
    }
    let Some((default, span)) = defaults.next() else {
        return;
    };
    for (_, span) in defaults {
        let first = &default.syn.ident;
        diag.error(
            span,
            format_args!(
                "an absent discriminator stands for `{first}` already; keep one `default`"
            ),
        );
    }
    let Some((absent, _)) = nothing.first().filter(|_| !input.is_undiscriminated()) else {
        return;
    };
    let (default, absent) = (&default.syn.ident, &absent.syn.ident);
    if default == absent {
        diag.error(
            span,
            format_args!("an absent discriminator stands for `{absent}` already; remove `default`"),
        );
    } else {
        diag.error(
            span,
            format_args!(
                "an absent discriminator stands for `{default}`, which is `default`, or for `{absent}`; keep one"
            ),
        );
    }
}

/// Reports attributes about discriminator values in a union without a discriminator.
fn check_without_values(input: &UnionEnumInput<'_>, diag: &Diag) {
    if !input.is_undiscriminated() {
        return;
    }
    if let Some(shape) = &input.attrs.shape {
        diag.error(
            shape.span,
            "a union without a discriminator has the 2019 shape alone; remove `shape`",
        );
    }
    if let Some(values) = &input.attrs.values {
        diag.error(
            values.span,
            "without a discriminator there are no values; remove `values`",
        );
    }
    for variant in input.choices() {
        let attrs = &variant.attrs;
        if let Some(member) = &attrs.member {
            diag.error(
                member.span,
                "without a discriminator a member has no value; remove `member`, or name the field by `field = \"name\"`",
            );
        }
        if let Some(span) = attrs.default {
            diag.error(
                span,
                "without a discriminator none can be absent; remove `default`",
            );
        }
        if let (Some(span), Form::Unit) = (attrs.absent, variant.form()) {
            diag.error(
                span,
                "without a discriminator a unit variant stands for no member by itself; remove `absent`",
            );
        }
    }
}
