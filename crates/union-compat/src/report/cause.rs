//! The reason for which a version rejects an object that another version accepts, found from the
//! object and the unions of both versions.

use serde_json::Value;
use union_runtime::Arity;

use crate::version::declared::{Declared, Discriminator};

/// The reason for which a version rejects an object that another version accepts. Strings are
/// values and fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The rejecting version does not have the value. The second string is the field that the value
    /// selects in the accepting version.
    NoValue(String, Option<String>),
    /// The value has another name: in the accepting version the first string, in the rejecting
    /// version the second one.
    OtherValue(String, String),
    /// Any string was a value, and now only listed strings are.
    Closed(String),
    /// The rejecting version does not have the discriminator.
    NoDiscriminator(String),
    /// The discriminator has another name: in the accepting version the first string, in the
    /// rejecting version the second one.
    OtherDiscriminator(String, String),
    /// The rejecting version does not have the field.
    NoMember(String),
    /// The member of the value has another name: in the accepting version the first string, in the
    /// rejecting version the second one.
    OtherMember(String, String),
    /// The rejecting version has a discriminator that the accepting version lacks.
    Discriminates(String),
    /// The discriminator has another default.
    OtherDefault(String),
    /// The discriminator is required.
    Required(String),
    /// The member (the first string) belongs to another value: in the accepting version to the
    /// second string, in the rejecting version to the third one.
    Moved(String, String, String),
    /// The value (the first string) requires its member (the second string).
    Needs(String, String),
    /// The fields exclude each other.
    Exclusive(Vec<String>),
    /// None of the fields is set, and one is required.
    NoneSet(Vec<String>),
    /// A rule beyond the union, by the path of its error.
    Rule(String),
}

impl Cause {
    /// Returns true if both versions have all fields and values of the object, so that only a rule
    /// differs.
    pub(crate) const fn is_of_rules(&self) -> bool {
        matches!(
            self,
            Self::Exclusive(_) | Self::NoneSet(_) | Self::Needs(..) | Self::Rule(_)
        )
    }
}

/// Returns the reason for which the version with the unions `to` rejects an object that the version
/// with the unions `from` accepts. `schemas` are their schemas, in this order. `error` is the path
/// of the error, for [`Cause::Rule`].
pub(crate) fn cause(
    object: &Value,
    from: &[&Declared],
    to: &[&Declared],
    schemas: [&Value; 2],
    error: &str,
) -> Cause {
    let both = Both {
        object,
        from,
        to,
        from_schema: schemas[0],
        to_schema: schemas[1],
    };
    both.of_discriminators()
        .or_else(|| both.of_members())
        .or_else(|| both.of_absent_discriminators())
        .or_else(|| both.of_places())
        .or_else(|| both.of_needs())
        .or_else(|| both.of_counts())
        .unwrap_or_else(|| Cause::Rule(error.to_owned()))
}

struct Both<'a> {
    object: &'a Value,
    from: &'a [&'a Declared],
    to: &'a [&'a Declared],
    from_schema: &'a Value,
    to_schema: &'a Value,
}

impl<'a> Both<'a> {
    fn is_set(&self, field: &str) -> bool {
        self.object.get(field).is_some_and(|value| !value.is_null())
    }

    fn has(schema: &Value, field: &str) -> bool {
        schema
            .get("properties")
            .is_some_and(|properties| properties.get(field).is_some())
    }

