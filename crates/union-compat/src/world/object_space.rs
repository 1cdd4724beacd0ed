//! The objects for unions that both versions have: they combine each value of each discriminator,
//! including an absent and an unknown value, with each member set and unset.

use serde_json::{Map, Value};

use crate::bounds::{EXHAUSTIVE_MEMBERS, OBJECTS};
use crate::version::compared_union::ComparedUnion;
use crate::world::enclosing_object::make_union_valid;
use crate::world::value::{ValueSource, value_pair};

/// The unions of both versions that share fields with each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchedUnions<'a> {
    pub(crate) old: Vec<&'a ComparedUnion>,
    pub(crate) new: Vec<&'a ComparedUnion>,
}

/// The objects of matched unions.
pub(crate) struct ObjectSpace {
    /// The objects, smallest first.
    pub(crate) objects: Vec<Value>,
    /// True if `objects` contains all combinations.
    pub(crate) is_complete: bool,
    /// The fields of the unions.
    pub(crate) fields: Vec<String>,
    /// The second values of the members that have two values.
    pub(crate) alternate_values: Map<String, Value>,
    /// The members that are never set, because no valid value was found.
    pub(crate) members_without_value: Vec<String>,
}

/// A discriminator in the objects of a space.
struct DiscriminatorValues {
    name: String,
    /// `None` for an absent discriminator, the declared values, and an unknown value.
    values: Vec<Option<String>>,
}

/// Groups the unions that share fields, directly or through other unions.
pub(crate) fn match_unions<'a>(
    old: &'a [ComparedUnion],
    new: &'a [ComparedUnion],
) -> Vec<MatchedUnions<'a>> {
    let mut groups: Vec<MatchedUnions<'a>> = Vec::new();
    let old_unions = old.iter().map(|union| (union, true));
    for (union, is_old) in old_unions.chain(new.iter().map(|union| (union, false))) {
        let shares_field =
            |group: &MatchedUnions<'_>| union.fields().any(|field| group.has_field(field));
        let (sharing_groups, other_groups): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(shares_field);
        let mut merged_group = MatchedUnions::default();
        for group in sharing_groups {
            merged_group.old.extend(group.old);
            merged_group.new.extend(group.new);
        }
        if is_old {
            &mut merged_group.old
        } else {
            &mut merged_group.new
        }
        .push(union);
        groups = other_groups;
        groups.push(merged_group);
    }
    groups
}

impl MatchedUnions<'_> {
    fn unions(&self) -> impl Iterator<Item = &ComparedUnion> {
        self.old.iter().chain(&self.new).copied()
    }

    fn has_field(&self, field: &str) -> bool {
        self.unions()
            .any(|union| union.fields().any(|union_field| union_field == field))
    }

    /// Returns true if two objects have equal discriminators and the same set members.
    pub(crate) fn have_same_state(&self, first: &Value, second: &Value) -> bool {
        let set_value = |object: &'_ Value, field: &str| {
            let value = object.get(field);
            value.filter(|value| !value.is_null()).cloned()
        };
        let has_same_fields = |union: &ComparedUnion| {
            let discriminator = union.discriminator.as_ref().map(|it| &*it.name);
            let is_equal =
                discriminator.is_none_or(|name| set_value(first, name) == set_value(second, name));
            let mut members = union.members.iter().map(|member| &*member.name);
            is_equal
                && members.all(|name| {
                    set_value(first, name).is_some() == set_value(second, name).is_some()
                })
        };
        self.unions().all(has_same_fields)
    }

    /// Returns the discriminators with their possible values.
    fn discriminators(&self) -> Vec<DiscriminatorValues> {
        let mut discriminators: Vec<DiscriminatorValues> = Vec::new();
        for union in self.unions() {
            let Some(discriminator) = &union.discriminator else {
                continue;
            };
            let index = discriminators
                .iter()
                .position(|known| known.name == discriminator.name);
            let index = index.unwrap_or_else(|| {
                discriminators.push(DiscriminatorValues {
                    name: discriminator.name.clone(),
                    values: vec![None],
                });
                discriminators.len() - 1
            });
            let Some(DiscriminatorValues { values, .. }) = discriminators.get_mut(index) else {
                continue;
            };
            let member_values = union.members.iter().map(|member| &member.value);
            for value in discriminator.values.iter().chain(member_values) {
                let value = Some(value.clone());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for DiscriminatorValues { values, .. } in &mut discriminators {
            let mut unknown = "Unknown".to_owned();
            while values.contains(&Some(unknown.clone())) {
                unknown.push('X');
            }
            values.push(Some(unknown));
        }
        discriminators
    }

    /// Returns true if the values of the discriminators select the member. A member of a union
    /// without a discriminator is selected if all discriminators are absent.
    fn selects(&self, values: &[(&str, &str)], member: &str) -> bool {
        self.unions().any(|union| {
            let Some(member) = union.member(member) else {
                return false;
            };
            match union
                .discriminator
                .as_ref()
                .filter(|_| union.is_discriminated())
            {
                Some(discriminator) => values.contains(&(&*discriminator.name, &*member.value)),
                None => values.is_empty(),
            }
        })
    }

    fn member_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for member in self.unions().flat_map(|union| &union.members) {
            if !names.contains(&member.name) {
                names.push(member.name.clone());
            }
        }
        names
    }

    /// Returns the objects of the matched unions. Each object also has the other required fields.
    pub(crate) fn object_space(
        &self,
        base: &Value,
        other_unions: &[&ComparedUnion],
        schemas: &[&Value],
        value_source: ValueSource<'_>,
    ) -> ObjectSpace {
        let mut object = base.as_object().cloned().unwrap_or_default();
        object.retain(|name, _| !self.has_field(name));
        for union in other_unions {
            make_union_valid(&mut object, union, schemas, None);
        }
        let (mut members, mut members_without_value) = (Vec::new(), Vec::new());
        let mut alternate_values = Map::new();
        for name in self.member_names() {
            let member_schemas = schemas
                .iter()
                .filter_map(|schema| schema.get("properties")?.get(&name));
            let member_schemas: Vec<&Value> = member_schemas.collect();
            let mut values = (0..2)
                .map_while(|index| value_source(&name, index))
                .chain(value_pair(&member_schemas));
            match values.next() {
                Some(value) => {
                    let alternate_value = values.find(|alternate_value| *alternate_value != value);
                    alternate_values.extend(
                        alternate_value.map(|alternate_value| (name.clone(), alternate_value)),
                    );
                    members.push((name, value));
                }
                None => members_without_value.push(name),
            }
        }
        let discriminators = self.discriminators();
        let mut fields: Vec<String> = discriminators
            .iter()
            .map(|discriminator| discriminator.name.clone())
            .collect();
        fields.extend(self.member_names());
        let (objects, is_complete) =
            combine(&object, &discriminators, &members, |values, member| {
                self.selects(values, member)
            });
        ObjectSpace {
            objects,
            is_complete,
            fields,
            alternate_values,
            members_without_value,
        }
    }
}

