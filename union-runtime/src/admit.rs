//! The flow of a request: normalize, then validate, then tolerate what is not new.

use std::cell::{LazyCell, OnceCell};

use serde::Serialize;
use serde_json::Value;

use crate::normalize::{Changes, Normalizer, RestoreUnaware, by_model};
use crate::ratchet::{self, Ratchet};
use crate::spec::UnionSpec;
use crate::traits::Union;
use crate::validate::{Finding, findings};
use crate::view::{Node, State};
use crate::violation::{Violation, Violations};
use crate::walk::{Nested as _, Place, Visitor};
use k8s_json_internals::keyed::Indexes;

/// How a request is treated.
///
/// ```
/// use union_runtime::{Ratchet, RestoreUnaware, Settings};
///
/// let settings = Settings::default().ratchet(Ratchet::Unchanged).restore_unaware(RestoreUnaware::Required);
/// assert!(settings.unions);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Whether unions are normalized and validated at all: the feature gate of KEP-1027. Default: on.
    ///
    /// Schemas carry their markers either way.
    pub unions: bool,
    /// When an update may keep a violation that the old object had. Default: [`Ratchet::SameReason`].
    pub ratchet: Ratchet,
    /// When a member comes back that a client dropped because it does not know it. Default: [`RestoreUnaware::Off`].
    pub restore_unaware: RestoreUnaware,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unions: true,
            ratchet: Ratchet::SameReason,
            restore_unaware: RestoreUnaware::Off,
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

    /// The same settings with dropped members restored.
    #[must_use]
    pub const fn restore_unaware(mut self, restore: RestoreUnaware) -> Self {
        self.restore_unaware = restore;
        self
    }

    /// Whether normalization has nothing to do with an object that is settled: an optional member that is selected and
    /// unset may have to come back.
    #[inline]
    pub(crate) const fn leaves_settled(self) -> bool {
        !matches!(self.restore_unaware, RestoreUnaware::All)
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

/// As [`Union::normalize_unions`], by settings of yours: what it changed, which is nothing where
/// [`unions`](Settings::unions) is off. Never fails.
pub fn normalize<T: Union>(new: &mut T, old: Option<&T>, settings: &Settings) -> Changes {
    if !settings.unions || settings.leaves_settled() && new.is_settled() {
        return Changes::default();
    }
    normalize_unsettled(new, old, settings.restore_unaware)
}

/// The rest of [`normalize`]. Like the next ones it is called last: so the author's function is small and keeps no
/// registers for it (measured: 8 of 45 instructions of a valid object).
#[cold]
#[inline(never)]
fn normalize_unsettled<T: Union>(new: &mut T, old: Option<&T>, restore: RestoreUnaware) -> Changes {
    let mut normalizer = Normalizer::new(by_model, restore);
    new.walk_mut(old, &Place::root(&Indexes::default()), &mut normalizer);
    normalizer.changes
}

/// As [`Union::validate_unions`], by settings of yours: it accepts anything where [`unions`](Settings::unions) is off.
///
/// # Errors
///
/// All violations, in source order.
#[inline]
pub fn validate<T: Union>(new: &T, settings: &Settings) -> Result<(), Violations> {
    if !settings.unions || new.is_settled() {
        return Ok(());
    }
    refuse(new)
}

/// As [`Union::validate_unions_update`], by settings of yours: it accepts anything where
/// [`unions`](Settings::unions) is off.
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
pub fn validate_update<T: Union + Serialize>(
    new: &T,
    old: &T,
    settings: &Settings,
) -> Result<Outcome, Violations> {
    if !settings.unions || new.is_settled() {
        return Ok(Outcome::default());
    }
    match settings.ratchet {
        Ratchet::SameReason => same_reason(new, old),
        Ratchet::Unchanged => unchanged(new, old),
        Ratchet::Off => refuse_update(new, old),
    }
}

/// The whole flow of a request (KEP-1027, "Normalization and Validation"): normalizes `new`, then validates it; `old`
/// is `None` on a create.
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

/// The rest of [`validate`].
#[cold]
#[inline(never)]
fn refuse<T: Union>(new: &T) -> Result<(), Violations> {
    refuse_where(new, |_, _| true)
}

/// Which findings count.
pub(crate) type Which = fn(&UnionSpec<'_>, Finding<'_>) -> bool;

/// Judges as on a create, by the findings that count.
#[cold]
#[inline(never)]
pub(crate) fn refuse_where<T: Union>(new: &T, which: Which) -> Result<(), Violations> {
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(None, &Place::root(&Indexes::default()), judge);
    judge(&mut walk, which, &mut |_| false).map(drop)
}

/// Judges an update by [`Ratchet::SameReason`].
#[cold]
#[inline(never)]
pub(crate) fn same_reason<T: Union + Serialize>(new: &T, old: &T) -> Result<Outcome, Violations> {
    let values = Serialized::new(|| both(new, old));
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(Some(old), &Place::root(&Indexes::default()), judge);
    judge(&mut walk, |_, _| true, &mut |found| {
        found.has_same_reason(|| objects(&values))
    })
}

/// Judges an update by [`Ratchet::Off`].
#[cold]
#[inline(never)]
fn refuse_update<T: Union>(new: &T, old: &T) -> Result<Outcome, Violations> {
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(Some(old), &Place::root(&Indexes::default()), judge);
    judge(&mut walk, |_, _| true, &mut |_| false)
}

/// Judges an update by [`Ratchet::Unchanged`].
#[cold]
#[inline(never)]
fn unchanged<T: Union + Serialize>(new: &T, old: &T) -> Result<Outcome, Violations> {
    let values = Serialized::new(|| both(new, old));
    let mut walk =
        |judge: &mut dyn Visitor| new.walk(Some(old), &Place::root(&Indexes::default()), judge);
    judge(&mut walk, |_, _| true, &mut |found| {
        found.is_unchanged(objects(&values))
    })
}

/// Serialized only where it is asked for.
type Serialized<F> = LazyCell<Option<[Value; 2]>, F>;

fn both<T: Serialize>(new: &T, old: &T) -> Option<[Value; 2]> {
    let of = |object| serde_json::to_value(object).ok();
    Some([of(new)?, of(old)?])
}

fn objects<F: FnOnce() -> Option<[Value; 2]>>(values: &Serialized<F>) -> Objects<'_> {
    values.as_ref().map(<[Value; 2]>::each_ref)
}

