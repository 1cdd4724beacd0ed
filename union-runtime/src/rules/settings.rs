//! The settings of a request.

/// The settings of a request.
///
/// ```
/// use union_runtime::{Ratchet, RestoreUnaware, Settings};
///
/// let settings = Settings::default()
///     .ratchet(Ratchet::Unchanged)
///     .restore_unaware(RestoreUnaware::Required);
/// assert!(settings.unions);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Settings {
    /// True if unions are normalized and validated (the feature gate of KEP-1027). Default: true.
    ///
    /// The extension in schemas does not depend on this setting.
    pub unions: bool,
    /// The violations of the old object that an update may keep. Default: [`Ratchet::SameReason`].
    pub ratchet: Ratchet,
    /// The members that are restored if a client dropped them because it does not know them.
    /// Default: [`RestoreUnaware::Off`].
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
    /// Switches the rules of unions on or off.
    pub const fn unions(mut self, is_on: bool) -> Self {
        self.unions = is_on;
        self
    }

    /// Sets the violations that an update may keep.
    pub const fn ratchet(mut self, ratchet: Ratchet) -> Self {
        self.ratchet = ratchet;
        self
    }

    /// Sets the members that are restored.
    pub const fn restore_unaware(mut self, restore: RestoreUnaware) -> Self {
        self.restore_unaware = restore;
        self
    }

    /// Returns true if normalization never changes a settled object. With [`RestoreUnaware::All`],
    /// normalization may restore an optional member that is selected and unset.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn keeps_settled_objects(self) -> bool {
        !matches!(self.restore_unaware, RestoreUnaware::All)
    }
}

/// The violations of the old object that an update may keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ratchet {
    /// An update may keep a violation that the old object has for the same reason (KEP-1027,
    /// "Ratcheting Validation"). The discriminator must be unchanged. Further conditions depend on
    /// the violation:
    ///
    /// - A missing or unsupported discriminator: no member was added.
    /// - A member: the member is set in both objects, or in neither.
    /// - Several set members: several members were set, and no member was added.
    /// - No set member, although one is required: no member was set.
    /// - A member that cannot be read
    ///   ([`RawUnionReason::Unreadable`](crate::RawUnionReason::Unreadable)): serde reports the
    ///   same error.
    ///
    /// For a union in a list without keys, the list must be unchanged (KEP-4008).
    #[default]
    SameReason,
    /// An update may keep a violation if the struct with the union is equal to its old value
    /// (KEP-4008). In a list without keys, the whole list must be equal.
    Unchanged,
    /// An update may keep no violation (KEP-1027, alpha).
    Off,
}

/// The members that are restored if a client dropped them because it does not know them (KEP-1027,
/// cases #12 and #16).
///
/// A typed client that does not know a member reads an object, loses the member, and writes the
/// object back with the same discriminator. According to the KEP, this is an error, because the
/// selected member is unset. In the 2022 model, a server can restore the member instead, if the
/// discriminator is unchanged and selects the member, and the old object has the member.
///
/// In structs, only members whose type implements `Clone` are restored. Enums and JSON objects do
/// not need `Clone`.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{EnumType, RestoreUnaware, Settings, Union};
///
/// #[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// enum TargetType {
///     S3,
///     Tape,
/// }
///
/// #[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// struct Target {
///     #[union(discriminator)]
///     r#type: TargetType,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     s3: Option<String>,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     tape: Option<String>,
/// }
///
/// let old = Target { r#type: TargetType::Tape, s3: None, tape: Some("first".into()) };
/// // Written back by a client that does not know `tape`.
/// let new = Target { tape: None, ..old.clone() };
///
/// assert!(!new.clone().admit_unions(Some(&old), &Settings::default()).is_accepted());
///
/// let mut new = new;
/// let settings = Settings::default().restore_unaware(RestoreUnaware::Required);
/// let report = new.admit_unions(Some(&old), &settings);
/// assert!(report.is_accepted());
/// assert_eq!(report.changes().to_string(), "tape: restored");
/// assert_eq!(new, old);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreUnaware {
    /// No members. Validation rejects an object without the selected member, unless the member is
    /// optional.
    #[default]
    Off,
    /// Members that must be set when they are selected.
    Required,
    /// Optional members too. A client can then no longer unset an optional member without changing
    /// the discriminator.
    All,
}
