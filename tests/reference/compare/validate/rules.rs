//! The intended differences, and the expected results of both sides.

use std::collections::BTreeSet;

use serde_json::Value;
use union_runtime::Ratchet;

use super::case::Case;
use super::line::{Line, ours};
use super::union::{Discriminator, Group, Member, TYPE};
use crate::object::Object;
use crate::prediction::Predicate;

/// The value of the discriminator is not in its enum, or a required discriminator is missing. We
/// report only the discriminator. The reference does not validate the discriminator, and reports
/// each set member.
const NOT_A_VALUE: Predicate = "not-a-value";
/// An optional member is selected and not set. 2022 text: this is valid. The reference does not
/// know optional members.
const OPTIONAL_MEMBER: Predicate = "optional-member";
/// The members changed, and the discriminator did not. 2022 text: a violation is tolerated if the
/// old object has it for the same reason. The reference tolerates no violation if a member changed.
const SAME_REASON: Predicate = "same-reason";
/// The union did not change, and our setting is to tolerate no violation (2022 text, alpha). The
/// reference tolerates the violation.
const RATCHET_OFF: Predicate = "ratchet-off";
/// The union did not change, but another field of the struct did, and our setting is to tolerate
/// violations in unchanged structs only (KEP-4008). The reference tolerates the violation.
const OTHER_CONTENT: Predicate = "other-content";
/// The discriminator changed from absent to `""` or back, and `""` is not a value of the enum. We
/// treat this as a change. The reference does not, because both are `""` in Go.
const EMPTY_TEXT: Predicate = "empty-text";

pub(crate) const DISCRIMINATED: &[Predicate] = &[
    NOT_A_VALUE,
    OPTIONAL_MEMBER,
    SAME_REASON,
    RATCHET_OFF,
    OTHER_CONTENT,
    EMPTY_TEXT,
];
pub(crate) const EXACTLY_ONE: &[Predicate] = &[SAME_REASON, RATCHET_OFF, OTHER_CONTENT];
pub(crate) const ZERO_OR_ONE: &[Predicate] = &[SAME_REASON, RATCHET_OFF, OTHER_CONTENT];

/// An error of a struct, as `docs/design.md` defines in "Validation".
#[derive(Clone, Copy)]
enum Finding<'a> {
    Discriminator,
    Member(&'a Member),
    /// The struct has too many set members, or none.
    Struct,
}

impl Group {
    /// Returns the reference's result.
    ///
    /// The reference tolerates an unchanged union. Otherwise, its result is equal to our result for
    /// a create after two changes: in the schema, no member is optional and the discriminator is
    /// not required; in the object, an invalid discriminator is absent.
    pub(super) fn theirs(&self, case: &Case) -> Vec<Line> {
        if self.is_unchanged(case) {
            return Vec::new();
        }
        let mut object = case.new_object.clone();
        if let Some(Value::Object(held)) = object.pointer_mut(&case.pointer)
            && self.has_no_value(&case.new)
        {
            held.remove(TYPE);
        }
        ours(&self.plain.validate(&object))
    }

    /// Returns the fields of our errors.
    pub(super) fn our_fields(&self, case: &Case) -> Vec<String> {
        let findings = self.findings(&case.new).into_iter();
        let new = findings.filter(|finding| !self.tolerates(case, *finding));
        let at = &case.path_text;
        let below = |name: &str| match at.as_str() {
            "" => name.to_owned(),
            at => format!("{at}.{name}"),
        };
        let mut fields: Vec<String> = new
            .map(|finding| match finding {
                Finding::Discriminator => below(TYPE),
                Finding::Member(member) => below(&member.name),
                Finding::Struct if at.is_empty() => "<nil>".to_owned(),
                Finding::Struct => at.clone(),
            })
            .collect();
        fields.sort();
        fields
    }