/// The new object and the old one, as JSON. None where a type does not serialize: nothing can be shown to be unchanged then.
pub(crate) type Objects<'v> = Option<[&'v Value; 2]>;

/// A finding in the new object, where it is, and the states that led to it.
pub(crate) struct Found<'a> {
    finding: Finding<'a>,
    at: &'a Place<'a>,
    new: State<'a>,
    /// None where it is in a list that the old object has too, without an old element of its own.
    old: Option<State<'a>>,
    /// Whether the struct is unchanged, compared once for all that is found in it.
    is_unchanged: &'a OnceCell<bool>,
}

impl Found<'_> {
    /// Whether the old object has it too, for the same reason; or the list that it is in is what it was.
    pub(crate) fn has_same_reason<'v>(&self, objects: impl FnOnce() -> Objects<'v>) -> bool {
        match self.old {
            Some(old) => ratchet::same_reason(self.finding, self.new, old),
            None => self.is_unchanged(objects()),
        }
    }

    /// Whether the struct that holds the union is what it was, in these objects; or the list that it is in is.
    pub(crate) fn is_unchanged(&self, objects: Objects<'_>) -> bool {
        let Some([new, old]) = objects else {
            return false;
        };
        match self.at.list {
            Some(list) => list.is_unchanged(new, old),
            None => *self
                .is_unchanged
                .get_or_init(|| self.at.is_unchanged(new, old)),
        }
    }
}

/// Finds all that is wrong with the nodes that it is shown, split by `tolerates`, which is asked only where there is an
/// old node, or a list around it that the old object has too.
struct Judge<'t> {
    violations: Vec<Violation>,
    ratcheted: Vec<Violation>,
    which: Which,
    tolerates: &'t mut dyn FnMut(&Found<'_>) -> bool,
}

impl Visitor for Judge<'_> {
    fn visit(&mut self, new: &dyn Node, old: Option<&dyn Node>, at: &Place<'_>) {
        let is_unchanged = OnceCell::new();
        for union in 0..new.union_count() {
            let spec = &new.spec(union);
            let state = new.state(union);
            let old = old.map(|old| old.state(union));
            let unchanged = old.is_some_and(|old| old.selected() == state.selected());
            for finding in findings(spec, state).filter(|finding| (self.which)(spec, *finding)) {
                let violation = finding.violation(spec, state, unchanged, &at.new);
                let is_tolerated = (old.is_some() || at.list.is_some())
                    && (self.tolerates)(&Found {
                        finding,
                        at,
                        new: state,
                        old,
                        is_unchanged: &is_unchanged,
                    });
                if is_tolerated {
                    self.ratcheted.push(violation);
                } else {
                    self.violations.push(violation);
                }
            }
        }
    }
}

/// Judges what `walk` shows by the findings that count, and refuses if there is a violation that is not tolerated.
pub(crate) fn judge(
    walk: &mut dyn FnMut(&mut dyn Visitor),
    which: Which,
    tolerates: &mut dyn FnMut(&Found<'_>) -> bool,
) -> Result<Outcome, Violations> {
    let mut judge = Judge {
        violations: Vec::new(),
        ratcheted: Vec::new(),
        which,
        tolerates,
    };
    walk(&mut judge);
    let Judge {
        violations,
        ratcheted,
        ..
    } = judge;
    if violations.is_empty() {
        Ok(Outcome { ratcheted })
    } else {
        Err(Violations::new(violations, ratcheted))
    }
}
