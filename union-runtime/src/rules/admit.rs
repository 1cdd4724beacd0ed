//! The flow of a request: normalize, then validate, then tolerate what is not new.

use std::cell::LazyCell;

use serde::Serialize;
use serde_json::Value;

use super::requests::{Against, Requests};
use super::settings::Settings;
use crate::report::changes::Changes;
use crate::report::violations::{Accepted, Admitted, Violations};
use crate::view::descent::Descent;
use crate::view::nested::Nested;

/// Normalizes as [`Union::normalize_unions`](crate::Union::normalize_unions) does, any value with
/// unions, by these settings. Returns the changes: none if [`unions`](Settings::unions) is off.
/// Never fails.
pub fn normalize<T: Nested>(new: &mut T, old: Option<&T>, settings: &Settings) -> Changes {
    if !settings.unions || settings.leaves_settled() && new.is_settled() {
        return Changes::default();
    }
    normalize_unsettled(new, old, *settings)
}

/// The rest of [`normalize`]. Like the next ones it is called last: so the author's function is
/// small and keeps no registers for it (measured: 8 of 45 instructions of a valid object).
#[cold]
#[inline(never)]
fn normalize_unsettled<T: Nested>(new: &mut T, old: Option<&T>, settings: Settings) -> Changes {
    Requests::new(settings)
        .normalize(&mut |at, visitor| new.walk_mut(Descent::new(old, at, visitor)))
}

/// Validates as [`Union::validate_unions`](crate::Union::validate_unions) does, any value with
/// unions, by these settings. Accepts every value if [`unions`](Settings::unions) is off.
///
/// # Errors
///
/// All violations, in source order.
#[inline]
pub fn validate<T: Nested>(new: &T, settings: &Settings) -> Result<(), Violations> {
    if !settings.unions || new.is_settled() {
        return Ok(());
    }
    refuse(new, *settings)
}

/// Validates as [`Union::validate_unions_update`](crate::Union::validate_unions_update) does, any
/// value with unions, by these settings. Accepts every value if [`unions`](Settings::unions) is
/// off.
///
/// Types are compared by what they serialize to, only when something is wrong, and by
/// [`Ratchet::SameReason`](crate::Ratchet::SameReason) only where it is in a list without keys.
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
    judge_update(new, old, *settings)
}

/// The whole flow of a request (KEP-1027, "Normalization and Validation"): normalizes `new`, then
/// validates it; `old` is `None` on a create. Both are a struct with unions, or an `Option`, `Box`,
/// list or map of such.
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
    Ok(outcome.after(changes))
}

/// The rest of [`validate`].
#[cold]
#[inline(never)]
fn refuse<T: Nested>(new: &T, settings: Settings) -> Result<(), Violations> {
    Requests::new(settings).validate(&mut |at, judge| new.walk(Descent::new(None, at, judge)))
}

/// The rest of [`validate_update`]. Both objects are serialized only if a violation has to be
/// compared.
#[cold]
#[inline(never)]
pub(crate) fn judge_update<T: Nested + Serialize>(
    new: &T,
    old: &T,
    settings: Settings,
) -> Result<Accepted, Violations> {
    let values = LazyCell::new(|| {
        let of = |object: &T| serde_json::to_value(object).ok();
        Some([of(new)?, of(old)?])
    });
    let objects = || values.as_ref().map(<[Value; 2]>::each_ref);
    Requests::new(settings).validate_update(&objects, &mut |at, judge| {
        new.walk(Descent::new(Some(old), at, judge));
    })
}

/// Normalizes the object that a server-side apply makes. `applied` is what the author sent, `live`
/// what is stored, `merged` what happens to both. The changes are to be added to the managed fields
/// of the author; validate `merged` after it.
///
/// - Where the discriminator rules (the 2022 model), it is an update of `live`:
///   [`normalize`](crate::normalize).
/// - Where it follows the members, or there is none (the 2019 model), what was applied is meant:
///   one member, or a discriminator alone, clears the others in `merged`.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{Settings, Union, normalize_apply};
///
/// #[derive(Union, Serialize, Deserialize, Clone, Default)]
/// struct EnvVar {
///     #[union(member, group = value)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     value: Option<String>,
///     #[union(member, group = value)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     secret: Option<String>,
/// }
///
/// let live = EnvVar { value: Some("1".into()), ..EnvVar::default() };
/// let applied = EnvVar { secret: Some("s".into()), ..EnvVar::default() };
/// let mut merged = EnvVar { secret: Some("s".into()), ..live.clone() };
/// let changes = normalize_apply(&applied, Some(&live), &mut merged, &Settings::default())?;
/// assert_eq!(changes.to_string(), "value: cleared");
/// # Ok::<(), union_runtime::Violations>(())
/// ```
///
/// # Errors
///
/// In the 2019 model, where `applied` does not say one thing: it has several members of a union, or
/// a discriminator that names another member (2019 text, "Future Work"). `merged` stays as it was
/// then.
pub fn normalize_apply<T: Nested>(
    applied: &T,
    live: Option<&T>,
    merged: &mut T,
    settings: &Settings,
) -> Result<Changes, Violations> {
    let requests = Requests::new(*settings);
    requests.validate_applied(&mut |at, judge| applied.walk(Descent::new(None, at, judge)))?;
    Ok(requests.normalize_merged(&mut |against, at, visitor| {
        let other = match against {
            Against::Live => live,
            Against::Applied => Some(applied),
        };
        merged.walk_mut(Descent::new(other, at, visitor));
    }))
}