/// Returns the subsets of the numbers below `count` that have at most `max_size` elements, smallest
/// first. Of each size, at most [`OBJECTS`] subsets are returned.
fn subsets(count: usize, max_size: usize) -> Vec<Vec<usize>> {
    let mut subsets: Vec<Vec<usize>> = vec![Vec::new()];
    let mut largest_subsets = subsets.clone();
    for _ in 0..max_size {
        let extended = largest_subsets.iter().flat_map(|subset| {
            let start = subset.last().map_or(0, |last| last + 1);
            (start..count).map(move |element| [&**subset, &[element]].concat())
        });
        largest_subsets = extended.take(OBJECTS).collect();
        subsets.extend(largest_subsets.iter().cloned());
    }
    subsets
}

/// The values of discriminators and the set members of an object, as indices.
struct Combination {
    /// True if at most one member is set, and the discriminators select this member. Such objects
    /// have precedence, so that the limit does not drop a valid object for an invalid object.
    has_only_selected_member: bool,
    /// The number of set fields.
    size: usize,
    selection: usize,
    subset: usize,
}

/// Returns the combinations within the limits, ordered by the number of set fields, and true if
/// no combination was left out.
fn combine(
    base: &Map<String, Value>,
    discriminators: &[DiscriminatorValues],
    members: &[(String, Value)],
    selects: impl Fn(&[(&str, &str)], &str) -> bool,
) -> (Vec<Value>, bool) {
    let mut selections: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for DiscriminatorValues { name, values } in discriminators {
        let extended = selections.iter().flat_map(|selection| {
            values.iter().map(move |value| {
                let mut selection = selection.clone();
                selection.extend(value.as_ref().map(|value| (&**name, &**value)));
                selection
            })
        });
        // Known unions have too few discriminators to reach this limit.
        selections = extended.take(OBJECTS).collect();
    }
    let max_set_members = if members.len() <= EXHAUSTIVE_MEMBERS {
        members.len()
    } else {
        2
    };
    let subsets = subsets(members.len(), max_set_members);
    let mut combinations: Vec<Combination> = Vec::new();
    for (selection_index, selection) in selections.iter().enumerate() {
        for (subset_index, member_indices) in subsets.iter().enumerate() {
            let set_members = member_indices
                .iter()
                .filter_map(|member| members.get(*member));
            let has_only_selected_member = member_indices.len() <= 1
                && set_members
                    .into_iter()
                    .all(|(name, _)| selects(selection, name));
            combinations.push(Combination {
                has_only_selected_member,
                size: selection.len() + member_indices.len(),
                selection: selection_index,
                subset: subset_index,
            });
        }
    }
    let by_size =
        |combination: &Combination| (combination.size, combination.selection, combination.subset);
    combinations.sort_unstable_by_key(|combination| {
        (!combination.has_only_selected_member, by_size(combination))
    });
    let is_complete = combinations.len() <= OBJECTS && max_set_members == members.len();
    combinations.truncate(OBJECTS);
    combinations.sort_unstable_by_key(by_size);
    let objects = combinations.into_iter().map(|combination| {
        let mut object = base.clone();
        for (name, value) in selections.get(combination.selection).into_iter().flatten() {
            object.insert((*name).to_owned(), (*value).into());
        }
        for (name, value) in subsets
            .get(combination.subset)
            .into_iter()
            .flatten()
            .filter_map(|member| members.get(*member))
        {
            object.insert(name.clone(), value.clone());
        }
        Value::Object(object)
    });
    (objects.collect(), is_complete)
}