    fn discriminators(
        unions: &'a [&'a Declared],
    ) -> impl Iterator<Item = (&'a Declared, &'a Discriminator)> {
        unions
            .iter()
            .filter_map(|union| Some((*union, union.discriminator.as_ref()?)))
    }

    fn named(unions: &'a [&'a Declared], name: &str) -> Option<(&'a Declared, &'a Discriminator)> {
        Self::discriminators(unions).find(|(_, discriminator)| discriminator.name == name)
    }

    fn of_discriminators(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.from) {
            let name = &discriminator.name;
            let Some(value) = self.object.get(name).and_then(Value::as_str) else {
                continue;
            };
            let Some((other, its)) = Self::named(self.to, name) else {
                if Self::has(self.to_schema, name) {
                    continue;
                }
                let renamed = Self::discriminators(self.to)
                    .find(|(_, its)| !Self::has(self.from_schema, &its.name));
                return Some(match renamed {
                    Some((_, its)) => Cause::OtherDiscriminator(name.clone(), its.name.clone()),
                    None => Cause::NoDiscriminator(name.clone()),
                });
            };
            if its.knows(value) {
                continue;
            }
            if discriminator.is_open && !discriminator.values.iter().any(|known| known == value) {
                return Some(Cause::Closed(name.clone()));
            }
            let field = union.member_of(value).map(|member| &member.name);
            let elsewhere = field.and_then(|field| other.member(field));
            let elsewhere = elsewhere.filter(|member| !discriminator.knows(&member.value));
            return Some(match elsewhere {
                Some(member) => Cause::OtherValue(value.to_owned(), member.value.clone()),
                None => Cause::NoValue(value.to_owned(), field.cloned()),
            });
        }
        None
    }

    fn of_members(&self) -> Option<Cause> {
        for union in self.from {
            let gone = union.members.iter().find(|member| {
                self.is_set(&member.name) && !Self::has(self.to_schema, &member.name)
            });
            let Some(gone) = gone else { continue };
            let value = &gone.value;
            let other = self.to.iter().find_map(|to| to.member_of(value));
            let other = other.filter(|other| !Self::has(self.from_schema, &other.name));
            return Some(match other {
                Some(other) => Cause::OtherMember(gone.name.clone(), other.name.clone()),
                None => Cause::NoMember(gone.name.clone()),
            });
        }
        None
    }

    fn of_absent_discriminators(&self) -> Option<Cause> {
        for (union, discriminator) in Self::discriminators(self.to) {
            let name = &discriminator.name;
            if self.is_set(name) || !union.is_selected() {
                continue;
            }
            if !Self::has(self.from_schema, name) {
                return Some(Cause::Discriminates(name.clone()));
            }
            let was = Self::named(self.from, name);
            let default = was.and_then(|(_, was)| was.default.as_ref());
            if default != discriminator.default.as_ref() {
                return Some(Cause::OtherDefault(name.clone()));
            }
            if discriminator.is_required && was.is_none_or(|(_, was)| !was.is_required) {
                return Some(Cause::Required(name.clone()));
            }
        }
        None
    }

    fn of_places(&self) -> Option<Cause> {
        for member in self.from.iter().flat_map(|union| &union.members) {
            if !self.is_set(&member.name) {
                continue;
            }
            let other = self.to.iter().filter(|to| to.is_selected());
            let other = other.filter_map(|to| to.member(&member.name));
            let other = other.filter(|_| self.from.iter().all(|from| from.is_selected()));
            if let Some(other) = other.into_iter().find(|other| other.value != member.value) {
                return Some(Cause::Moved(
                    member.name.clone(),
                    member.value.clone(),
                    other.value.clone(),
                ));
            }
        }
        None
    }

    fn of_needs(&self) -> Option<Cause> {
        let selected = self.to.iter().filter(|to| to.is_selected());
        selected.into_iter().find_map(|to| {
            let value = to.value_in(self.object)?;
            let member = to.member_of(value)?;
            if member.is_optional || self.is_set(&member.name) {
                return None;
            }
            let was = self.from.iter().filter(|from| from.is_selected());
            let was = was.into_iter().find_map(|from| from.member(&member.name));
            Some(match was.filter(|was| was.value != value) {
                Some(was) => Cause::Moved(member.name.clone(), was.value.clone(), value.to_owned()),
                None => Cause::Needs(value.to_owned(), member.name.clone()),
            })
        })
    }

    fn of_counts(&self) -> Option<Cause> {
        self.to.iter().find_map(|to| {
            let names = to.members.iter().map(|member| &member.name);
            let set: Vec<String> = names.filter(|name| self.is_set(name)).cloned().collect();
            match (set.len(), to.arity) {
                (0, Arity::ExactlyOne) => {
                    let all = to.members.iter().map(|member| member.name.clone());
                    Some(Cause::NoneSet(all.collect()))
                }
                (0 | 1, Arity::AtMostOne | Arity::ExactlyOne) | (0, _) => None,
                (1, _) => {
                    // The member is set, and the discriminator's value does not select it.
                    let value = to.value_in(self.object);
                    let is_selected = value.and_then(|value| to.member_of(value));
                    let is_selected = is_selected.is_some_and(|member| set.contains(&member.name));
                    (!is_selected).then_some(Cause::Exclusive(set))
                }
                _ => Some(Cause::Exclusive(set)),
            }
        })
    }
}
