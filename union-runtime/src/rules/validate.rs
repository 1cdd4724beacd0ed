//! Validation, which finds the errors in the state of a union. A message is created when it is
//! first read.

use core::fmt::{self, Display as _, Formatter, Write as _};
use std::sync::{Arc, OnceLock};

use crate::path::Path;
use crate::report::violation::{BadValue, Detail, DetailMessage, Violation, ViolationKind};
use crate::union_spec::{
    DiscriminatorSpec, DiscriminatorValues, MemberSpec, UnionModel, UnionSpec,
};
use crate::view::{Selected, State};
use k8s_json_internals::quote::{GoQuoted, quote_list};

use RuleFailure::{
    DiscriminatorMissing, DiscriminatorUnsupported, MemberNotSelected, MemberUnreadable,
    MemberUnset, NoMemberSet, SeveralMembersSet,
};

/// An error of a union (`docs/design.md`, "Validation"). Members are identified by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleFailure {
    /// A required discriminator is absent.
    DiscriminatorMissing,
    /// The value of the discriminator is not in its enum type.
    DiscriminatorUnsupported,
    /// The member at this position is set, but the discriminator does not select it.
    MemberNotSelected(usize),
    /// The member at this position is selected and not optional, but unset.
    MemberUnset(usize),
    /// Several members are set, but no discriminator selects one of them.
    SeveralMembersSet,
    /// No member is set, but exactly one is required.
    NoMemberSet,
    /// The selected member is set, but serde cannot deserialize it into its Rust type.
    MemberUnreadable,
}

/// Returns the errors of a union in this state, in source order.
///
/// An error of the union as a whole, such as an invalid discriminator, is the only error. The
/// members are not checked then, because the selected member is unknown.
pub(crate) fn rule_failures(
    spec: &UnionSpec<'_>,
    state: State<'_>,
) -> impl Iterator<Item = RuleFailure> {
    let union_failure = union_failure(spec, state);
    let is_decided =
        union_failure.is_none() && spec.discriminator().is_some() && !is_undecided(spec, state);
    let checked_count = if is_decided { spec.members().len() } else { 0 };
    let member_failures = (0..checked_count).filter_map(move |i| member_failure(spec, i, state));
    union_failure.into_iter().chain(member_failures)
}

/// Returns the error of the union as a whole: an error of the discriminator, of the number of set
/// members, or of a selected member that its type cannot read.
fn union_failure(spec: &UnionSpec<'_>, state: State<'_>) -> Option<RuleFailure> {
    if state.unreadable_member().is_some() {
        return Some(MemberUnreadable);
    }
    let Some(discriminator) = spec.discriminator() else {
        return match state.members_set().count_ones() {
            0 if spec.model() == UnionModel::ExactlyOne => Some(NoMemberSet),
            0 | 1 => None,
            _ => Some(SeveralMembersSet),
        };
    };
    match state.selected() {
        _ if state.has_unsupported_value(spec) => Some(DiscriminatorUnsupported),
        Selected::Missing if discriminator.is_required() => Some(DiscriminatorMissing),
        _ if is_undecided(spec, state) && state.members_set().count_ones() > 1 => {
            Some(SeveralMembersSet)
        }
        _ => None,
    }
}

/// Returns true if the discriminator follows the members and has no value yet, so that any one
/// member may be set.
fn is_undecided(spec: &UnionSpec<'_>, state: State<'_>) -> bool {
    !spec.is_selected_by_discriminator() && state.selected() == Selected::Missing
}

fn member_failure(spec: &UnionSpec<'_>, position: usize, state: State<'_>) -> Option<RuleFailure> {
    let bit = spec.bit_of(position);
    let is_selected = state.selected().bit() & bit != 0;
    let is_set = state.members_set() & bit != 0;
    // In the 2019 model, a selected member may be unset, because all members are optional.
    let must_be_set = spec.is_selected_by_discriminator() && spec.required_mask() & bit != 0;
    match (is_selected, is_set) {
        (false, true) => Some(MemberNotSelected(position)),
        (true, false) if must_be_set => Some(MemberUnset(position)),
        _ => None,
    }
}

/// A failure, with the data for its message. `Display` prints the detail of the message: the
/// allowed values and the remedy.
///
/// The first part of each message is the message of Kubernetes
/// (`k8s.io/apimachinery/pkg/api/validate`, v0.36). The part after the colon is the remedy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FailureInUnion<'a> {
    pub(crate) rule_failure: RuleFailure,
    pub(crate) spec: &'a UnionSpec<'a>,
    pub(crate) state: State<'a>,
    /// True if the request is an update and the discriminator is unchanged.
    pub(crate) keeps_discriminator: bool,
}

