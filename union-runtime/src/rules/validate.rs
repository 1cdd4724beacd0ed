//! Validation: what is wrong with a union, found on its state and worded only when somebody is to read it.

use core::fmt::Write as _;

use crate::report::violation::{Violation, ViolationKind};
use crate::spec::discriminator::DiscriminatorSpec;
use crate::spec::members::MemberSpec;
use crate::spec::values::DiscriminatorValues;
use crate::spec::{Arity, UnionSpec};
use crate::state::{Selected, State};
use crate::walk::path::Path;
use k8s_json_internals::quote::{Quoted, quoted};

/// Something that is wrong with a union (DESIGN 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding<'a> {
    /// The discriminator is absent where it is required.
    Missing,
    /// The discriminator has a value that the enum type has not.
    Unsupported,
    /// This member is set, and the discriminator selects something else.
    NotSelected(MemberSpec<'a>),
    /// This member is selected, not set, and not optional.
    Unset(MemberSpec<'a>),
    /// Nothing is selected, and several members are set.
    Several,
    /// No member is set, and one has to be.
    NoneSet,
    /// This member is set and selected, and its Rust type cannot read it: what serde says.
    Unreadable(MemberSpec<'a>, &'a str),
}

/// Everything that is wrong with a union in this state, in source order.
///
/// What is wrong with the union as a whole is reported alone: what its members should be is not known then.
pub(crate) fn findings<'a>(
    spec: &UnionSpec<'a>,
    state: State<'a>,
) -> impl Iterator<Item = Finding<'a>> {
    let spec = *spec;
    let whole = whole_finding(&spec, state);
    let is_selecting = whole.is_none() && spec.discriminator().is_some();
    let members = (is_selecting && !is_undecided(&spec, state)).then(|| spec.members());
    whole.into_iter().chain(
        members
            .into_iter()
            .flatten()
            .filter_map(move |member| member_finding(&spec, member, state)),
    )
}

/// What is wrong with the discriminator, or with the number of members that are set; or with the one that is selected, if
/// its type cannot read it.
fn whole_finding<'a>(spec: &UnionSpec<'a>, state: State<'a>) -> Option<Finding<'a>> {
    if let Some(unreadable) = state.unreadable() {
        let member = spec.member_of(unreadable.value)?;
        return Some(Finding::Unreadable(member, &unreadable.text));
    }
    let Some(discriminator) = spec.discriminator() else {
        return match state.members_set().count_ones() {
            0 if spec.arity() == Arity::ExactlyOne => Some(Finding::NoneSet),
            0 | 1 => None,
            _ => Some(Finding::Several),
        };
    };
    match state.selected() {
        _ if state.is_refused(spec) => Some(Finding::Unsupported),
        Selected::Missing if discriminator.is_required() => Some(Finding::Missing),
        _ if is_undecided(spec, state) && state.members_set().count_ones() > 1 => {
            Some(Finding::Several)
        }
        _ => None,
    }
}

/// A discriminator that follows the members says nothing yet: any one of them may be set.
fn is_undecided(spec: &UnionSpec<'_>, state: State<'_>) -> bool {
    !spec.is_selected_by_discriminator() && state.selected() == Selected::Missing
}

fn member_finding<'a>(
    spec: &UnionSpec<'_>,
    member: MemberSpec<'a>,
    state: State<'_>,
) -> Option<Finding<'a>> {
    let is_selected = state.selected().known() == Some(member.value_index());
    let is_set = state.members_set() & member.bit() != 0;
    // In the 2019 model a selected member may be unset: all are optional.
    let may_be_unset = member.is_optional() || !spec.is_selected_by_discriminator();
    match (is_selected, is_set) {
        (false, true) => Some(Finding::NotSelected(member)),
        (true, false) if !may_be_unset => Some(Finding::Unset(member)),
        _ => None,
    }
}

