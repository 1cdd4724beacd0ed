//! Compiled nodes of a schema: the unions of a value, and the values inside it that contain unions.

use serde_json::{Map, Value};

use k8s_json_internals::element_index::{ElementKeys, KeyTuple};
use k8s_json_internals::key::scalar_key;
use k8s_json_internals::names::find_sorted;
use union_runtime::UnionSpec;
use union_runtime::spec::{OwnedUnionSpec, State, StateBuilder};

/// A compiled node: the unions of a value, and the nodes of the fields, map values and list
/// elements that contain unions. A node merges all schemas that are combined for the value.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledNode {
    pub(crate) unions: Box<[OwnedUnionSpec]>,
    /// The fields whose values contain unions, with the nodes of the values, in the order of the
    /// schema.
    pub(crate) fields: Box<[(Box<str>, NodeId)]>,
    pub(crate) field_table: FieldTable,
    /// The node of the fields that the schema does not describe by name, if these fields contain
    /// unions.
    pub(crate) additional_properties: Option<NodeId>,
    /// True if the schema allows fields that it does not describe by name.
    pub(crate) is_open: bool,
    /// The node of the elements of a list, if the elements contain unions.
    pub(crate) items: Option<NodeId>,
    /// The keys of the elements of a list of type map. The keys are empty for other values.
    pub(crate) keys: ListKeys,
}

/// The index of a node in the list of compiled nodes.
pub(crate) type NodeId = u32;

/// The fields that the schema describes by name. If the schema describes no fields, the table
/// contains the fields of the unions.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable {
    /// The fields, sorted by name.
    table: Box<[FieldEntry]>,
    /// True if the schema describes the fields.
    are_described: bool,
}

/// A field, and its role in its union. A field belongs to at most one union.
#[derive(Clone, Debug)]
struct FieldEntry {
    name: Box<str>,
    /// The index of the union. The index has no meaning for `FieldRole::Other`.
    union: usize,
    role: FieldRole,
    /// The node of the field's value, if the value contains unions.
    node: Option<NodeId>,
}

/// The keys of the elements of a list (`x-kubernetes-list-map-keys`). The keys are empty for a list
/// of another type.
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
    /// The member whose discriminator value has this index.
    Member(u8),
    /// A field that belongs to no union.
    Other,
}

impl CompiledNode {
    /// Returns the state of a union in an object, or `None` if the index is out of range.
    pub(crate) fn state<'a>(
        &self,
        union: usize,
        object: &'a Map<String, Value>,
    ) -> Option<State<'a>> {
        let owned_spec = self.unions.get(union)?;
        let (spec, default) = (owned_spec.spec(), owned_spec.default());
        Some(self.read_state(union, &spec, default, object, || {}))
    }

    /// Returns true if all unions of an object are settled. An object with unions must also have no
    /// unknown fields, because normalization may clear them.
    pub(crate) fn is_settled(&self, object: &Map<String, Value>) -> bool {
        let mut unions = self.unions.iter().enumerate();
        unions.all(|(union, owned_spec)| {
            let (spec, default, mut is_known) = (owned_spec.spec(), owned_spec.default(), true);
            let state = self.read_state(union, &spec, default, object, || is_known = self.is_open);
            is_known && spec.is_settled(state)
        })
    }

    /// Reads the state of a union, and calls `visit_unknown` for each field that is not in the
    /// table. `default` is the position of the value that an absent discriminator counts as.
    #[inline]
    fn read_state<'a>(
        &self,
        union: usize,
        spec: &UnionSpec<'_>,
        default: Option<usize>,
        object: &'a Map<String, Value>,
        mut visit_unknown: impl FnMut(),
    ) -> State<'a> {
        let mut builder = StateBuilder::default();
        let mut next_index = 0;
        for (key, value) in object {
            match self.field_table.find_next(key, &mut next_index) {
                Some(field) if field.union == union => match field.role {
                    FieldRole::Discriminator => builder.set_discriminator(value),
                    FieldRole::Member(value_index) => builder.add_member(value_index, value),
                    FieldRole::Other => {}
                },
                Some(_) => {}
                None => visit_unknown(),
            }
        }
        builder.build(spec, default)
    }

    /// Returns true if the schema does not allow a field with this name.
    pub(crate) fn is_unknown_field(&self, name: &str) -> bool {
        !self.is_open && !self.field_table.is_described(name)
    }

    /// Returns the node of a field's value, if the value contains unions. `next_index` is the state
    /// of [`find_sorted`], which makes lookups in the order of the table fast.
    pub(crate) fn field_node(&self, name: &str, next_index: &mut usize) -> Option<NodeId> {
        match self.field_table.find_next(name, next_index) {
            Some(field) if self.field_table.are_described => field.node,
            _ => self.additional_properties,
        }
    }

    /// Returns the node of a field's value, if the schema does not describe the field by name and
    /// the value contains unions.
    pub(crate) fn undescribed_field_node(&self, name: &str) -> Option<NodeId> {
        self.additional_properties
            .filter(|_| !self.field_table.is_described(name))
    }
}

