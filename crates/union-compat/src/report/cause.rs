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
    /// The accepting version allows any string, and the rejecting version only listed values.
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

/// Returns the reason why the version with the unions `to` rejects an object that the version with
/// the unions `from` accepts. `schemas` are the schemas of the object in these versions. `error` is
/// the path of the error, for [`Cause::Rule`].
pub(crate) fn find_cause(
    object: &Value,
    from: &[&ComparedUnion],
    to: &[&ComparedUnion],
    schemas: [&Value; 2],
    error: &str,
) -> Cause {
    let pair = VersionPair {
        object,
        from,
        to,
        from_schema: schemas[0],
        to_schema: schemas[1],
    };
    pair.discriminator_cause()
        .or_else(|| pair.member_cause())
        .or_else(|| pair.absent_discriminator_cause())
        .or_else(|| pair.moved_member_cause())
        .or_else(|| pair.required_member_cause())
        .or_else(|| pair.count_cause())
        .unwrap_or_else(|| Cause::Rule(error.to_owned()))
}

struct VersionPair<'a> {
    object: &'a Value,
    from: &'a [&'a ComparedUnion],
    to: &'a [&'a ComparedUnion],
    from_schema: &'a Value,
    to_schema: &'a Value,
}

impl<'a> VersionPair<'a> {
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
        for (union, discriminator) in Self::discriminators(self.from) {
            let name = &discriminator.name;
            let Some(value) = self.object.get(name).and_then(Value::as_str) else {
                continue;
            };
            let Some((union_there, discriminator_there)) = Self::find_discriminator(self.to, name)
            else {
                if Self::has_property(self.to_schema, name) {
                    continue;
                }
                let renamed = Self::discriminators(self.to).find(|(_, discriminator_there)| {
                    !Self::has_property(self.from_schema, &discriminator_there.name)
                });
                return Some(match renamed {
                    Some((_, discriminator_there)) => {
                        Cause::DiscriminatorRenamed(name.clone(), discriminator_there.name.clone())
                    }
                    None => Cause::NoDiscriminator(name.clone()),
                });
            };
            if discriminator_there.allows(value) {
                continue;
            }
            if discriminator.is_open && !discriminator.values.iter().any(|known| known == value) {
                return Some(Cause::EnumClosed(name.clone()));
            }
            let field = union.member_for_value(value).map(|member| &member.name);
            let renamed_value = field.and_then(|field| union_there.member(field));
            let renamed_value = renamed_value.filter(|member| !discriminator.allows(&member.value));
            return Some(match renamed_value {
                Some(member) => Cause::ValueRenamed(value.to_owned(), member.value.clone()),
                None => Cause::NoValue(value.to_owned(), field.cloned()),
            });
        }
        None
    }

    fn member_cause(&self) -> Option<Cause> {
        for union in self.from {
            let removed = union.members.iter().find(|member| {
                self.is_set(&member.name) && !Self::has_property(self.to_schema, &member.name)
            });
            let Some(removed) = removed else { continue };
            let value = &removed.value;
            let renamed = self.to.iter().find_map(|to| to.member_for_value(value));
            let renamed =
                renamed.filter(|renamed| !Self::has_property(self.from_schema, &renamed.name));
            return Some(match renamed {
                Some(renamed) => Cause::MemberRenamed(removed.name.clone(), renamed.name.clone()),
                None => Cause::NoMember(removed.name.clone()),
            });
        }
        None
    }

    fn absent_discriminator_cause(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.to) {
            let name = &discriminator.name;
            if self.is_set(name) || !union.is_discriminated() {
                continue;
            }
            if !Self::has_property(self.from_schema, name) {
                return Some(Cause::BecameDiscriminated(name.clone()));
            }
            let previous = Self::find_discriminator(self.from, name);
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
        for member in self.from.iter().flat_map(|union| &union.members) {
            if !self.is_set(&member.name) {
                continue;
            }
            let moved = self.to.iter().filter(|to| to.is_discriminated());
            let moved = moved.filter_map(|to| to.member(&member.name));
            let moved = moved.filter(|_| self.from.iter().all(|from| from.is_discriminated()));
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
        let selected = self.to.iter().filter(|to| to.is_discriminated());
        selected.into_iter().find_map(|to| {
            let value = to.discriminator_value(self.object)?;
            let member = to.member_for_value(value)?;
            if member.is_optional || self.is_set(&member.name) {
                return None;
            }
            let previous = self.from.iter().filter(|from| from.is_discriminated());
            let previous = previous
                .into_iter()
                .find_map(|from| from.member(&member.name));
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
        self.to.iter().find_map(|to| {
            let names = to.members.iter().map(|member| &member.name);
            let set: Vec<String> = names.filter(|name| self.is_set(name)).cloned().collect();
            match (set.len(), to.arity) {
                (0, UnionModel::ExactlyOne) => {
                    let all = to.members.iter().map(|member| member.name.clone());
                    Some(Cause::OneRequired(all.collect()))
                }
                (0 | 1, UnionModel::AtMostOne | UnionModel::ExactlyOne) | (0, _) => None,
                (1, _) => {
                    // The only set member is not the member that the discriminator selects.
                    let value = to.discriminator_value(self.object);
                    let is_selected = value.and_then(|value| to.member_for_value(value));
                    let is_selected = is_selected.is_some_and(|member| set.contains(&member.name));
                    (!is_selected).then_some(Cause::MutuallyExclusive(set))
                }
                _ => Some(Cause::MutuallyExclusive(set)),
            }
        })
    }
}
