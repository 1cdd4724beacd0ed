//! The small world of the unions of a place in two versions: each value of each discriminator, absent and one that nobody knows,
//! with each member set and unset.

use serde_json::{Map, Value};

use crate::bounds::{EXHAUSTIVE, OBJECTS};
use crate::version::declared::Declared;
use crate::world::frame::settle;
use crate::world::value::{Values, pair};

/// Unions of both versions that have a field in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairing<'a> {
    pub(crate) old: Vec<&'a Declared>,
    pub(crate) new: Vec<&'a Declared>,
}

/// The objects of a pairing.
pub(crate) struct World {
    /// The smallest first.
    pub(crate) objects: Vec<Value>,
    /// Whether all combinations are there.
    pub(crate) is_whole: bool,
    /// The fields of the unions.
    pub(crate) fields: Vec<String>,
    /// A second value of the members that have one.
    pub(crate) seconds: Map<String, Value>,
    /// Members without a value that their schemas accept: they are never set.
    pub(crate) valueless: Vec<String>,
}

/// The unions that share fields, directly or by others.
pub(crate) fn pairings<'a>(old: &'a [Declared], new: &'a [Declared]) -> Vec<Pairing<'a>> {
    let mut found: Vec<Pairing<'a>> = Vec::new();
    let all = old.iter().map(|union| (union, true));
    for (union, is_old) in all.chain(new.iter().map(|union| (union, false))) {
        let shares = |pairing: &Pairing<'_>| {
            let others = pairing.old.iter().chain(&pairing.new);
            others
                .flat_map(|other| other.fields())
                .any(|field| union.fields().any(|own| own == field))
        };
        let (mut joined, apart): (Vec<_>, Vec<_>) = found.into_iter().partition(shares);
        let mut pairing = Pairing::default();
        for other in joined.drain(..) {
            pairing.old.extend(other.old);
            pairing.new.extend(other.new);
        }
        if is_old {
            &mut pairing.old
        } else {
            &mut pairing.new
        }
        .push(union);
        found = apart;
        found.push(pairing);
    }
    found
}

