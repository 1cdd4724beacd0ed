//! The methods of values with unions, which normalize and validate them.

use std::cell::LazyCell;

use serde::Serialize;
use serde_json::Value;

use super::requests::{Baseline, Requests};
use super::settings::Settings;
use crate::report::changes::Changes;
use crate::report::report::Report;
use crate::view::{Descent, Nested, Walk};

/// A value with unions: a struct with [`#[derive(Union)]`](macro@crate::Union), an enum with
/// [`#[derive(UnionEnum)]`](macro@crate::UnionEnum), or an `Option`, `Box`, list or map of such
/// values. For a request, normalize first, then validate (KEP-1027, "Normalization and
/// Validation").
///
/// The trait is implemented for all of these types, and cannot be implemented for others. To
/// describe a type without a derive, implement [`spec::UnionType`](crate::spec::UnionType).
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{EnumType, Report, Settings, Union};
///
/// #[derive(EnumType, Serialize, Deserialize)]
/// enum StrategyType {
///     Recreate,
///     RollingUpdate,
/// }
///
/// #[derive(Union, Serialize, Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Strategy {
///     #[union(discriminator)]
///     r#type: StrategyType,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     rolling_update: Option<u32>,
/// }
///
/// let settings = Settings::default();
/// let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: None };
/// assert_eq!(old.validate_unions().errors()[0].path(), "rollingUpdate");
///
/// // An update may keep an error that the stored object has.
/// let new = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: None };
/// let report = new.validate_unions_update(&old, &settings).into_result()?;
/// assert_eq!(report.tolerated().len(), 1);
///
/// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
/// assert_eq!(new.normalize_unions(Some(&old), &settings).to_string(), "rollingUpdate: cleared");
/// # Ok::<(), Report>(())
/// ```
pub trait Union: Nested + Sized {
    /// Changes the object to what its client meant, and returns the changes. This method never
    /// fails.
    ///
    /// If the discriminator differs from `old` and has a value that this build knows, all members
    /// except the selected one are cleared (KEP-1027, "Normalization"). A create, for which `old`
    /// is `None`, changes nothing.
    ///
    /// If the discriminator follows the members (`deduce`), or if the union has no discriminator,
    /// the 2019 text applies, on creates too. A changed discriminator clears the other members.
    /// Otherwise, the only set member, or the only added member, sets the discriminator, and an
    /// added member clears the others.
    ///
    /// There are no changes if [`Settings::unions`] is off.
    fn normalize_unions(&mut self, old: Option<&Self>, settings: &Settings) -> Changes {
        if !settings.unions || settings.keeps_settled_objects() && self.is_settled() {
            return Changes::default();
        }
        normalize_unsettled(self, old, *settings)
    }

    /// Validates a new object (KEP-1027, "Validation"). The errors are in source order.
    #[inline]
    #[must_use = "the report shows if the object is rejected"]
    fn validate_unions(&self) -> Report {
        if self.is_settled() {
            return Report::default();
        }
        validate_unsettled(self, Requests::validate)
    }

    /// Validates the unions that this build knows, for use in `reconcile()`: like
    /// [`validate_unions`](Self::validate_unions), but values and members of a newer version are
    /// not errors. The code then reaches the variant with `other`, and can report the object
    /// instead of failing.
    ///
    /// ```
    /// use union_runtime::{RawUnion, Union, UnionEnum};
    ///
    /// #[derive(UnionEnum)]
    /// #[union(discriminator = "type", schema = false)]
    /// enum Target {
    ///     Disk(String),
    ///     #[union(other)]
    ///     Other(RawUnion),
    /// }
    ///
    /// let newer: Target = serde_json::from_str(r#"{"type": "Tape", "tape": 7}"#)?;
    /// assert!(!newer.validate_unions().is_accepted());
    /// assert!(newer.validate_known_unions().is_accepted());
    ///
    /// let invalid: Target = serde_json::from_str(r#"{"type": "Disk", "tape": 7}"#)?;
    /// assert!(!invalid.validate_known_unions().is_accepted());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[inline]
    #[must_use = "the report shows if the object is rejected"]
    fn validate_known_unions(&self) -> Report {
        if self.is_settled() {
            return Report::default();
        }
        validate_unsettled(self, Requests::validate_known)
    }

    /// Validates an update of `old`. By default, two kinds of errors are tolerated: an error that
    /// `old` has for the same reason (KEP-1027, "Ratcheting Validation"), and an error in an
    /// unchanged list whose elements have no keys (KEP-4008). [`Settings::ratchet`] selects other
    /// rules. There are no errors if [`Settings::unions`] is off.
    ///
    /// The objects are serialized only if an error has to be compared.
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
    /// use union_runtime::{Ratchet, Settings};
    ///
    /// // The stored object is invalid: `Recreate` has no `rollingUpdate`.
    /// let old = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
    /// let new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(2) };
    ///
    /// let report = new.validate_unions_update(&old, &Settings::default());
    /// assert!(report.is_accepted());
    /// assert_eq!(report.tolerated()[0].path(), "rollingUpdate");
    /// // By KEP-4008 the struct would have to be unchanged.
    /// let settings = Settings::default().ratchet(Ratchet::Unchanged);
    /// assert!(!new.validate_unions_update(&old, &settings).is_accepted());
    /// ```
    #[inline]
    #[must_use = "the report shows if the object is rejected"]
    fn validate_unions_update(&self, old: &Self, settings: &Settings) -> Report
    where
        Self: Serialize,
    {
        if !settings.unions || self.is_settled() {
            return Report::default();
        }
        validate_unsettled_update(self, old, *settings)
    }

