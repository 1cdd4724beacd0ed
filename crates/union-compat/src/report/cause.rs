//! Finds the reason why a version rejects an object that another version accepts, from the object
//! and the unions of both versions.

use serde_json::Value;
use union_runtime::UnionModel;

use crate::version::compared_union::{ComparedUnion, Discriminator};

/// The reason why a version rejects an object that another version accepts. The strings are values
/// and field names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The rejecting version does not have the value. The second string is the member that the
    /// value selects in the accepting version.
    NoValue(String, Option<String>),
    /// The value was renamed: the first string is its name in the accepting version, the second
    /// string its name in the rejecting version.
    ValueRenamed(String, String),
    /// The accepting version allows any string, and the rejecting version allows only listed
    /// values.
    EnumClosed(String),
    /// The rejecting version does not have the discriminator.
    NoDiscriminator(String),
    /// The discriminator was renamed: the first string is its name in the accepting version, the
    /// second string its name in the rejecting version.
    DiscriminatorRenamed(String, String),
    /// The rejecting version does not have the member.
    NoMember(String),
    /// The member was renamed: the first string is its name in the accepting version, the second
    /// string its name in the rejecting version.
    MemberRenamed(String, String),
    /// Only the rejecting version has the discriminator.
    BecameDiscriminated(String),
    /// The discriminator has a different default.
    DefaultChanged(String),
    /// The discriminator is required.
    DiscriminatorRequired(String),
    /// The member (the first string) moved: the second string is its value in the accepting
    /// version, the third string its value in the rejecting version.
    MemberMoved(String, String, String),
    /// The value (the first string) requires the member (the second string).
    MemberRequired(String, String),
    /// The fields are mutually exclusive.
    MutuallyExclusive(Vec<String>),
    /// None of the fields is set, but one is required.
    OneRequired(Vec<String>),
    /// A rule that is not part of the union. The string is the path of its error.
    Rule(String),
}

impl Cause {
    /// Returns true if both versions have all fields and values of the object, so that the
    /// difference is in a rule.
    pub(crate) const fn is_rule_difference(&self) -> bool {
        matches!(
            self,
            Self::MutuallyExclusive(_)
                | Self::OneRequired(_)
                | Self::MemberRequired(..)
                | Self::Rule(_)
        )
    }
}

/// Returns the reason why the version with the unions `rejecting` rejects an object that the
/// version with the unions `accepting` accepts. `schemas` are the schemas of the object in the
/// accepting and the rejecting version. `error` is the path of the error, for [`Cause::Rule`].
pub(crate) fn find_cause(
    object: &Value,
    accepting: &[&ComparedUnion],
    rejecting: &[&ComparedUnion],
    schemas: [&Value; 2],
    error: &str,
) -> Cause {
    let rejected = RejectedObject {
        object,
        accepting,
        rejecting,
        accepting_schema: schemas[0],
        rejecting_schema: schemas[1],
    };
    rejected
        .discriminator_cause()
        .or_else(|| rejected.member_cause())
        .or_else(|| rejected.absent_discriminator_cause())
        .or_else(|| rejected.moved_member_cause())
        .or_else(|| rejected.required_member_cause())
        .or_else(|| rejected.count_cause())
        .unwrap_or_else(|| Cause::Rule(error.to_owned()))
}

struct RejectedObject<'a> {
    object: &'a Value,
    accepting: &'a [&'a ComparedUnion],
    rejecting: &'a [&'a ComparedUnion],
    accepting_schema: &'a Value,
    rejecting_schema: &'a Value,
}

impl<'a> RejectedObject<'a> {
    fn is_set(&self, field: &str) -> bool {
        self.object.get(field).is_some_and(|value| !value.is_null())
    }

    fn has_property(schema: &Value, field: &str) -> bool {
        schema
            .get("properties")
            .is_some_and(|properties| properties.get(field).is_some())
    }