impl Finding<'_> {
    /// The violation to report. `unchanged`: this is an update, and the discriminator is as it was.
    ///
    /// The first part of each text is Kubernetes' own (`k8s.io/apimachinery/pkg/api/validate`, v0.36); what follows
    /// the colon says what to do.
    pub(crate) fn violation(
        self,
        spec: &UnionSpec<'_>,
        state: State<'_>,
        unchanged: bool,
        path: &Path<'_>,
    ) -> Violation {
        let name = spec.discriminator().map_or("", DiscriminatorSpec::name);
        let values = || {
            let discriminator = spec.discriminator();
            quoted(
                discriminator
                    .map_or(DiscriminatorValues::NONE, DiscriminatorSpec::values)
                    .iter(),
            )
        };
        let invalid = |path: &Path<'_>, value: &str, detail: String| {
            Violation::new(ViolationKind::Invalid, path, Some(value), detail)
        };
        match self {
            Self::Missing => Violation::new(
                ViolationKind::Required,
                &path.field(name),
                None,
                format!("set it to one of: {}", values()),
            ),
            Self::Unsupported => match state.selected() {
                Selected::NoText(found) => {
                    let path = path.field(name);
                    let kind = found.type_name();
                    let must = format!(
                        "{path} in body must be of type string: {}: set it to one of: {}",
                        Quoted(kind),
                        values()
                    );
                    Violation::new(ViolationKind::TypeInvalid, &path, Some(kind), must)
                }
                selected => Violation::new(
                    ViolationKind::NotSupported,
                    &path.field(name),
                    selected.text(spec),
                    format!("supported values: {}", values()),
                ),
            },
            Self::NotSelected(member) => invalid(
                &path.field(member.name()),
                "",
                not_selected(spec, name, member, state, unchanged),
            ),
            Self::Unset(member) => invalid(&path.field(member.name()), "", unset(name, member)),
            Self::Several => {
                let set = names(spec, |member| state.members_set() & member.bit() != 0);
                let set = set.join(", ");
                invalid(path, &format!("{{{set}}}"), several(spec, name))
            }
            Self::NoneSet => invalid(path, "", none_set(spec)),
            Self::Unreadable(member, text) => invalid(
                &path.field(member.name()),
                "",
                format!("cannot be read: {text}"),
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

fn not_selected(
    spec: &UnionSpec<'_>,
    discriminator: &str,
    member: MemberSpec<'_>,
    state: State<'_>,
    unchanged: bool,
) -> String {
    let mut text = only_when(discriminator, member.value());
    let (name, value) = (member.name(), Quoted(member.value()));
    let several = state.members_set().count_ones() > 1;
    // As long as most are, so that it grows once.
    text.reserve(128);
    // A text takes all.
    let _ = match state.selected().text(spec).map(Quoted) {
        Some(selected) if unchanged && several => write!(
            text,
            ": several members are set and `{discriminator}` is still {selected}; \
             a client that changes members must change `{discriminator}` too: set it to {value}, or remove `{name}`"
        ),
        Some(selected) => write!(
            text,
            ": `{discriminator}` is {selected}; remove `{name}`, or set `{discriminator}` to {value}"
        ),
        None => write!(
            text,
            ": `{discriminator}` is not set; set it to {value}, or remove `{name}`"
        ),
    };
    text
}

fn unset(discriminator: &str, member: MemberSpec<'_>) -> String {
    let rule = needed_when(discriminator, member.value());
    format!(
        "{rule}: add `{}`, or change `{discriminator}`",
        member.name()
    )
}

/// Whether a text is one of those that rules of unions carry.
#[must_use]
pub fn is_union_text(text: &str) -> bool {
    const STARTS: [&str; 3] = [
        "may only be specified when `",
        "must specify at most one of: `",
        "must specify exactly one of: `",
    ];
    STARTS.iter().any(|start| text.starts_with(start))
}

/// The first part of the text for several members that are set; CEL rules carry the same.
pub(crate) fn only_one_of<'a>(exactly: bool, names: impl Iterator<Item = &'a str>) -> String {
    let count = if exactly {
        "exactly one"
    } else {
        "at most one"
    };
    format!("must specify {count} of: {}", listed(names))
}

/// The first part of the text for no member that is set, where one has to be; CEL rules carry the same.
pub(crate) fn needed_one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("must specify one of: {}", listed(names))
}

fn several(spec: &UnionSpec<'_>, discriminator: &str) -> String {
    let rule = only_one_of(
        spec.arity() == Arity::ExactlyOne,
        spec.members().map(MemberSpec::name),
    );
    let remedy = if spec.discriminator().is_some() {
        format!("remove all but one, or set `{discriminator}` to the one that is meant")
    } else {
        "remove all but one".to_owned()
    };
    format!("{rule}: {remedy}")
}

fn none_set(spec: &UnionSpec<'_>) -> String {
    let rule = needed_one_of(spec.members().map(MemberSpec::name));
    format!("{rule}: add one of them")
}

/// ``  `a`, `b`  ``
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("`{}`", names.join("`, `"))
}

fn names<'a>(spec: &UnionSpec<'a>, which: impl Fn(&MemberSpec<'_>) -> bool) -> Vec<&'a str> {
    let members = spec.members();
    members
        .filter(|member| which(member))
        .map(MemberSpec::name)
        .collect()
}
