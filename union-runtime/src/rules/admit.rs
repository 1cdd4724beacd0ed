//! The flow of a request: normalize, then validate, then tolerate what is not new.

use std::cell::LazyCell;

use serde::Serialize;
use serde_json::Value;

use super::judge::{Which, judge};
use super::normalize::{Normalizer, by_model};
use super::ratchet::Ratchet;
use super::restore_unaware::RestoreUnaware;
use super::settings::Settings;
use crate::report::changes::Changes;
use crate::report::violation::Violation;
use crate::report::violations::Violations;
use crate::walk::nested::Nested;
use crate::walk::node::Visitor;
use crate::walk::place::Place;
use k8s_json_internals::keyed::Indexes;

/// An update that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// What is wrong, and tolerated because it is not new.
    pub ratcheted: Vec<Violation>,
}

/// A request that passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Admitted {
    /// What normalization changed.
    pub changes: Changes,
    /// What is wrong, and tolerated because it is not new.
    pub ratcheted: Vec<Violation>,
}

/// As [`Union::normalize_unions`](crate::Union::normalize_unions), for whatever holds unions and by settings of yours: what it
/// changed, which is nothing where [`unions`](Settings::unions) is off. Never fails.
pub fn normalize<T: Nested>(new: &mut T, old: Option<&T>, settings: &Settings) -> Changes {
    if !settings.unions || settings.leaves_settled() && new.is_settled() {
        return Changes::default();
    }
    normalize_unsettled(new, old, settings.restore_unaware)
}

/// The rest of [`normalize`]. Like the next ones it is called last: so the author's function is small and keeps no
/// registers for it (measured: 8 of 45 instructions of a valid object).
#[cold]
#[inline(never)]
fn normalize_unsettled<T: Nested>(
    new: &mut T,
    old: Option<&T>,
    restore: RestoreUnaware,
) -> Changes {
    let mut normalizer = Normalizer::new(by_model, restore);
    new.walk_mut(old, &Place::root(&Indexes::default()), &mut normalizer);
    normalizer.changes
}

/// As [`Union::validate_unions`](crate::Union::validate_unions), for whatever holds unions and by settings of yours: it accepts
/// anything where [`unions`](Settings::unions) is off.
///
/// # Errors
///
/// All violations, in source order.
#[inline]
pub fn validate<T: Nested>(new: &T, settings: &Settings) -> Result<(), Violations> {
    if !settings.unions || new.is_settled() {
        return Ok(());
    }
    refuse_where(new, |_, _| true)
}

/// As [`Union::validate_unions_update`](crate::Union::validate_unions_update), for whatever holds unions and by settings of
/// yours: it accepts anything where [`unions`](Settings::unions) is off.
///
/// Types are compared by what they serialize to, only when something is wrong, and by [`Ratchet::SameReason`] only where it is
/// in a list without keys.
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// # use union_runtime::{EnumType, Union};
/// # #[derive(EnumType, Serialize, Deserialize)]
/// # enum StrategyType { Recreate, RollingUpdate }
/// # #[derive(Union, Serialize, Deserialize)]
/// # #[serde(rename_all = "camelCase")]
/// # struct Strategy {
/// #     #[union(discriminator)]
/// #     r#type: StrategyType,
/// #     #[union(member, optional)]
/// #     #[serde(skip_serializing_if = "Option::is_none")]
/// #     rolling_update: Option<u32>,
/// # }
/// use union_runtime::{Ratchet, Settings, validate_update};
///
/// // Wrong as it was stored: `Recreate` has no `rollingUpdate`.
/// let old = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
/// let new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(2) };
///
/// let outcome = validate_update(&new, &old, &Settings::default())?;
/// assert_eq!(outcome.ratcheted[0].path(), "rollingUpdate");
/// // By KEP-4008 the struct would have to be as it was.
/// assert!(validate_update(&new, &old, &Settings::default().ratchet(Ratchet::Unchanged)).is_err());
/// # Ok::<(), union_runtime::Violations>(())
/// ```
///
/// # Errors
///
/// The violations that are new; the tolerated ones come with them.
#[inline]
pub fn validate_update<T: Nested + Serialize>(
    new: &T,
    old: &T,
    settings: &Settings,
) -> Result<Accepted, Violations> {
    if !settings.unions || new.is_settled() {
        return Ok(Accepted::default());
    }
    judge_update(new, old, settings.ratchet)
}

/// The whole flow of a request (KEP-1027, "Normalization and Validation"): normalizes `new`, then validates it; `old`
/// is `None` on a create. Both are a struct with unions, or an `Option`, `Box`, list or map of such.
///
/// ```
/// # use serde::{Deserialize, Serialize};
/// # use union_runtime::{EnumType, Union};
/// # #[derive(EnumType, Serialize, Deserialize)]
/// # enum StrategyType { Recreate, RollingUpdate }
/// # #[derive(Union, Serialize, Deserialize)]
/// # #[serde(rename_all = "camelCase")]
/// # struct Strategy {
/// #     #[union(discriminator)]
/// #     r#type: StrategyType,
/// #     #[union(member, optional)]
/// #     #[serde(skip_serializing_if = "Option::is_none")]
/// #     rolling_update: Option<u32>,
/// # }
/// use union_runtime::{Settings, admit};
///
/// let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: Some(1) };
/// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
/// let admitted = admit(&mut new, Some(&old), &Settings::default())?;
/// assert_eq!(admitted.changes.to_string(), "rollingUpdate: cleared");
/// assert!(admitted.ratcheted.is_empty());
///
/// // On a create nobody knows which of the two is meant.
/// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
/// assert!(admit(&mut new, None, &Settings::default()).is_err());
/// # Ok::<(), union_runtime::Violations>(())
/// ```
///
/// # Errors
///
/// The violations that are new; the tolerated ones come with them. `new` stays normalized.
#[inline]
pub fn admit<T: Nested + Serialize>(
    new: &mut T,
    old: Option<&T>,
    settings: &Settings,
) -> Result<Admitted, Violations> {
    let changes = normalize(new, old, settings);
    let outcome = match old {
        Some(old) => validate_update(new, old, settings)?,
        None => validate(new, settings).map(|()| Accepted::default())?,
    };
    let ratcheted = outcome.ratcheted;
    Ok(Admitted { changes, ratcheted })
}

/// Judges as on a create, by the findings that count.
#[cold]
#[inline(never)]
pub(crate) fn refuse_where<T: Nested>(new: &T, which: Which) -> Result<(), Violations> {
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(None, &Place::root(&Indexes::default()), judge);
    judge(&mut walk, which, &mut |_| false).map(drop)
}

/// Judges an update. Both objects are serialized only if a violation has to be compared.
#[cold]
#[inline(never)]
pub(crate) fn judge_update<T: Nested + Serialize>(
    new: &T,
    old: &T,
    ratchet: Ratchet,
) -> Result<Accepted, Violations> {
    let values = LazyCell::new(|| {
        let of = |object: &T| serde_json::to_value(object).ok();
        Some([of(new)?, of(old)?])
    });
    let objects = || values.as_ref().map(<[Value; 2]>::each_ref);
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(Some(old), &Place::root(&Indexes::default()), judge);
    judge(&mut walk, |_, _| true, &mut |found| match ratchet {
        Ratchet::SameReason => found.has_same_reason(objects),
        Ratchet::Unchanged => found.is_unchanged(objects()),
        Ratchet::Off => false,
    })
}