/// A failure in a union with a static spec, and its message, which is created when it is first
/// read. Without this laziness, an invalid object takes 5,306 instructions instead of 1,940, and a
/// tolerated error 4,005 instead of 1,630 (measured by `tests/benches`, typed).
struct CachedMessage(FailureInUnion<'static>, OnceLock<String>);

impl DetailMessage for CachedMessage {
    fn message(&self) -> &str {
        let Self(failure, message) = self;
        message.get_or_init(|| failure.detail())
    }
}

impl<'a> FailureInUnion<'a> {
    /// Returns the violation to report. If the union has a static spec, the message is created when
    /// it is first read.
    pub(crate) fn violation(
        self,
        static_spec: Option<&'static UnionSpec<'static>>,
        path: &Path<'_>,
    ) -> Violation {
        let static_failure = static_spec
            .zip(self.state.to_static())
            .map(|(spec, state)| FailureInUnion {
                rule_failure: self.rule_failure,
                spec,
                state,
                keeps_discriminator: self.keeps_discriminator,
            });
        let static_field = static_failure.and_then(|failure| failure.field());
        let path = match self.field() {
            Some(field) => path.child_path(field, static_field),
            None => path.to_field_path(),
        };
        let detail = match static_failure {
            Some(failure) => Detail::Lazy(Arc::new(CachedMessage(failure, OnceLock::new()))),
            None if self.kind() == ViolationKind::TypeInvalid => {
                Detail::Message(format!("{path} in body {self}"))
            }
            None => Detail::Message(self.detail()),
        };
        Violation::new(self.kind(), path, self.value(), detail)
    }

    fn detail(&self) -> String {
        // Most messages fit into this capacity. Writing to a String cannot fail.
        let mut detail = String::with_capacity(160);
        let _ = write!(detail, "{self}");
        detail
    }

    fn kind(&self) -> ViolationKind {
        match self.rule_failure {
            DiscriminatorMissing => ViolationKind::Required,
            DiscriminatorUnsupported
                if matches!(self.state.selected(), Selected::NotAString(_)) =>
            {
                ViolationKind::TypeInvalid
            }
            DiscriminatorUnsupported => ViolationKind::NotSupported,
            _ => ViolationKind::Invalid,
        }
    }

    /// Returns the member with the error, or `None` if the error is an error of the union as a
    /// whole.
    fn member(&self) -> Option<MemberSpec<'a>> {
        match self.rule_failure {
            MemberNotSelected(position) | MemberUnset(position) => self.spec.member(position),
            MemberUnreadable => self
                .spec
                .member_for_value(self.state.unreadable_member()?.value_index),
            _ => None,
        }
    }

    /// Returns the name of the field with the error, or `None` if the path of the error is the path
    /// of the struct.
    fn field(&self) -> Option<&'a str> {
        match self.rule_failure {
            DiscriminatorUnsupported if self.spec.is_enum_value() => None,
            DiscriminatorMissing | DiscriminatorUnsupported => Some(self.discriminator()),
            _ => self.member().map(MemberSpec::name),
        }
    }

    /// Returns the value that the violation quotes.
    fn value(&self) -> BadValue {
        match (self.rule_failure, self.state.selected()) {
            (DiscriminatorMissing, _) => BadValue::Omitted,
            (DiscriminatorUnsupported, Selected::NotAString(value)) => value.type_name().into(),
            (DiscriminatorUnsupported, selected) => selected
                .value(self.spec)
                .map_or(BadValue::Omitted, BadValue::from),
            (SeveralMembersSet, _) => {
                let mask = self.state.members_set();
                let members = self.spec.members().filter(|field| mask & field.bit() != 0);
                let names: Vec<&str> = members.map(MemberSpec::name).collect();
                BadValue::Quoted(format!("{{{}}}", names.join(", ")))
            }
            _ => BadValue::Quoted(String::new()),
        }
    }

    /// Returns the name of the discriminator, or `""` if the union has none.
    fn discriminator(&self) -> &'a str {
        let discriminator = self.spec.discriminator();
        discriminator.map_or("", DiscriminatorSpec::name)
    }

    /// Writes the detail for a member that is set but not selected. `name` is the name of the
    /// member, and `value` is its discriminator value.
    fn write_not_selected(&self, name: &str, value: &str, f: &mut Formatter<'_>) -> fmt::Result {
        let discriminator = self.discriminator();
        only_when(discriminator, value).fmt(f)?;
        let value = GoQuoted(value);
        let has_several_members = self.state.members_set().count_ones() > 1;
        match self.state.selected().value(self.spec).map(GoQuoted) {
            Some(selected) if self.keeps_discriminator && has_several_members => write!(
                f,
                ": several members are set and `{discriminator}` is still {selected}; \
                 a client that changes members must change `{discriminator}` too: set it to {value}, or remove `{name}`"
            ),
            Some(selected) => write!(
                f,
                ": `{discriminator}` is {selected}; remove `{name}`, or set `{discriminator}` to {value}"
            ),
            None => write!(
                f,
                ": `{discriminator}` is not set; set it to {value}, or remove `{name}`"
            ),
        }
    }
}

