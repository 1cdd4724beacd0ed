//! Validation: what is wrong with a union, found on its state and worded only when somebody is to read it.

use crate::path::Path;
use crate::spec::{MemberSpec, UnionSpec};
use crate::view::{Selected, State};
use crate::violation::{Quoted, Violation, ViolationKind, quoted};

/// Something that is wrong with a union (DESIGN 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The discriminator is absent where it is required.
    Missing,
    /// The discriminator has a value that the enum type has not.
    Unsupported,
    /// This member is set, and the discriminator selects something else.
    NotSelected(MemberSpec),
    /// This member is selected, not set, and not optional.
    Unset(MemberSpec),
}

/// Everything that is wrong with a union in this state, in source order.
///
/// Of a discriminator that says nothing usable, that alone is reported: what the members should be is not known.
pub(crate) fn findings(spec: &UnionSpec, state: State<'_>) -> impl Iterator<Item = Finding> {
    let discriminator = match state.selected() {
        Selected::Known(_) => None,
        Selected::Missing if !spec.discriminator().required() => None,
        Selected::Missing => Some(Finding::Missing),
        Selected::Unknown(_) => Some(Finding::Unsupported),
    };
    let members = if discriminator.is_some() {
        &[]
    } else {
        spec.members()
    };
    discriminator.into_iter().chain(
        members
            .iter()
            .filter_map(move |member| member_finding(*member, state)),
    )
}

fn member_finding(member: MemberSpec, state: State<'_>) -> Option<Finding> {
    let is_selected = state.selected().known() == Some(member.value_index());
    let is_set = state.set() & member.bit() != 0;
    match (is_selected, is_set) {
        (false, true) => Some(Finding::NotSelected(member)),
        (true, false) if !member.optional() => Some(Finding::Unset(member)),
        _ => None,
    }
}

impl Finding {
    /// The violation to report. `unchanged`: this is an update, and the discriminator is as it was.
    ///
    /// The first part of each text is Kubernetes' own (`k8s.io/apimachinery/pkg/api/validate`, v0.36); what follows
    /// the colon says what to do.
    pub(crate) fn violation(
        self,
        spec: &UnionSpec,
        state: State<'_>,
        unchanged: bool,
        path: &Path<'_>,
    ) -> Violation {
        let name = spec.discriminator().name();
        let values = spec.discriminator().values();
        match self {
            Self::Missing => Violation::new(
                ViolationKind::Required,
                &path.field(name),
                None,
                format!("set it to one of: {}", quoted(values)),
            ),
            Self::Unsupported => Violation::new(
                ViolationKind::NotSupported,
                &path.field(name),
                state.selected().text(spec),
                format!("supported values: {}", quoted(values)),
            ),
            Self::NotSelected(member) => Violation::new(
                ViolationKind::Invalid,
                &path.field(member.name()),
                Some(""),
                not_selected(spec, member, state, unchanged),
            ),
            Self::Unset(member) => Violation::new(
                ViolationKind::Invalid,
                &path.field(member.name()),
                Some(""),
                unset(spec, member),
            ),
        }
    }
}

/// The first part of the text for a member that is set and not selected; CEL rules carry the same.
pub(crate) fn only_when(discriminator: &str, value: &str) -> String {
    format!(
        "may only be specified when `{discriminator}` is {}",
        Quoted(value)
    )
}

/// The first part of the text for a member that is selected and not set; CEL rules carry the same.
pub(crate) fn needed_when(discriminator: &str, value: &str) -> String {
    format!(
        "must be specified when `{discriminator}` is {}",
        Quoted(value)
    )
}

fn value_of(spec: &UnionSpec, member: MemberSpec) -> &'static str {
    let values = spec.discriminator().values();
    values
        .get(member.value_index())
        .copied()
        .unwrap_or_default()
}

fn not_selected(spec: &UnionSpec, member: MemberSpec, state: State<'_>, unchanged: bool) -> String {
    let discriminator = spec.discriminator().name();
    let value = value_of(spec, member);
    let rule = only_when(discriminator, value);
    let (name, value) = (member.name(), Quoted(value));
    let several = state.set().count_ones() > 1;
    match state.selected().text(spec).map(Quoted) {
        Some(selected) if unchanged && several => format!(
            "{rule}: several members are set and `{discriminator}` is still {selected}; \
             a client that changes members must change `{discriminator}` too: set it to {value}, or remove `{name}`"
        ),
        Some(selected) => format!(
            "{rule}: `{discriminator}` is {selected}; remove `{name}`, or set `{discriminator}` to {value}"
        ),
        None => {
            format!("{rule}: `{discriminator}` is not set; set it to {value}, or remove `{name}`")
        }
    }
}

fn unset(spec: &UnionSpec, member: MemberSpec) -> String {
    let discriminator = spec.discriminator().name();
    let rule = needed_when(discriminator, value_of(spec, member));
    format!(
        "{rule}: add `{}`, or change `{discriminator}`",
        member.name()
    )
}