    /// Normalizes and validates the object of a request (KEP-1027, "Normalization and Validation").
    /// `old` is `None` on a create. The report also contains the changes. A rejected object stays
    /// normalized.
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
    /// use union_runtime::Settings;
    ///
    /// let old = Strategy { r#type: StrategyType::RollingUpdate, rolling_update: Some(1) };
    /// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
    /// let report = new.admit_unions(Some(&old), &Settings::default());
    /// assert!(report.is_accepted());
    /// assert_eq!(report.changes().to_string(), "rollingUpdate: cleared");
    ///
    /// // On a create, the intended field is ambiguous.
    /// let mut new = Strategy { r#type: StrategyType::Recreate, rolling_update: Some(1) };
    /// assert!(!new.admit_unions(None, &Settings::default()).is_accepted());
    /// ```
    #[inline]
    #[must_use = "the report shows if the object is rejected"]
    fn admit_unions(&mut self, old: Option<&Self>, settings: &Settings) -> Report
    where
        Self: Serialize,
    {
        let changes = self.normalize_unions(old, settings);
        let report = match old {
            Some(old) => self.validate_unions_update(old, settings),
            None if settings.unions => self.validate_unions(),
            None => Report::default(),
        };
        report.with_changes(changes)
    }

    /// Normalizes the object that a server-side apply produces. `self` is the merged object,
    /// `applied` is the object that the client sent, and `live` is the stored object. Add the
    /// changes to the managed fields of the client, and validate the merged object afterwards.
    ///
    /// - If the discriminator selects the member (the 2022 model), the merged object is an update
    ///   of `live`, as in [`normalize_unions`](Self::normalize_unions).
    /// - If the discriminator follows the members, or if the union has no discriminator (the 2019
    ///   model), the applied object decides. Its only member, or its discriminator, clears the
    ///   other members of the merged object.
    ///
    /// The report has errors if `applied` is ambiguous in the 2019 model: `applied` has several
    /// members of a union, or a discriminator that names another member (2019 text, "Future Work").
    /// The merged object is then unchanged.
    ///
    /// ```
    /// use serde::{Deserialize, Serialize};
    /// use union_runtime::{Settings, Union};
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
    /// let report = merged.normalize_unions_apply(&applied, Some(&live), &Settings::default());
    /// assert_eq!(report.changes().to_string(), "value: cleared");
    /// ```
    #[must_use = "the report shows if the object is rejected"]
    fn normalize_unions_apply(
        &mut self,
        applied: &Self,
        live: Option<&Self>,
        settings: &Settings,
    ) -> Report {
        let requests = Requests::new(*settings);
        let report = requests.validate_applied(&mut |cursor, visitor| {
            applied.walk(Descent::new(None, cursor, visitor));
        });
        if !report.is_accepted() {
            return report;
        }
        let changes = requests.normalize_merged(&mut |baseline, cursor, visitor| {
            let old = match baseline {
                Baseline::Live => live,
                Baseline::Applied => Some(applied),
            };
            self.walk_mut(Descent::new(old, cursor, visitor));
        });
        report.with_changes(changes)
    }
}

impl<T: Nested> Union for T {}

/// The slow path of [`Union::normalize_unions`]. The callers of this function and of the next two
/// functions are compiled into the author's crate. They end with a tail call, so they stay small
/// and save no registers (measured: 8 of the 45 instructions of a valid object).
#[cold]
#[inline(never)]
fn normalize_unsettled<T: Nested>(new: &mut T, old: Option<&T>, settings: Settings) -> Changes {
    Requests::new(settings)
        .normalize(&mut |cursor, visitor| new.walk_mut(Descent::new(old, cursor, visitor)))
}

/// The slow path of [`Union::validate_unions`].
#[cold]
#[inline(never)]
fn validate_unsettled<T: Nested>(
    new: &T,
    validate: fn(Requests, Walk<'_, '_>) -> Report,
) -> Report {
    let requests = Requests::new(Settings::default());
    let walk: Walk<'_, '_> = &mut |cursor, visitor| new.walk(Descent::new(None, cursor, visitor));
    validate(requests, walk)
}

/// The slow path of [`Union::validate_unions_update`].
#[cold]
#[inline(never)]
fn validate_unsettled_update<T: Nested + Serialize>(
    new: &T,
    old: &T,
    settings: Settings,
) -> Report {
    let json_objects = LazyCell::new(|| {
        let to_json = |object: &T| serde_json::to_value(object).ok();
        Some([to_json(new)?, to_json(old)?])
    });
    let objects = || json_objects.as_ref().map(<[Value; 2]>::each_ref);
    Requests::new(settings).validate_update(&objects, &mut |cursor, visitor| {
        new.walk(Descent::new(Some(old), cursor, visitor));
    })
}
