//! The rules of the attributes `enforce` and `ratchet`, which determine the schema keywords by
//! which an unmodified API server checks a union.

use proc_macro2::Span;

use crate::attr::{Enforcement, SpannedValue};
use crate::errors::Errors;

/// Returns the enforcement that results from both attributes.
pub(super) fn enforcement(
    enforce: Option<&SpannedValue<Enforcement>>,
    ratchet: Option<Span>,
    errors: &Errors,
) -> Enforcement {
    let enforcement = enforce.map_or(Enforcement::Cel, |enforce| enforce.value);
    match ratchet {
        None => enforcement,
        Some(_) if enforcement == Enforcement::Cel => Enforcement::CelSameReason,
        Some(span) => {
            errors.error(
                span,
                "`ratchet` needs CEL rules, which can read the old object; remove `ratchet`, or write `enforce = \"cel\"`",
            );
            enforcement
        }
    }
}

/// Reports the attributes on a struct without unions, because only unions are enforced
/// (`docs/design.md`, "Enforcement").
pub(super) fn reject_enforcement(
    enforce: Option<&SpannedValue<Enforcement>>,
    ratchet: Option<Span>,
    errors: &Errors,
) {
    let enforce = enforce.map(|enforce| ("enforce", enforce.span));
    let ratchet = ratchet.map(|span| ("ratchet", span));
    for (name, span) in enforce.into_iter().chain(ratchet) {
        errors.error(
            span,
            format_args!("`{name}` has no effect on a struct without unions; move it to the structs with unions, or remove it"),
        );
    }
}
