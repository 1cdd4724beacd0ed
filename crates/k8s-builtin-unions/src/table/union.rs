//! The rows of the table.

use crate::table::data::{ArityRow, MemberRow, MemberRule, UnionRow, ValueRow, exists_in, table};

/// A union of a built-in type.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinUnion(pub(crate) &'static UnionRow);

/// A member of a built-in union.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinMember(&'static MemberRow);

/// A value of a discriminator that has no member.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinValue(&'static ValueRow);

/// The number of members that must be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Arity {
    /// Exactly one member must be set.
    ExactlyOne,
    /// At most one member may be set.
    AtMostOne,
    /// At most one member may be set; if none is set, the server sets
    /// [`default_member`](BuiltinUnion::default_member).
    ExactlyOneWithDefault,
    /// The discriminator selects the member.
    ByDiscriminator,
}

/// Returns all unions of built-in types, in the order of their types.
///
/// ```
/// use k8s_builtin_unions::{Arity, unions};
///
/// let volume = unions().find(|union| union.type_name() == "io.k8s.api.core.v1.Volume");
/// let volume = volume.expect("a built-in union");
/// assert_eq!(volume.arity(), Arity::ExactlyOneWithDefault);
/// assert_eq!(volume.default_member(), Some("emptyDir"));
/// let image = volume.members().find(|member| member.field() == "image");
/// assert_eq!(image.expect("a member").since(), Some(31));
/// ```
pub fn unions() -> impl Iterator<Item = BuiltinUnion> {
    table().unions.iter().map(BuiltinUnion)
}

impl BuiltinUnion {
    /// Returns the name of the type in `OpenAPI`, such as `io.k8s.api.core.v1.EnvVarSource`.
    #[must_use]
    pub fn type_name(self) -> &'static str {
        &self.0.type_name
    }

    /// Returns the field that must contain the object, if the union holds only there. The field is
    /// written as the type that has the field and the name of the field.
    ///
    /// ```
    /// let places = k8s_builtin_unions::unions().filter_map(|union| union.place());
    /// assert!(places.eq([
    ///     "io.k8s.api.autoscaling.v2.ContainerResourceMetricSource.target",
    ///     "io.k8s.api.autoscaling.v2.ContainerResourceMetricSource.target",
    ///     "io.k8s.api.autoscaling.v2.ExternalMetricSource.target",
    ///     "io.k8s.api.autoscaling.v2.ExternalMetricSource.target",
    ///     "io.k8s.api.autoscaling.v2.ResourceMetricSource.target",
    ///     "io.k8s.api.autoscaling.v2.ResourceMetricSource.target",
    /// ]));
    /// ```
    #[must_use]
    pub fn place(self) -> Option<&'static str> {
        self.0.place.as_deref()
    }

    /// Returns the number of members that must be set.
    #[must_use]
    pub fn arity(self) -> Arity {
        match self.0.arity {
            ArityRow::ExactlyOne if self.0.default_member.is_some() => Arity::ExactlyOneWithDefault,
            ArityRow::ExactlyOne => Arity::ExactlyOne,
            ArityRow::AtMostOne => Arity::AtMostOne,
            ArityRow::ByDiscriminator => Arity::ByDiscriminator,
        }
    }

    /// Returns the JSON name of the discriminator.
    #[must_use]
    pub fn discriminator(self) -> Option<&'static str> {
        let discriminator = self.0.discriminator.as_ref()?;
        Some(&discriminator.field)
    }

    /// Returns true if an empty string counts as an unset discriminator.
    #[must_use]
    pub fn is_discriminator_unset_if_empty(self) -> bool {
        let discriminator = self.0.discriminator.as_ref();
        discriminator.is_some_and(|discriminator| discriminator.unset_if_empty)
    }

    /// Returns the discriminator values that have no member, of all versions.
    pub fn values_without_member(self) -> impl Iterator<Item = &'static str> {
        self.memberless_values().map(BuiltinValue::value)
    }

    /// Returns the discriminator values that have no member, with their versions.
    ///
    /// ```
    /// use k8s_builtin_unions::unions;
    ///
    /// let type_name = "io.k8s.api.apps.v1.StatefulSetUpdateStrategy";
    /// let strategy = unions().find(|union| union.type_name() == type_name);
    /// let mut values = strategy.expect("a built-in union").memberless_values();
    /// let recreate = values.find(|value| value.value() == "Recreate");
    /// assert_eq!(recreate.expect("a value").since(), Some(37));
    /// ```
    pub fn memberless_values(self) -> impl Iterator<Item = BuiltinValue> {
        let discriminator = self.0.discriminator.iter();
        let values = discriminator.flat_map(|discriminator| &discriminator.empty);
        values.map(BuiltinValue)
    }

    /// Returns the value that the server sets if the discriminator is missing. A discriminator
    /// without a default is required.
    #[must_use]
    pub fn default_value(self) -> Option<&'static str> {
        self.0.discriminator.as_ref()?.default.as_deref()
    }

    /// Returns the members, in the order of the table.
    pub fn members(self) -> impl Iterator<Item = BuiltinMember> {
        self.0.members.iter().map(BuiltinMember)
    }

    /// Returns the member that the server sets if no member is set.
    #[must_use]
    pub fn default_member(self) -> Option<&'static str> {
        self.0.default_member.as_deref()
    }

    /// Returns the rules of the union, whether API servers enforce them or not.
    pub fn rules(self) -> impl Iterator<Item = MemberRule> {
        let rules: &[MemberRule] = match self.arity() {
            Arity::ExactlyOne => &[MemberRule::AtMostOne, MemberRule::Required],
            Arity::AtMostOne | Arity::ExactlyOneWithDefault => &[MemberRule::AtMostOne],
            Arity::ByDiscriminator if self.members().all(BuiltinMember::is_optional) => {
                &[MemberRule::OnlySelected]
            }
            Arity::ByDiscriminator => &[MemberRule::OnlySelected, MemberRule::Required],
        };
        rules.iter().copied()
    }

    /// Returns true if API servers enforce a rule of the union.
    ///
    /// ```
    /// use k8s_builtin_unions::{MemberRule, unions};
    ///
    /// let type_name = "io.k8s.api.resource.v1.DeviceConstraint";
    /// let constraint = unions().find(|union| union.type_name() == type_name);
    /// let constraint = constraint.expect("a built-in union");
    /// assert!(constraint.enforces(MemberRule::Required));
    /// assert!(!constraint.enforces(MemberRule::AtMostOne));
    /// ```
    #[must_use]
    pub fn enforces(self, rule: MemberRule) -> bool {
        self.rules().any(|found| found == rule) && !self.0.unenforced.contains(&rule)
    }

    /// Returns true if API servers enforce all rules of the union.
    #[must_use]
    pub fn is_enforced(self) -> bool {
        self.rules().all(|rule| self.enforces(rule))
    }

    /// Returns the origin of the row: `code` for a union that the server validates by code, `tag`
    /// for a union that the Go module marks with a tag, or `tag and code`.
    #[must_use]
    pub fn source(self) -> &'static str {
        &self.0.source
    }

    /// Returns the minor version that introduced the union; `None` if the oldest version of
    /// [`versions`](crate::versions) has it.
    #[must_use]
    pub fn since(self) -> Option<u32> {
        let mut members = self.members().map(BuiltinMember::since);
        let first = members.try_fold(u32::MAX, |first, since| Some(first.min(since?)));
        self.0.since.max(first)
    }
}

