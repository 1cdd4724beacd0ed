//! Shapes: the unions at each place of a schema, compiled into tables.

use serde_json::{Map, Value};

use k8s_json_internals::element_index::{ElementKeys, KeyTuple};
use k8s_json_internals::key::scalar_key;
use k8s_json_internals::names::find_sorted;
use union_runtime::spec::{OwnedUnionSpec, State, StateBuilder};

/// The unions at one place of a schema, and the fields, values and elements below that lead to
/// unions. A shape contains the unions of all schemas that are combined at the place.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledNode {
    pub(crate) unions: Box<[OwnedUnionSpec]>,
    /// The fields that lead to unions, with the shapes of their values, in the order of the schema.
    pub(crate) fields: Box<[(Box<str>, NodeId)]>,
    pub(crate) names: FieldTable,
    /// The shape of the fields that the schema does not describe by name, if they lead to unions.
    pub(crate) additional_properties: Option<NodeId>,
    /// True if the schema allows fields that it does not describe by name.
    pub(crate) is_open: bool,
    /// The shape of the elements of a list, if they lead to unions.
    pub(crate) items: Option<NodeId>,
    /// The keys of the elements, if the place is a list of type map.
    pub(crate) keys: ListKeys,
}

pub(crate) type NodeId = u32;

/// The table of the fields that the schema describes by name. If the schema does not describe
/// fields, the table contains the fields of the unions.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable {
    /// The fields, sorted by name. They are described by the schema if `are_described` is true.
    table: Box<[FieldEntry]>,
    are_described: bool,
}

/// A field, and its role in the union to which it belongs. A field belongs to at most one union.
#[derive(Clone, Debug)]
struct FieldEntry {
    name: Box<str>,
    union: usize,
    role: FieldRole,
    /// The shape of the field's value, if the value leads to unions.
    node: Option<NodeId>,
}

/// The keys of the elements of a list of type map. The keys are empty for other lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListKeys(pub(crate) Box<[ListKey]>);

/// A key of the elements of a list, with the default value of an absent key.
#[derive(Clone, Debug)]
pub(crate) struct ListKey {
    pub(crate) name: Box<str>,
    pub(crate) default: Option<Value>,
}

/// The role of a field in a union.
#[derive(Clone, Copy, Debug)]
enum FieldRole {
    Discriminator,
    /// The member whose discriminator value has this number.
    Member(u8),
    /// The field does not belong to any union.
    Other,
}

impl CompiledNode {
    /// Returns the state of a union in an object. Returns `None` if the shape does not have a union
    /// with this number.
    pub(crate) fn state<'a>(
        &self,
        union: usize,
        object: &'a Map<String, Value>,
    ) -> Option<State<'a>> {
        let of = self.unions.get(union)?;
        Some(self.read_state(union, of, object, || {}))
    }

    /// Returns true if all unions of an object are settled, and the object does not have unknown
    /// fields.
    pub(crate) fn is_settled(&self, object: &Map<String, Value>) -> bool {
        let mut unions = self.unions.iter().enumerate();
        unions.all(|(union, of)| {
            let mut is_known = true;
            let state = self.read_state(union, of, object, || is_known = self.is_open);
            is_known && of.spec().is_settled(state)
        })
    }

    /// Reads the state of a union, and calls `see_unknown` for each field that is not in the table.
    #[inline]
    fn read_state<'a>(
        &self,
        union: usize,
        of: &OwnedUnionSpec,
        object: &'a Map<String, Value>,
        mut see_unknown: impl FnMut(),
    ) -> State<'a> {
        let mut reader = StateBuilder::default();
        let mut next = 0;
        for (key, value) in object {
            match self.names.find_next(key, &mut next) {
                Some(field) if field.union == union => match field.role {
                    FieldRole::Discriminator => reader.set_discriminator(value),
                    FieldRole::Member(number) => reader.add_member(number, value),
                    FieldRole::Other => {}
                },
                Some(_) => {}
                None => see_unknown(),
            }
        }
        reader.build(&of.spec(), of.default())
    }

    /// Returns true if the schema does not allow a field with this name.
    pub(crate) fn is_unknown(&self, name: &str) -> bool {
        !self.is_open && !self.names.is_described(name)
    }

    /// Returns the shape of a field's value, if the value leads to unions. `next` is the state of
    /// [`find_next`], which is faster for names in the order of the table.
    pub(crate) fn field_node(&self, name: &str, next: &mut usize) -> Option<NodeId> {
        match self.names.find_next(name, next) {
            Some(field) if self.names.are_described => field.node,
            _ => self.additional_properties,
        }
    }

    /// Returns the shape of a field's value, if the schema does not describe the field by name and
    /// the value leads to unions.
    pub(crate) fn undescribed_field_node(&self, name: &str) -> Option<NodeId> {
        self.additional_properties
            .filter(|_| !self.names.is_described(name))
    }
}