    fn discriminators(
        unions: &'a [&'a ComparedUnion],
    ) -> impl Iterator<Item = (&'a ComparedUnion, &'a Discriminator)> {
        unions
            .iter()
            .filter_map(|union| Some((*union, union.discriminator.as_ref()?)))
    }

    fn find_discriminator(
        unions: &'a [&'a ComparedUnion],
        name: &str,
    ) -> Option<(&'a ComparedUnion, &'a Discriminator)> {
        Self::discriminators(unions).find(|(_, discriminator)| discriminator.name == name)
    }

    fn discriminator_cause(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.accepting) {
            let name = &discriminator.name;
            let Some(value) = self.object.get(name).and_then(Value::as_str) else {
                continue;
            };
            let Some((rejecting_union, rejecting_discriminator)) =
                Self::find_discriminator(self.rejecting, name)
            else {
                if Self::has_property(self.rejecting_schema, name) {
                    continue;
                }
                let renamed =
                    Self::discriminators(self.rejecting).find(|(_, rejecting_discriminator)| {
                        !Self::has_property(self.accepting_schema, &rejecting_discriminator.name)
                    });
                return Some(match renamed {
                    Some((_, rejecting_discriminator)) => Cause::DiscriminatorRenamed(
                        name.clone(),
                        rejecting_discriminator.name.clone(),
                    ),
                    None => Cause::NoDiscriminator(name.clone()),
                });
            };
            if rejecting_discriminator.allows(value) {
                continue;
            }
            if discriminator.is_open && !discriminator.values.iter().any(|known| known == value) {
                return Some(Cause::EnumClosed(name.clone()));
            }
            let field = union.member_for_value(value).map(|member| &member.name);
            let renamed_value = field.and_then(|field| rejecting_union.member(field));
            let renamed_value = renamed_value.filter(|member| !discriminator.allows(&member.value));
            return Some(match renamed_value {
                Some(member) => Cause::ValueRenamed(value.to_owned(), member.value.clone()),
                None => Cause::NoValue(value.to_owned(), field.cloned()),
            });
        }
        None
    }

    fn member_cause(&self) -> Option<Cause> {
        for union in self.accepting {
            let removed = union.members.iter().find(|member| {
                self.is_set(&member.name)
                    && !Self::has_property(self.rejecting_schema, &member.name)
            });
            let Some(removed) = removed else { continue };
            let value = &removed.value;
            let renamed = self
                .rejecting
                .iter()
                .find_map(|rejecting| rejecting.member_for_value(value));
            let renamed =
                renamed.filter(|renamed| !Self::has_property(self.accepting_schema, &renamed.name));
            return Some(match renamed {
                Some(renamed) => Cause::MemberRenamed(removed.name.clone(), renamed.name.clone()),
                None => Cause::NoMember(removed.name.clone()),
            });
        }
        None
    }

    fn absent_discriminator_cause(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.rejecting) {
            let name = &discriminator.name;
            if self.is_set(name) || !union.is_discriminated() {
                continue;
            }
            if !Self::has_property(self.accepting_schema, name) {
                return Some(Cause::BecameDiscriminated(name.clone()));
            }
            let previous = Self::find_discriminator(self.accepting, name);
            let default = previous.and_then(|(_, previous)| previous.default.as_ref());
            if default != discriminator.default.as_ref() {
                return Some(Cause::DefaultChanged(name.clone()));
            }
            if discriminator.is_required
                && previous.is_none_or(|(_, previous)| !previous.is_required)
            {
                return Some(Cause::DiscriminatorRequired(name.clone()));
            }
        }
        None
    }

    fn moved_member_cause(&self) -> Option<Cause> {
        for member in self.accepting.iter().flat_map(|union| &union.members) {
            if !self.is_set(&member.name) {
                continue;
            }
            let moved = self
                .rejecting
                .iter()
                .filter(|rejecting| rejecting.is_discriminated());
            let moved = moved.filter_map(|rejecting| rejecting.member(&member.name));
            let moved = moved.filter(|_| {
                self.accepting
                    .iter()
                    .all(|accepting| accepting.is_discriminated())
            });
            if let Some(moved) = moved.into_iter().find(|moved| moved.value != member.value) {
                return Some(Cause::MemberMoved(
                    member.name.clone(),
                    member.value.clone(),
                    moved.value.clone(),
                ));
            }
        }
        None
    }

    fn required_member_cause(&self) -> Option<Cause> {
        let selected = self
            .rejecting
            .iter()
            .filter(|rejecting| rejecting.is_discriminated());
        selected.into_iter().find_map(|rejecting| {
            let value = rejecting.discriminator_value(self.object)?;
            let member = rejecting.member_for_value(value)?;
            if member.is_optional || self.is_set(&member.name) {
                return None;
            }
            let previous = self
                .accepting
                .iter()
                .filter(|accepting| accepting.is_discriminated());
            let previous = previous
                .into_iter()
                .find_map(|accepting| accepting.member(&member.name));
            Some(match previous.filter(|previous| previous.value != value) {
                Some(previous) => Cause::MemberMoved(
                    member.name.clone(),
                    previous.value.clone(),
                    value.to_owned(),
                ),
                None => Cause::MemberRequired(value.to_owned(), member.name.clone()),
            })
        })
    }

    fn count_cause(&self) -> Option<Cause> {
        self.rejecting.iter().find_map(|rejecting| {
            let names = rejecting.members.iter().map(|member| &member.name);
            let set_members: Vec<String> =
                names.filter(|name| self.is_set(name)).cloned().collect();
            match (set_members.len(), rejecting.model) {
                (0, UnionModel::ExactlyOne) => {
                    let all = rejecting.members.iter().map(|member| member.name.clone());
                    Some(Cause::OneRequired(all.collect()))
                }
                (0 | 1, UnionModel::AtMostOne | UnionModel::ExactlyOne) | (0, _) => None,
                (1, _) => {
                    // The discriminator may select another member than the only set member.
                    let value = rejecting.discriminator_value(self.object);
                    let is_selected = value.and_then(|value| rejecting.member_for_value(value));
                    let is_selected =
                        is_selected.is_some_and(|member| set_members.contains(&member.name));
                    (!is_selected).then_some(Cause::MutuallyExclusive(set_members))
                }
                _ => Some(Cause::MutuallyExclusive(set_members)),
            }
        })
    }
}
