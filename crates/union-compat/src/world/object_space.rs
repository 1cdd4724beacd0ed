//! The small world of a place: objects for its unions in two versions. They combine each value of
//! each discriminator, an absent and an unknown one, with each member set and unset.

use serde_json::{Map, Value};

use crate::bounds::{EXHAUSTIVE_MEMBERS, OBJECTS};
use crate::version::compared_union::ComparedUnion;
use crate::world::enclosing_object::make_union_valid;
use crate::world::value::{ValueSource, value_pair};

/// The unions of both versions that share fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchedUnions<'a> {
    pub(crate) old: Vec<&'a ComparedUnion>,
    pub(crate) new: Vec<&'a ComparedUnion>,
}

/// The objects of a pairing.
pub(crate) struct ObjectSpace {
    /// The objects, smallest first.
    pub(crate) objects: Vec<Value>,
    /// True if `objects` contains all combinations.
    pub(crate) is_complete: bool,
    /// The fields of the unions.
    pub(crate) fields: Vec<String>,
    /// The second values of the members that have two.
    pub(crate) alternate_values: Map<String, Value>,
    /// The members that are never set, because no value was found that their schemas accept.
    pub(crate) members_without_value: Vec<String>,
}

/// Groups the unions that share fields, directly or through other unions.
pub(crate) fn match_unions<'a>(
    old: &'a [ComparedUnion],
    new: &'a [ComparedUnion],
) -> Vec<MatchedUnions<'a>> {
    let mut found: Vec<MatchedUnions<'a>> = Vec::new();
    let all = old.iter().map(|union| (union, true));
    for (union, is_old) in all.chain(new.iter().map(|union| (union, false))) {
        let shares = |pairing: &MatchedUnions<'_>| {
            let others = pairing.old.iter().chain(&pairing.new);
            others
                .flat_map(|other| other.fields())
                .any(|field| union.fields().any(|own| own == field))
        };
        let (mut joined, apart): (Vec<_>, Vec<_>) = found.into_iter().partition(shares);
        let mut pairing = MatchedUnions::default();
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

impl MatchedUnions<'_> {
    fn unions(&self) -> impl Iterator<Item = &ComparedUnion> {
        self.old.iter().chain(&self.new).copied()
    }

    fn has_field(&self, field: &str) -> bool {
        self.unions()
            .any(|union| union.fields().any(|own| own == field))
    }

    /// Returns the discriminators with their values, an unknown value, and `None` for an absent
    /// discriminator.
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

    /// Returns true if the values of the discriminators select a member. A member of a union
    /// without a discriminator is selected if all discriminators are absent.
    fn selects(&self, said: &[(&str, &str)], member: &str) -> bool {
        self.unions().any(|union| {
            let Some(member) = union.member(member) else {
                return false;
            };
            match union
                .discriminator
                .as_ref()
                .filter(|_| union.is_discriminated())
            {
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

    /// Returns the objects of the pairing. Each contains the fields that the place requires
    /// otherwise.
    pub(crate) fn object_space(
        &self,
        base: &Value,
        others: &[&ComparedUnion],
        schemas: &[&Value],
        given: ValueSource<'_>,
    ) -> ObjectSpace {
        let mut object = base.as_object().cloned().unwrap_or_default();
        object.retain(|name, _| !self.has_field(name));
        for union in others {
            make_union_valid(&mut object, union, schemas, None);
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
                .chain(value_pair(&of_member));
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
        ObjectSpace {
            objects,
            is_complete: is_whole,
            fields,
            alternate_values: seconds,
            members_without_value: valueless,
        }
    }
}

/// Returns the combinations within the bounds, ordered by the number of set fields, and true if
/// none was left out.
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
        // No known union has enough discriminators to reach the bound.
        said = longer.take(OBJECTS).collect();
    }
    let most = if members.len() <= EXHAUSTIVE_MEMBERS {
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
            // An object is plain if it has at most one member set, and its discriminators select
            // the member. Plain objects have precedence, so that the bound does not drop a valid
            // object for an invalid one.
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