impl FieldTable {
    /// Returns the table for the fields that the schema describes and for the unions. `described`
    /// is sorted. It is empty, or contains the fields of all unions.
    pub(crate) fn new(described: Vec<Box<str>>, unions: &[OwnedUnionSpec]) -> Self {
        let are_described = !described.is_empty();
        let of_unions = unions.iter().enumerate().flat_map(|(union, of)| {
            of.fields().map(move |(name, number)| FieldEntry {
                name: name.into(),
                union,
                role: number.map_or(FieldRole::Discriminator, FieldRole::Member),
                node: None,
            })
        });
        let mut table: Vec<FieldEntry> = of_unions.collect();
        table.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        if are_described {
            let mut next = 0;
            let plain = described.into_iter().map(|name| {
                let found = find_sorted(&table, |other| &other.name, &name, &mut next);
                let found = found.and_then(|at| table.get(at)).cloned();
                found.unwrap_or(FieldEntry {
                    name,
                    union: 0,
                    role: FieldRole::Other,
                    node: None,
                })
            });
            table = plain.collect();
        }
        Self {
            table: table.into(),
            are_described,
        }
    }

    /// Sets the shapes of the values of these fields. All of these fields are described by the
    /// schema.
    pub(crate) fn set_nodes(&mut self, fields: &[(Box<str>, NodeId)]) {
        for (name, id) in fields {
            let found = find_sorted(&self.table, |field| &field.name, name, &mut 0);
            if let Some(field) = found.and_then(|at| self.table.get_mut(at)) {
                field.node = Some(*id);
            }
        }
    }

    /// Returns the sorted names of the fields that the schema describes.
    pub(crate) fn property_names(&self) -> impl Iterator<Item = &str> {
        let table = self.table.iter().filter(|_| self.are_described);
        table.map(|name| &*name.name)
    }

    fn is_described(&self, name: &str) -> bool {
        self.are_described && self.find_next(name, &mut 0).is_some()
    }

    #[inline]
    fn find_next(&self, name: &str, next: &mut usize) -> Option<&FieldEntry> {
        let found = find_sorted(&self.table, |other| &other.name, name, next)?;
        self.table.get(found)
    }
}

impl ListKeys {
    /// Returns true if a key has this name.
    pub(crate) fn has_key(&self, name: &str) -> bool {
        self.0.iter().any(|key| *key.name == *name)
    }
}

impl ElementKeys<Value> for ListKeys {
    fn has_keys(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns the keys of an element in a form that is compared like in an API server: integers,
    /// floats, strings and booleans are never equal to each other. With several keys, floats are
    /// compared in their decimal form with six decimals.
    fn key_tuple<'e>(&'e self, element: &'e Value) -> Option<KeyTuple<'e>> {
        let element = element.as_object()?;
        let is_one = self.0.len() == 1;
        KeyTuple::of_element(&self.0, |key| {
            let value = element.get(&*key.name).or(key.default.as_ref())?;
            scalar_key(value, is_one)
        })
    }
}