    /// Returns the predicates that explain a difference.
    pub(super) fn predicates(&self, case: &Case) -> BTreeSet<Predicate> {
        let is_unchanged = self.is_unchanged(case);
        let findings = self.findings(&case.new);
        let has_no_value = matches!(findings.as_slice(), [Finding::Discriminator]);
        let lacks_optional = self.members.iter().any(|member| {
            member.is_optional
                && selected(&case.new) == Some(&member.value)
                && !is_set(&case.new, &member.name)
        });
        let tolerates = |finding: &Finding<'_>| self.tolerates(case, *finding);
        let changed = [
            (NOT_A_VALUE, has_no_value),
            (OPTIONAL_MEMBER, lacks_optional),
            (SAME_REASON, findings.iter().any(tolerates)),
        ];
        let unchanged = [
            (RATCHET_OFF, case.ratchet == Ratchet::Off),
            (OTHER_CONTENT, case.ratchet == Ratchet::Unchanged),
            (EMPTY_TEXT, !self.has_same_discriminator(case)),
        ];
        let rules = if is_unchanged {
            unchanged.as_slice()
        } else {
            &changed
        };
        let applied = rules.iter().filter(|(_, applies)| *applies);
        applied.map(|(predicate, _)| *predicate).collect()
    }

    fn findings(&self, object: &Object) -> Vec<Finding<'_>> {
        let set = self.set(object).count();
        let Some(discriminator) = &self.discriminator else {
            let is_wrong = set > 1 || set == 0 && self.requires_member;
            return Vec::from_iter(is_wrong.then_some(Finding::Struct));
        };
        let is_missing = selected(object).is_none() && discriminator.is_required;
        if self.has_no_value(object) || is_missing && !discriminator.has_empty() {
            return vec![Finding::Discriminator];
        }
        let is_wrong = |member: &&Member| {
            let is_selected = selected(object) == Some(&member.value);
            if is_set(object, &member.name) {
                !is_selected
            } else {
                is_selected && !member.is_optional
            }
        };
        let members = self.members.iter().filter(is_wrong);
        members.map(Finding::Member).collect()
    }

    /// Returns true if we tolerate a finding of an update.
    fn tolerates(&self, case: &Case, finding: Finding<'_>) -> bool {
        let Some(old) = &case.old else {
            return false;
        };
        match (case.ratchet, finding) {
            (Ratchet::SameReason, _) if !self.has_same_discriminator(case) => false,
            (Ratchet::SameReason, Finding::Discriminator) => {
                self.set(&case.new).all(|name| is_set(old, name))
            }
            (Ratchet::SameReason, Finding::Member(member)) => {
                is_set(old, &member.name) == is_set(&case.new, &member.name)
            }
            (Ratchet::SameReason, Finding::Struct) => {
                let is_old = |name: &str| is_set(old, name);
                match self.set(&case.new).count() {
                    0 => self.set(old).count() == 0,
                    _ => self.set(old).count() > 1 && self.set(&case.new).all(is_old),
                }
            }
            (Ratchet::Unchanged, _) => *old == case.new,
            _ => false,
        }
    }

    /// Returns true if the discriminator did not change.
    fn has_same_discriminator(&self, case: &Case) -> bool {
        let has_empty = self
            .discriminator
            .as_ref()
            .is_some_and(Discriminator::has_empty);
        case.old.as_ref().is_some_and(|old| {
            if has_empty {
                // An absent discriminator means `""` if `""` is a value of the enum.
                discriminator_or_empty(old) == discriminator_or_empty(&case.new)
            } else {
                selected(old) == selected(&case.new)
            }
        })
    }

    fn set(&self, object: &Object) -> impl Iterator<Item = &str> {
        let names = self.members.iter().map(|member| member.name.as_str());
        names.filter(|name| is_set(object, name))
    }

    /// Returns true if the reference treats the union as unchanged: the discriminator is the same,
    /// and the same members are set.
    fn is_unchanged(&self, case: &Case) -> bool {
        case.old.as_ref().is_some_and(|old| {
            discriminator_or_empty(old) == discriminator_or_empty(&case.new)
                && self
                    .members
                    .iter()
                    .all(|member| is_set(old, &member.name) == is_set(&case.new, &member.name))
        })
    }

    /// Returns true if the discriminator is present and invalid.
    fn has_no_value(&self, object: &Object) -> bool {
        let discriminator = self.discriminator.as_ref();
        discriminator.is_some_and(|discriminator| {
            selected(object)
                .is_some_and(|text| discriminator.values.iter().all(|value| value != text))
        })
    }
}

fn selected(object: &Object) -> Option<&str> {
    object.get(TYPE)?.as_str()
}

/// Returns the value of the discriminator in a Go struct, where an absent string is `""`.
fn discriminator_or_empty(object: &Object) -> &str {
    selected(object).unwrap_or_default()
}

fn is_set(object: &Object, name: &str) -> bool {
    object.get(name).is_some_and(|value| !value.is_null())
}