impl BuiltinMember {
    /// Returns the JSON name of the field.
    #[must_use]
    pub fn field(self) -> &'static str {
        &self.0.field
    }

    /// Returns the discriminator value that selects the member.
    #[must_use]
    pub fn value(self) -> Option<&'static str> {
        Some(&*self.0.value).filter(|value| !value.is_empty())
    }

    /// Returns true if the member may be unset when it is selected. The server then sets a
    /// default, or leaves the member unset.
    #[must_use]
    pub const fn is_optional(self) -> bool {
        self.0.optional
    }

    /// Returns true if an empty string, an empty list, 0 or false counts as unset. The Go field is
    /// then not a pointer, so API servers read such a value like a missing field.
    #[must_use]
    pub const fn is_unset_if_empty(self) -> bool {
        self.0.unset_if_empty
    }

    /// Returns the minor version of Kubernetes that introduced the field; `None` if the oldest
    /// version of [`versions`](crate::versions) has it. A feature gate may disable the field.
    #[must_use]
    pub const fn since(self) -> Option<u32> {
        self.0.since
    }

    /// Returns the last minor version that has the field; `None` if the newest version has it.
    #[must_use]
    pub const fn until(self) -> Option<u32> {
        self.0.until
    }

    /// Returns true if Kubernetes 1.`minor` has the field. No version means all versions.
    pub(crate) fn exists_in(self, minor: Option<u32>) -> bool {
        exists_in(self.0.since, self.0.until, minor)
    }
}

impl BuiltinValue {
    /// Returns the value.
    #[must_use]
    pub fn value(self) -> &'static str {
        &self.0.value
    }

    /// Returns the minor version of Kubernetes that introduced the value; `None` if the oldest
    /// version of [`versions`](crate::versions) has it.
    #[must_use]
    pub const fn since(self) -> Option<u32> {
        self.0.since
    }

    /// Returns the last minor version that has the value; `None` if the newest version has it.
    #[must_use]
    pub const fn until(self) -> Option<u32> {
        self.0.until
    }

    /// Returns true if Kubernetes 1.`minor` has the value. No version means all versions.
    pub(crate) fn exists_in(self, minor: Option<u32>) -> bool {
        exists_in(self.0.since, self.0.until, minor)
    }
}
