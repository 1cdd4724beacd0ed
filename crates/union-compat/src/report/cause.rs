//! The reason for which a version rejects an object that another version accepts, found from the
//! object and the unions of both versions.

use serde_json::Value;
use union_runtime::UnionModel;

use crate::version::compared_union::{ComparedUnion, Discriminator};

/// The reason for which a version rejects an object that another version accepts. Strings are
/// values and fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The rejecting version does not have the value. The second string is the field that the value
    /// selects in the accepting version.
    NoValue(String, Option<String>),
    /// The value has another name: in the accepting version the first string, in the rejecting
    /// version the second one.
    ValueRenamed(String, String),
    /// Any string was a value, and now only listed strings are.
    EnumClosed(String),
    /// The rejecting version does not have the discriminator.
    NoDiscriminator(String),
    /// The discriminator has another name: in the accepting version the first string, in the
    /// rejecting version the second one.
    DiscriminatorRenamed(String, String),
    /// The rejecting version does not have the field.
    NoMember(String),
    /// The member of the value has another name: in the accepting version the first string, in the
    /// rejecting version the second one.
    MemberRenamed(String, String),
    /// The rejecting version has a discriminator that the accepting version lacks.
    BecameDiscriminated(String),
    /// The discriminator has another default.
    DefaultChanged(String),
    /// The discriminator is required.
    DiscriminatorRequired(String),
    /// The member (the first string) belongs to another value: in the accepting version to the
    /// second string, in the rejecting version to the third one.
    MemberMoved(String, String, String),
    /// The value (the first string) requires its member (the second string).
    MemberRequired(String, String),
    /// The fields exclude each other.
    MutuallyExclusive(Vec<String>),
    /// None of the fields is set, and one is required.
    OneRequired(Vec<String>),
    /// A rule beyond the union, by the path of its error.
    Rule(String),
}

impl Cause {
    /// Returns true if both versions have all fields and values of the object, so that only a rule
    /// differs.
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

/// Returns the reason for which the version with the unions `to` rejects an object that the version
/// with the unions `from` accepts. `schemas` are their schemas, in this order. `error` is the path
/// of the error, for [`Cause::Rule`].
pub(crate) fn find_cause(
    object: &Value,
    from: &[&ComparedUnion],
    to: &[&ComparedUnion],
    schemas: [&Value; 2],
    error: &str,
) -> Cause {
    let both = VersionPair {
        object,
        from,
        to,
        from_schema: schemas[0],
        to_schema: schemas[1],
    };
    both.discriminator_cause()
        .or_else(|| both.member_cause())
        .or_else(|| both.absent_discriminator_cause())
        .or_else(|| both.moved_member_cause())
        .or_else(|| both.required_member_cause())
        .or_else(|| both.count_cause())
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
            let Some((other, its)) = Self::find_discriminator(self.to, name) else {
                if Self::has_property(self.to_schema, name) {
                    continue;
                }
                let renamed = Self::discriminators(self.to)
                    .find(|(_, its)| !Self::has_property(self.from_schema, &its.name));
                return Some(match renamed {
                    Some((_, its)) => Cause::DiscriminatorRenamed(name.clone(), its.name.clone()),
                    None => Cause::NoDiscriminator(name.clone()),
                });
            };
            if its.allows(value) {
                continue;
            }
            if discriminator.is_open && !discriminator.values.iter().any(|known| known == value) {
                return Some(Cause::EnumClosed(name.clone()));
            }
            let field = union.member_for_value(value).map(|member| &member.name);
            let elsewhere = field.and_then(|field| other.member(field));
            let elsewhere = elsewhere.filter(|member| !discriminator.allows(&member.value));
            return Some(match elsewhere {
                Some(member) => Cause::ValueRenamed(value.to_owned(), member.value.clone()),
                None => Cause::NoValue(value.to_owned(), field.cloned()),
            });
        }
        None
    }

    fn member_cause(&self) -> Option<Cause> {
        for union in self.from {
            let gone = union.members.iter().find(|member| {
                self.is_set(&member.name) && !Self::has_property(self.to_schema, &member.name)
            });
            let Some(gone) = gone else { continue };
            let value = &gone.value;
            let other = self.to.iter().find_map(|to| to.member_for_value(value));
            let other = other.filter(|other| !Self::has_property(self.from_schema, &other.name));
            return Some(match other {
                Some(other) => Cause::MemberRenamed(gone.name.clone(), other.name.clone()),
                None => Cause::NoMember(gone.name.clone()),
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
            let was = Self::find_discriminator(self.from, name);
            let default = was.and_then(|(_, was)| was.default.as_ref());
            if default != discriminator.default.as_ref() {
                return Some(Cause::DefaultChanged(name.clone()));
            }
            if discriminator.is_required && was.is_none_or(|(_, was)| !was.is_required) {
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
            let other = self.to.iter().filter(|to| to.is_discriminated());
            let other = other.filter_map(|to| to.member(&member.name));
            let other = other.filter(|_| self.from.iter().all(|from| from.is_discriminated()));
            if let Some(other) = other.into_iter().find(|other| other.value != member.value) {
                return Some(Cause::MemberMoved(
                    member.name.clone(),
                    member.value.clone(),
                    other.value.clone(),
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
            let was = self.from.iter().filter(|from| from.is_discriminated());
            let was = was.into_iter().find_map(|from| from.member(&member.name));
            Some(match was.filter(|was| was.value != value) {
                Some(was) => {
                    Cause::MemberMoved(member.name.clone(), was.value.clone(), value.to_owned())
                }
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
                    // The member is set, and the discriminator's value does not select it.
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
