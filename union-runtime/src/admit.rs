//! The flow of a request: normalize, then validate, then tolerate what is not new.

use serde::Serialize;

use crate::normalize::{Changes, update as normalize_update};
use crate::path::Path;
use crate::ratchet::{self, Ratchet};
use crate::traits::Union;
use crate::validate::{Finding, findings};
use crate::view::{Node, State};
use crate::violation::{Violation, Violations};

/// How a request is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether unions are normalized and validated at all: the feature gate of KEP-1027. Default: on.
    ///
    /// Schemas carry their markers either way.
    pub unions: bool,
    /// When an update may keep a violation that the old object had. Default: for the same reason.
    pub ratchet: Ratchet,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unions: true,
            ratchet: Ratchet::SameReason,
        }
    }
}

impl Settings {
    /// The same settings with union checks on or off.
    #[must_use]
    pub const fn unions(mut self, on: bool) -> Self {
        self.unions = on;
        self
    }

    /// The same settings with another ratchet.
    #[must_use]
    pub const fn ratchet(mut self, ratchet: Ratchet) -> Self {
        self.ratchet = ratchet;
        self
    }
}

/// An update that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What is wrong, and tolerated because it is not new.
    pub ratcheted: Vec<Violation>,
}

/// A request that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admitted {
    /// What normalization changed.
    pub changes: Changes,
    /// What is wrong, and tolerated because it is not new.
    pub ratcheted: Vec<Violation>,
}

/// As [`Union::normalize_unions`], by settings of yours.
pub fn normalize<T: Union>(new: &mut T, old: Option<&T>, settings: &Settings) -> Changes {
    match old {
        Some(old) if settings.unions && !is_settled(new) => normalize_update(new, old, &Path::ROOT),
        // On a create there is no discriminator that could have changed (DESIGN 5).
        _ => Changes::default(),
    }
}

/// As [`Union::validate_unions`], by settings of yours.
///
/// # Errors
///
/// All violations, in source order.
#[inline]
pub fn validate<T: Union>(new: &T, settings: &Settings) -> Result<(), Violations> {
    if !settings.unions || is_settled(new) {
        return Ok(());
    }
    refuse(new)
}

/// As [`Union::validate_unions_update`], by settings of yours.
///
/// Types are compared by what they serialize to ([`Ratchet::Unchanged`] only, and only when something is wrong).
///
/// # Errors
///
/// The violations that are new; the tolerated ones come with them.
#[inline]
pub fn validate_update<T: Union + Serialize>(
    new: &T,
    old: &T,
    settings: &Settings,
) -> Result<Outcome, Violations> {
    if !settings.unions || is_settled(new) {
        return Ok(Outcome::default());
    }
    match settings.ratchet {
        Ratchet::SameReason => same_reason(new, old),
        Ratchet::Unchanged => all_or_nothing(new, old, is_unchanged(new, old)),
        Ratchet::Off => all_or_nothing(new, old, false),
    }
}

/// The whole flow of a request (KEP-1027, "Normalization and Validation"): normalizes `new`, then validates it; `old`
/// is `None` on a create.
///
/// # Errors
///
/// The violations that are new; the tolerated ones come with them. `new` stays normalized.
#[inline]
pub fn admit<T: Union + Serialize>(
    new: &mut T,
    old: Option<&T>,
    settings: &Settings,
) -> Result<Admitted, Violations> {
    let changes = normalize(new, old, settings);
    let outcome = match old {
        Some(old) => validate_update(new, old, settings)?,
        None => validate(new, settings).map(|()| Outcome::default())?,
    };
    let ratcheted = outcome.ratcheted;
    Ok(Admitted { changes, ratcheted })
}

/// Whether every union of the object is settled: then there is nothing to do.
#[inline]
pub(crate) fn is_settled<T: Union>(object: &T) -> bool {
    T::unions()
        .iter()
        .enumerate()
        .all(|(union, spec)| spec.is_settled(object.union_state(union)))
}

/// The rest of [`validate`]. Like the next ones it is not generic, and called last: so the author's function is small
/// and keeps no registers for it (measured: 8 of 45 instructions of a valid object).
#[cold]
fn refuse(new: &dyn Node) -> Result<(), Violations> {
    refuse_new(judge(new, None, &mut |_| false)).map(drop)
}

/// Judges an update by [`Ratchet::SameReason`].
#[cold]
pub(crate) fn same_reason(new: &dyn Node, old: &dyn Node) -> Result<Outcome, Violations> {
    refuse_new(judge(new, Some(old), &mut |found| {
        ratchet::same_reason(found.finding, found.new, found.old)
    }))
}

/// Judges an update whose violations are all tolerated, or none.
#[cold]
fn all_or_nothing(new: &dyn Node, old: &dyn Node, tolerated: bool) -> Result<Outcome, Violations> {
    refuse_new(judge(new, Some(old), &mut |_| tolerated))
}

fn is_unchanged<T: Serialize>(new: &T, old: &T) -> bool {
    // What does not serialize cannot be shown to be unchanged, so nothing is tolerated.
    match (serde_json::to_value(new), serde_json::to_value(old)) {
        (Ok(new), Ok(old)) => new == old,
        _ => false,
    }
}

/// A finding in the new object, and the states that led to it.
struct Found<'a> {
    finding: Finding,
    new: State<'a>,
    old: State<'a>,
}

/// All that is wrong with `new`, split by `tolerates`, which is asked on updates only.
#[cold]
fn judge(
    new: &dyn Node,
    old: Option<&dyn Node>,
    tolerates: &mut dyn FnMut(&Found<'_>) -> bool,
) -> Violations {
    let mut violations = Vec::new();
    let mut ratcheted = Vec::new();
    for (union, spec) in new.specs().iter().enumerate() {
        let state = new.state(union);
        let old_state = old.map(|old| old.state(union));
        let unchanged = old_state.is_some_and(|old| old.selected() == state.selected());
        for finding in findings(spec, state) {
            let violation = finding.violation(spec, state, unchanged, &Path::ROOT);
            let is_tolerated = old_state.is_some_and(|old| {
                tolerates(&Found {
                    finding,
                    new: state,
                    old,
                })
            });
            if is_tolerated {
                ratcheted.push(violation);
            } else {
                violations.push(violation);
            }
        }
    }
    Violations::new(violations, ratcheted)
}

/// Refuses if there is a violation that is not tolerated.
fn refuse_new(judged: Violations) -> Result<Outcome, Violations> {
    if judged.is_empty() {
        Ok(Outcome {
            ratcheted: judged.into_ratcheted(),
        })
    } else {
        Err(judged)
    }
}
