//! The unions of a schema at one place, compiled into tables.

use serde_json::{Map, Value};

use k8s_json_internals::key::scalar;
use k8s_json_internals::keyed::{Keys, Tuple};
use k8s_json_internals::names::find_next;
use union_runtime::spec::{OwnedUnionSpec, State, StateReader};

/// The unions of a schema at one place, from all schemas that are combined there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) unions: Box<[OwnedUnionSpec]>,
    /// The fields that lead to unions, in the order of the schema.
    pub(crate) fields: Box<[(Box<str>, ShapeId)]>,
    pub(crate) names: Names,
    /// The shape of the fields that the schema does not describe by name, if they lead to unions.
    pub(crate) values: Option<ShapeId>,
    /// True if fields that the schema does not describe by name have a schema of their own, or may
    /// be anything.
    pub(crate) is_open: bool,
    /// The shape of the elements, if they lead to unions.
    pub(crate) items: Option<ShapeId>,
    /// The keys of the elements of a list of type map.
    pub(crate) keys: ListKeys,
}

pub(crate) type ShapeId = u32;

/// The names of the fields that the schema describes; if it describes none, the names of the
/// unions' fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// The fields, sorted by name.
    table: Box<[Field]>,
    are_described: bool,
}

/// A field, and its role in the union that it belongs to: a field belongs to one union at most.
#[derive(Clone, Debug)]
struct Field {
    name: Box<str>,
    union: usize,
    role: Role,
    /// The shape of its value, if the value leads to unions.
    leads: Option<ShapeId>,
}

/// The keys of the elements of a list of type map; empty for other lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListKeys(pub(crate) Box<[ListKey]>);

/// A key of the elements of a list, with the default for an absent key.
#[derive(Clone, Debug)]
pub(crate) struct ListKey {
    pub(crate) name: Box<str>,
    pub(crate) default: Option<Value>,
}

/// The role of a field in a union.
#[derive(Clone, Copy, Debug)]
enum Role {
    Discriminator,
    /// The member whose value has this number.
    Member(u8),
    /// The field does not belong to the union.
    Other,
}

impl Shape {
    /// Returns the state of the union with a number in an object.
    pub(crate) fn state<'a>(
        &self,
        union: usize,
        object: &'a Map<String, Value>,
    ) -> Option<State<'a>> {
        let of = self.unions.get(union)?;
        Some(self.read(union, of, object, || {}))
    }

    /// Returns true if all unions of an object are settled, and the object has no unknown field.
    pub(crate) fn is_settled(&self, object: &Map<String, Value>) -> bool {
        let mut unions = self.unions.iter().enumerate();
        unions.all(|(union, of)| {
            let mut is_known = true;
            let state = self.read(union, of, object, || is_known = self.is_open);
            is_known && of.spec().is_settled(state)
        })
    }

    /// Reads the state of a union, and calls `see_unknown` for each field that is not in the table.
    #[inline]
    fn read<'a>(
        &self,
        union: usize,
        of: &OwnedUnionSpec,
        object: &'a Map<String, Value>,
        mut see_unknown: impl FnMut(),
    ) -> State<'a> {
        let mut reader = StateReader::default();
        let mut next = 0;
        for (key, value) in object {
            match self.names.next(key, &mut next) {
                Some(field) if field.union == union => match field.role {
                    Role::Discriminator => reader.discriminator(value),
                    Role::Member(number) => reader.member(number, value),
                    Role::Other => {}
                },
                Some(_) => {}
                None => see_unknown(),
            }
        }
        reader.state(&of.spec(), of.default())
    }

    /// Returns true if the schema does not allow a field of this name.
    pub(crate) fn is_unknown(&self, name: &str) -> bool {
        !self.is_open && !self.names.are_described(name)
    }

    /// Returns the shape of a field, if it leads to unions. For names in the order of the table, as
    /// [`find_next`].
    pub(crate) fn leads(&self, name: &str, next: &mut usize) -> Option<ShapeId> {
        match self.names.next(name, next) {
            Some(field) if self.names.are_described => field.leads,
            _ => self.values,
        }
    }

    /// Returns the shape of a field that the schema does not describe by name.
    pub(crate) fn value_of(&self, name: &str) -> Option<ShapeId> {
        self.values.filter(|_| !self.names.are_described(name))
    }
}

impl Names {
    /// Returns the table of the fields. `described` is sorted, and contains the fields of all
    /// unions, unless it is empty.
    pub(crate) fn new(described: Vec<Box<str>>, unions: &[OwnedUnionSpec]) -> Self {
        let are_described = !described.is_empty();
        let of_unions = unions.iter().enumerate().flat_map(|(union, of)| {
            of.fields().map(move |(name, number)| Field {
                name: name.into(),
                union,
                role: number.map_or(Role::Discriminator, Role::Member),
                leads: None,
            })
        });
        let mut table: Vec<Field> = of_unions.collect();
        table.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        if are_described {
            let mut next = 0;
            let plain = described.into_iter().map(|name| {
                let found = find_next(&table, |other| &other.name, &name, &mut next);
                let found = found.and_then(|at| table.get(at)).cloned();
                found.unwrap_or(Field {
                    name,
                    union: 0,
                    role: Role::Other,
                    leads: None,
                })
            });
            table = plain.collect();
        }
        Self {
            table: table.into(),
            are_described,
        }
    }

    /// Sets the shapes that these fields lead to. All of them are described.
    pub(crate) fn lead(&mut self, fields: &[(Box<str>, ShapeId)]) {
        for (name, id) in fields {
            let found = find_next(&self.table, |field| &field.name, name, &mut 0);
            if let Some(field) = found.and_then(|at| self.table.get_mut(at)) {
                field.leads = Some(*id);
            }
        }
    }

    /// Returns the names that the schema describes, sorted.
    pub(crate) fn described(&self) -> impl Iterator<Item = &str> {
        let table = self.table.iter().filter(|_| self.are_described);
        table.map(|name| &*name.name)
    }

    fn are_described(&self, name: &str) -> bool {
        self.are_described && self.next(name, &mut 0).is_some()
    }

    #[inline]
    fn next(&self, name: &str, next: &mut usize) -> Option<&Field> {
        let found = find_next(&self.table, |other| &other.name, name, next)?;
        self.table.get(found)
    }
}

impl ListKeys {
    /// Returns true if a key has this name.
    pub(crate) fn have(&self, name: &str) -> bool {
        self.0.iter().any(|key| *key.name == *name)
    }
}

impl Keys<Value> for ListKeys {
    fn are_any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the keys of an element, to be compared as an API server does: integers, floats,
    /// strings and booleans are all different, and with several keys, floats are compared as they
    /// are written with six decimals.
    fn tuple<'e>(&'e self, element: &'e Value) -> Option<Tuple<'e>> {
        let element = element.as_object()?;
        let is_one = self.0.len() == 1;
        Tuple::of(&self.0, |key| {
            let value = element.get(&*key.name).or(key.default.as_ref())?;
            scalar(value, is_one)
        })
    }
}
