//! The rules of the attributes `enforce` and `ratchet`. They determine the keywords by which a
//! schema makes an unmodified API server check a union.

use proc_macro2::Span;

use crate::attr::{Enforcement, SpannedValue};
use crate::errors::Errors;

/// Returns the enforcement that both attributes declare together.
pub(super) fn enforcement(
    enforce: Option<&SpannedValue<Enforcement>>,
    ratchet: Option<Span>,
    diag: &Errors,
) -> Enforcement {
    let by = enforce.map_or(Enforcement::Cel, |enforce| enforce.value);
    match ratchet {
        None => by,
        Some(_) if by == Enforcement::Cel => Enforcement::CelSameReason,
        Some(span) => {
            diag.error(
                span,
                "`ratchet` needs CEL rules, which can read the old object; remove `ratchet`, or write `enforce = \"cel\"`",
            );
            by
        }
    }
}

/// Reports both attributes on a struct without unions, because only unions are enforced
/// (`docs/design.md`, "Enforcement").
pub(super) fn reject_enforcement(
    enforce: Option<&SpannedValue<Enforcement>>,
    ratchet: Option<Span>,
    diag: &Errors,
) {
    let enforce = enforce.map(|enforce| ("enforce", enforce.span));
    let ratchet = ratchet.map(|span| ("ratchet", span));
    for (name, span) in enforce.into_iter().chain(ratchet) {
        diag.error(
            span,
            format_args!("`{name}` has no effect on a struct without unions; move it to the structs with unions, or remove it"),
        );
    }
}