impl FieldTable {
    /// Creates the table from the fields that the schema describes and the fields of the unions.
    /// `property_names` are the sorted names of the fields that the schema describes. The list is
    /// empty, or contains the fields of all unions.
    pub(crate) fn new(property_names: Vec<Box<str>>, unions: &[OwnedUnionSpec]) -> Self {
        let are_described = !property_names.is_empty();
        let union_fields = unions.iter().enumerate().flat_map(|(union, spec)| {
            spec.fields().map(move |(name, value_index)| FieldEntry {
                name: name.into(),
                union,
                role: value_index.map_or(FieldRole::Discriminator, FieldRole::Member),
                node: None,
            })
        });
        let mut table: Vec<FieldEntry> = union_fields.collect();
        table.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        if are_described {
            let mut next_index = 0;
            let all_fields = property_names.into_iter().map(|name| {
                let index = find_sorted(&table, |field| &field.name, &name, &mut next_index);
                let union_field = index.and_then(|index| table.get(index)).cloned();
                union_field.unwrap_or(FieldEntry {
                    name,
                    union: 0,
                    role: FieldRole::Other,
                    node: None,
                })
            });
            table = all_fields.collect();
        }
        Self {
            table: table.into(),
            are_described,
        }
    }

    /// Sets the nodes of the values of these fields, if the fields are in the table.
    pub(crate) fn set_nodes(&mut self, fields: &[(Box<str>, NodeId)]) {
        for (name, id) in fields {
            let index = find_sorted(&self.table, |field| &field.name, name, &mut 0);
            if let Some(field) = index.and_then(|index| self.table.get_mut(index)) {
                field.node = Some(*id);
            }
        }
    }

    /// Returns the sorted names of the fields that the schema describes.
    pub(crate) fn property_names(&self) -> impl Iterator<Item = &str> {
        let fields = self.table.iter().filter(|_| self.are_described);
        fields.map(|field| &*field.name)
    }

    fn is_described(&self, name: &str) -> bool {
        self.are_described && self.find_next(name, &mut 0).is_some()
    }

    /// Returns the field with this name. `next_index` is the state of [`find_sorted`].
    #[inline]
    fn find_next(&self, name: &str, next_index: &mut usize) -> Option<&FieldEntry> {
        let index = find_sorted(&self.table, |field| &field.name, name, next_index)?;
        self.table.get(index)
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

    /// Returns the keys of an element, as an API server compares them. See [`scalar_key`].
    fn key_tuple<'e>(&'e self, element: &'e Value) -> Option<KeyTuple<'e>> {
        let element = element.as_object()?;
        let is_exact = self.0.len() == 1;
        KeyTuple::of_element(&self.0, |key| {
            let value = element.get(&*key.name).or(key.default.as_ref())?;
            scalar_key(value, is_exact)
        })
    }
}