impl Pairing<'_> {
    fn unions(&self) -> impl Iterator<Item = &Declared> {
        self.old.iter().chain(&self.new).copied()
    }

    fn has(&self, field: &str) -> bool {
        self.unions()
            .any(|union| union.fields().any(|own| own == field))
    }

    /// The discriminators with what they may say; `None` is absent.
    fn discriminators(&self) -> Vec<(String, Vec<Option<String>>)> {
        let mut found: Vec<(String, Vec<Option<String>>)> = Vec::new();
        for union in self.unions() {
            let Some(discriminator) = &union.discriminator else {
                continue;
            };
            let at = found
                .iter()
                .position(|(name, _)| *name == discriminator.name);
            let at = at.unwrap_or_else(|| {
                found.push((discriminator.name.clone(), vec![None]));
                found.len() - 1
            });
            let Some((_, values)) = found.get_mut(at) else {
                continue;
            };
            let of_members = union.members.iter().map(|member| &member.value);
            for value in discriminator.values.iter().chain(of_members) {
                let value = Some(value.clone());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for (_, values) in &mut found {
            let mut unknown = "Unknown".to_owned();
            while values.contains(&Some(unknown.clone())) {
                unknown.push('X');
            }
            values.push(Some(unknown));
        }
        found
    }

    /// Whether what discriminators say selects a member, or nothing has to.
    fn selects(&self, said: &[(&str, &str)], member: &str) -> bool {
        self.unions().any(|union| {
            let Some(member) = union.member(member) else {
                return false;
            };
            match union.discriminator.as_ref().filter(|_| union.is_selected()) {
                Some(discriminator) => said.contains(&(&*discriminator.name, &*member.value)),
                None => said.is_empty(),
            }
        })
    }

    fn members(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for member in self.unions().flat_map(|union| &union.members) {
            if !found.contains(&member.name) {
                found.push(member.name.clone());
            }
        }
        found
    }

    /// The small world, upon what the place requires beside.
    pub(crate) fn world(
        &self,
        base: &Value,
        others: &[&Declared],
        schemas: &[&Value],
        given: Values<'_>,
    ) -> World {
        let mut object = base.as_object().cloned().unwrap_or_default();
        object.retain(|name, _| !self.has(name));
        for union in others {
            settle(&mut object, union, schemas, None);
        }
        let (mut members, mut valueless) = (Vec::new(), Vec::new());
        let mut seconds = Map::new();
        for name in self.members() {
            let of_member = schemas
                .iter()
                .filter_map(|schema| schema.get("properties")?.get(&name));
            let of_member: Vec<&Value> = of_member.collect();
            let mut values = (0..2)
                .map_while(|number| given(&name, number))
                .chain(pair(&of_member));
            match values.next() {
                Some(value) => {
                    let second = values.find(|second| *second != value);
                    seconds.extend(second.map(|second| (name.clone(), second)));
                    members.push((name, value));
                }
                None => valueless.push(name),
            }
        }
        let discriminators = self.discriminators();
        let mut fields: Vec<String> = discriminators
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        fields.extend(self.members());
        let (objects, is_whole) = combine(&object, &discriminators, &members, |said, member| {
            self.selects(said, member)
        });
        World {
            objects,
            is_whole,
            fields,
            seconds,
            valueless,
        }
    }
}

/// All combinations, by how many fields are set, as far as the bounds go.
fn combine(
    base: &Map<String, Value>,
    discriminators: &[(String, Vec<Option<String>>)],
    members: &[(String, Value)],
    selects: impl Fn(&[(&str, &str)], &str) -> bool,
) -> (Vec<Value>, bool) {
    let mut said: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for (name, values) in discriminators {
        let longer = said.iter().flat_map(|said| {
            values.iter().map(move |value| {
                let mut said = said.clone();
                said.extend(value.as_ref().map(|value| (&**name, &**value)));
                said
            })
        });
        // More discriminators than that are in no union that was found.
        said = longer.take(OBJECTS).collect();
    }
    let most = if members.len() <= EXHAUSTIVE {
        members.len()
    } else {
        2
    };
    let mut subsets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last = subsets.clone();
    for _ in 0..most {
        let longer = last.iter().flat_map(|subset| {
            let from = subset.last().map_or(0, |last| last + 1);
            (from..members.len()).map(move |next| [&**subset, &[next]].concat())
        });
        last = longer.take(OBJECTS).collect();
        subsets.extend(last.iter().cloned());
    }
    let mut sizes: Vec<(bool, usize, usize, usize)> = Vec::new();
    for (number, said) in said.iter().enumerate() {
        for (subset, set) in subsets.iter().enumerate() {
            // A value with what it selects, or with nothing: what is valid is never left out for what is not.
            let set_alone = set.iter().filter_map(|member| members.get(*member));
            let is_plain =
                set.len() <= 1 && set_alone.into_iter().all(|(name, _)| selects(said, name));
            sizes.push((!is_plain, said.len() + set.len(), number, subset));
        }
    }
    sizes.sort_unstable();
    let is_whole = sizes.len() <= OBJECTS && most == members.len();
    sizes.truncate(OBJECTS);
    sizes.sort_unstable_by_key(|(_, size, number, subset)| (*size, *number, *subset));
    let objects = sizes.into_iter().map(|(_, _, said_at, subset)| {
        let mut object = base.clone();
        for (name, value) in said.get(said_at).into_iter().flatten() {
            object.insert((*name).to_owned(), (*value).into());
        }
        for (name, value) in subsets
            .get(subset)
            .into_iter()
            .flatten()
            .filter_map(|member| members.get(*member))
        {
            object.insert(name.clone(), value.clone());
        }
        Value::Object(object)
    });
    (objects.collect(), is_whole)
}
