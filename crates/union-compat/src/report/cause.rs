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

/// Returns the reason why the version with the unions `rejecting_unions` rejects an object that the
/// version with the unions `accepting_unions` accepts. `schemas` are the schemas of the object in
/// the accepting and the rejecting version. `error` is the path of the error, for [`Cause::Rule`].
pub(crate) fn find_cause(
    object: &Value,
    accepting_unions: &[&ComparedUnion],
    rejecting_unions: &[&ComparedUnion],
    schemas: [&Value; 2],
    error: &str,
) -> Cause {
    let rejected = RejectedObject {
        object,
        accepting_unions,
        rejecting_unions,
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
    accepting_unions: &'a [&'a ComparedUnion],
    rejecting_unions: &'a [&'a ComparedUnion],
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
        for (union, discriminator) in Self::discriminators(self.accepting_unions) {
            let name = &discriminator.name;
            let Some(value) = self.object.get(name).and_then(Value::as_str) else {
                continue;
            };
            let Some((rejecting_union, rejecting_discriminator)) =
                Self::find_discriminator(self.rejecting_unions, name)
            else {
                if Self::has_property(self.rejecting_schema, name) {
                    continue;
                }
                let renamed_discriminator = Self::discriminators(self.rejecting_unions).find(
                    |(_, rejecting_discriminator)| {
                        !Self::has_property(self.accepting_schema, &rejecting_discriminator.name)
                    },
                );
                return Some(match renamed_discriminator {
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
        for union in self.accepting_unions {
            let removed_member = union.members.iter().find(|member| {
                self.is_set(&member.name)
                    && !Self::has_property(self.rejecting_schema, &member.name)
            });
            let Some(removed_member) = removed_member else {
                continue;
            };
            let value = &removed_member.value;
            let renamed_member = self
                .rejecting_unions
                .iter()
                .find_map(|union| union.member_for_value(value));
            let renamed_member = renamed_member.filter(|renamed_member| {
                !Self::has_property(self.accepting_schema, &renamed_member.name)
            });
            return Some(match renamed_member {
                Some(renamed_member) => {
                    Cause::MemberRenamed(removed_member.name.clone(), renamed_member.name.clone())
                }
                None => Cause::NoMember(removed_member.name.clone()),
            });
        }
        None
    }

    fn absent_discriminator_cause(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.rejecting_unions) {
            let name = &discriminator.name;
            if self.is_set(name) || !union.is_discriminated() {
                continue;
            }
            if !Self::has_property(self.accepting_schema, name) {
                return Some(Cause::BecameDiscriminated(name.clone()));
            }
            let accepting_discriminator = Self::find_discriminator(self.accepting_unions, name);
            let default = accepting_discriminator
                .and_then(|(_, accepting_discriminator)| accepting_discriminator.default.as_ref());
            if default != discriminator.default.as_ref() {
                return Some(Cause::DefaultChanged(name.clone()));
            }
            if discriminator.is_required
                && accepting_discriminator
                    .is_none_or(|(_, accepting_discriminator)| !accepting_discriminator.is_required)
            {
                return Some(Cause::DiscriminatorRequired(name.clone()));
            }
        }
        None
    }

    fn moved_member_cause(&self) -> Option<Cause> {
        for member in self
            .accepting_unions
            .iter()
            .flat_map(|union| &union.members)
        {
            if !self.is_set(&member.name) {
                continue;
            }
            let rejecting_unions = self
                .rejecting_unions
                .iter()
                .filter(|union| union.is_discriminated());
            let rejecting_members = rejecting_unions.filter_map(|union| union.member(&member.name));
            let mut rejecting_members = rejecting_members.filter(|_| {
                self.accepting_unions
                    .iter()
                    .all(|union| union.is_discriminated())
            });
            if let Some(moved_member) =
                rejecting_members.find(|moved_member| moved_member.value != member.value)
            {
                return Some(Cause::MemberMoved(
                    member.name.clone(),
                    member.value.clone(),
                    moved_member.value.clone(),
                ));
            }
        }
        None
    }

    fn required_member_cause(&self) -> Option<Cause> {
        let mut discriminated_unions = self
            .rejecting_unions
            .iter()
            .filter(|union| union.is_discriminated());
        discriminated_unions.find_map(|union| {
            let value = union.discriminator_value(self.object)?;
            let member = union.member_for_value(value)?;
            if member.is_optional || self.is_set(&member.name) {
                return None;
            }
            let previous = self
                .accepting_unions
                .iter()
                .filter(|union| union.is_discriminated());
            let previous = previous
                .into_iter()
                .find_map(|union| union.member(&member.name));
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
        self.rejecting_unions.iter().find_map(|union| {
            let names = union.members.iter().map(|member| &member.name);
            let set_members: Vec<String> =
                names.filter(|name| self.is_set(name)).cloned().collect();
            match (set_members.len(), union.model) {
                (0, UnionModel::ExactlyOne) => {
                    let all_names = union.members.iter().map(|member| member.name.clone());
                    Some(Cause::OneRequired(all_names.collect()))
                }
                (0 | 1, UnionModel::AtMostOne | UnionModel::ExactlyOne) | (0, _) => None,
                (1, _) => {
                    // The discriminator may select another member than the only set member.
                    let value = union.discriminator_value(self.object);
                    let selected_member = value.and_then(|value| union.member_for_value(value));
                    let is_selected =
                        selected_member.is_some_and(|member| set_members.contains(&member.name));
                    (!is_selected).then_some(Cause::MutuallyExclusive(set_members))
                }
                _ => Some(Cause::MutuallyExclusive(set_members)),
            }
        })
    }
}
