//! From input as written to a checked type: one function a rule, each with its Kubernetes source.

mod assign;
mod children;
mod enum_type;
mod hook;
mod patch;
mod union;
mod unknown;

use proc_macro2::Span;
use syn::{Path, parse_quote};

use crate::diag::Diag;
use crate::model::Container;
use crate::name::WireName;

pub(crate) use enum_type::check_enum;
pub(crate) use union::check_union;

fn krate(container: &Container<'_>) -> Path {
    container
        .attrs
        .krate
        .clone()
        .unwrap_or_else(|| parse_quote!(::union_runtime))
}

/// What is on the wire must be the fields or variants that we see: JSON and Rust are one object in two views.
fn check_conversion(container: &Container<'_>, diag: &Diag) -> Option<()> {
    if let Some(attr) = container.serde.converts {
        diag.error(
            container.ident.span(),
            format_args!("`#[serde({attr})]` puts another type on the wire than the one that is derived for; derive on that type instead"),
        );
        return None;
    }
    Some(())
}

/// A name is read as it is written: the schema has only one.
fn check_one_name(span: Span, name: &WireName, diag: &Diag) {
    let read = &name.read;
    if let Some(written) = &name.written {
        diag.error(
            span,
            format_args!("written as \"{written}\" and read as \"{read}\"; give serde's `rename` one name for both"),
        );
    }
}