impl fmt::Display for FailureInUnion<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { spec, state, .. } = self;
        let discriminator = self.discriminator();
        let values = || {
            let discriminator = spec.discriminator();
            let values = discriminator.map_or(DiscriminatorValues::NONE, DiscriminatorSpec::values);
            quote_list(values.iter())
        };
        let names = || spec.members().map(MemberSpec::name);
        let (name, value) = self
            .member()
            .map_or(("", ""), |member| (member.name(), member.value()));
        match (self.rule_failure, state.selected()) {
            (DiscriminatorMissing, _) => write!(f, "set it to one of: {}", values()),
            (DiscriminatorUnsupported, Selected::NotAString(value)) => {
                let found = GoQuoted(value.type_name());
                write!(
                    f,
                    "must be of type string: {found}: set it to one of: {}",
                    values()
                )
            }
            (DiscriminatorUnsupported, _) => {
                write!(f, "supported values: {}", values())
            }
            (MemberNotSelected(_), _) => self.write_not_selected(name, value, f),
            (MemberUnset(_), _) => {
                let rule = needed_when(discriminator, value);
                write!(f, "{rule}: add `{name}`, or change `{discriminator}`")
            }
            (SeveralMembersSet, _) => {
                let rule = only_one_of(spec.model() == UnionModel::ExactlyOne, names());
                write!(f, "{rule}: remove all but one")?;
                if spec.discriminator().is_none() {
                    return Ok(());
                }
                write!(f, ", or set `{discriminator}` to the one that is meant")
            }
            (NoMemberSet, _) => {
                write!(f, "{}: add one of them", needed_one_of(names()))
            }
            (MemberUnreadable, _) => {
                let error = state.unreadable_member().map_or("", |member| &member.error);
                write!(f, "cannot be read: {error}")
            }
        }
    }
}

/// The first part of the message about a member. CEL rules have the same message.
#[must_use]
pub struct MembershipClause<'a>(&'static str, &'a str, &'a str);

impl fmt::Display for MembershipClause<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(rule, discriminator, value) = self;
        write!(f, "{rule} when `{discriminator}` is {}", GoQuoted(value))
    }
}

/// Returns the first part of the message for a member that is set but not selected.
pub const fn only_when<'a>(discriminator: &'a str, value: &'a str) -> MembershipClause<'a> {
    MembershipClause("may only be specified", discriminator, value)
}

/// Returns the first part of the message for a member that is selected but not set.
pub const fn needed_when<'a>(discriminator: &'a str, value: &'a str) -> MembershipClause<'a> {
    MembershipClause("must be specified", discriminator, value)
}

/// Returns true if a message begins like the message of a union rule.
#[must_use]
pub fn is_union_message(message: &str) -> bool {
    const PREFIXES: [&str; 3] = [
        "may only be specified when `",
        "must specify at most one of: `",
        "must specify exactly one of: `",
    ];
    PREFIXES.iter().any(|prefix| message.starts_with(prefix))
}

/// Returns the first part of the message for several set members. `exactly` is true if one member
/// must be set. CEL rules have the same message.
pub fn only_one_of<'a>(exactly: bool, names: impl Iterator<Item = &'a str>) -> String {
    let count = if exactly {
        "exactly one"
    } else {
        "at most one"
    };
    format!("must specify {count} of: {}", quoted_names(names))
}

/// Returns the first part of the message for a union in which no member is set, although one is
/// required. CEL rules have the same message.
pub fn needed_one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("must specify one of: {}", quoted_names(names))
}

/// Returns the names in backticks, separated by commas: ``  `a`, `b`  ``.
fn quoted_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("`{}`", names.join("`, `"))
}
