//! The fields that rules name, and the possible states of each field.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use union_runtime::path::{FieldPath, PathStep};

use crate::bounds::FIELD_STATES;
use crate::terms::conjuncts;

/// A function that finds a property of an object by its name in CEL or in JSON, and returns its
/// JSON name and its schema.
pub(crate) type PropertyLookup<'s> =
    fn(&'s Map<String, Value>, &str) -> Option<(&'s str, &'s Value)>;

/// The position of a field in [`Fields::list`]. Parents precede their children; otherwise, fields
/// are in the order in which rules name them.
pub(crate) type FieldId = usize;

/// A field of the object, or of an object nested in it.
pub(crate) struct Field<'s> {
    /// The JSON names of the path, from the object.
    pub(crate) path: Vec<&'s str>,
    /// The fields on the path, including the field itself.
    pub(crate) chain: Vec<FieldId>,
    pub(crate) schema: &'s Map<String, Value>,
    pub(crate) value_type: FieldType,
    /// True if the schema of the parent object requires the field.
    pub(crate) required: bool,
    pub(crate) default: Option<&'s Value>,
    pub(crate) nullable: bool,
    /// The strings of the enum, restricted by enums in `allOf`.
    pub(crate) values: Option<Vec<&'s str>>,
    pub(crate) usage: FieldUse,
    pub(crate) states: Vec<FieldState>,
}

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldType {
    String,
    Bool,
    Int,
    List,
    Map,
    Object,
    Other,
}

/// The uses of a field in rules, in addition to its presence.
#[derive(Default)]
pub(crate) struct FieldUse {
    /// The strings that the field is compared with.
    pub(crate) literals: Vec<String>,
    /// True if a rule checks whether the field is empty.
    pub(crate) checks_emptiness: bool,
    /// True if a rule reads the value of a boolean field.
    pub(crate) reads_truth: bool,
    /// True if a keyword distinguishes null from an absent field.
    pub(crate) distinguishes_null: bool,
}

/// A state of a field: a set of values that the rules do not distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldState {
    Absent,
    /// Present in the JSON, but absent in CEL.
    Null,
    /// Present, without further distinction.
    Present,
    String(String),
    /// A string that is not in any of the other states.
    OtherString,
    True,
    False,
    Empty,
    NonEmpty,
}

impl FieldState {
    /// Returns true if the field is present in CEL.
    pub(crate) const fn is_present(&self) -> bool {
        !matches!(self, Self::Absent | Self::Null)
    }
}

/// The fields of an object schema that its rules name.
pub(crate) struct Fields<'s> {
    pub(crate) root: &'s Map<String, Value>,
    pub(crate) list: Vec<Field<'s>>,
    by_path: BTreeMap<Vec<&'s str>, FieldId>,
}

impl<'s> Fields<'s> {
    pub(crate) const fn new(root: &'s Map<String, Value>) -> Self {
        Self {
            root,
            list: Vec::new(),
            by_path: BTreeMap::new(),
        }
    }

    pub(crate) fn get(&self, id: FieldId) -> Option<&Field<'s>> {
        self.list.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: FieldId) -> Option<&mut Field<'s>> {
        self.list.get_mut(id)
    }

    /// Returns the field of the object itself with this JSON name, if a rule names the field.
    pub(crate) fn own_field(&self, name: &str) -> Option<FieldId> {
        self.find(&[name])
    }

    /// Returns the field at a path of JSON names, if a rule names the field.
    pub(crate) fn find(&self, path: &[&str]) -> Option<FieldId> {
        self.by_path.get(path).copied()
    }

    /// Returns the states of a field.
    pub(crate) fn states(&self, id: FieldId) -> &[FieldState] {
        self.list.get(id).map_or(&[], |field| &field.states)
    }

    /// Returns the field at a path of CEL names or JSON names, and adds the field if it is new. If
    /// the schema does not describe the whole path, the error is the last described field.
    pub(crate) fn find_or_add(
        &mut self,
        names: &[&str],
        lookup: PropertyLookup<'s>,
    ) -> Result<FieldId, Option<FieldId>> {
        let mut object = self.root;
        let mut path = Vec::with_capacity(names.len());
        let mut chain: Vec<FieldId> = Vec::with_capacity(names.len());
        for name in names {
            let parent = chain.last().copied();
            let (name, schema) = lookup(object, name).ok_or(parent)?;
            let schema = schema.as_object().ok_or(parent)?;
            path.push(name);
            let id = match self.by_path.get(&path) {
                Some(id) => *id,
                None => self.add(&path, &chain, object, schema),
            };
            chain.push(id);
            object = schema;
        }
        chain.last().copied().ok_or(None)
    }

    /// Adds a field. `ancestors` are the fields above it, and `object` is the schema that contains
    /// the property.
    fn add(
        &mut self,
        path: &[&'s str],
        ancestors: &[FieldId],
        object: &'s Map<String, Value>,
        schema: &'s Map<String, Value>,
    ) -> FieldId {
        let id = self.list.len();
        let mut chain = ancestors.to_vec();
        chain.push(id);
        let name = path.last().copied().unwrap_or_default();
        self.list.push(Field {
            path: path.to_vec(),
            chain,
            schema,
            value_type: value_type(schema),
            required: is_required(object, name),
            default: schema.get("default").filter(|default| !default.is_null()),
            nullable: schema.get("nullable") == Some(&Value::Bool(true)),
            values: enum_values(schema),
            usage: FieldUse::default(),
            states: Vec::new(),
        });
        self.by_path.insert(path.to_vec(), id);
        id
    }

    /// Sets the states of every field. All rules must be lowered before.
    pub(crate) fn set_states(&mut self) {
        for id in 0..self.list.len() {
            let may_be_absent = self.may_be_absent(id);
            if let Some(field) = self.list.get_mut(id) {
                field.states = field_states(field, may_be_absent);
            }
        }
    }

    /// Returns true if the field may be absent in CEL: if the field, or an ancestor, may be
    /// omitted or null.
    fn may_be_absent(&self, id: FieldId) -> bool {
        let Some(field) = self.list.get(id) else {
            return true;
        };
        field
            .chain
            .iter()
            .filter_map(|ancestor| self.list.get(*ancestor))
            .any(Field::is_optional)
    }

    /// Returns the sort key of a field: the position of the first property on its path in the
    /// schema, then the path.
    pub(crate) fn sort_key(&self, id: FieldId) -> (usize, Vec<&'s str>) {
        let path = self.list.get(id).map(|field| field.path.clone());
        let path = path.unwrap_or_default();
        let properties = self.root.get("properties").and_then(Value::as_object);
        let mut names = properties.into_iter().flatten();
        let property_index = names.position(|(name, _)| path.first() == Some(&&**name));
        (property_index.unwrap_or(usize::MAX), path)
    }

    /// Returns the path of a field, from the object.
    pub(crate) fn path(&self, id: FieldId) -> FieldPath {
        let names = self.list.get(id).map(|field| field.path.iter());
        names
            .into_iter()
            .flatten()
            .map(|name| PathStep::Field(name))
            .collect()
    }

    /// Returns the name of a field for messages and listings: `a.b`.
    pub(crate) fn name(&self, id: FieldId) -> String {
        self.list
            .get(id)
            .map(|field| field.path.join("."))
            .unwrap_or_default()
    }
}

impl Field<'_> {
    /// Returns true if the field may be absent in CEL while its parent is present.
    pub(crate) const fn is_optional(&self) -> bool {
        !self.required && self.default.is_none() || self.nullable
    }

    /// Returns true if the field is a field of the object itself, not of a nested object.
    pub(crate) const fn is_own(&self) -> bool {
        self.path.len() == 1
    }

    /// Returns true if the field has states that are strings, so that it can be a discriminator.
    pub(crate) fn has_string_states(&self) -> bool {
        self.states
            .iter()
            .any(|state| matches!(state, FieldState::String(_)))
    }

    /// Returns the position of a state.
    pub(crate) fn state_index(&self, state: &FieldState) -> Option<usize> {
        self.states.iter().position(|other| other == state)
    }
}

/// Returns true if an object schema requires the field with this name.
pub(crate) fn is_required(object: &Map<String, Value>, name: &str) -> bool {
    let required = object.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|required_name| required_name == name))
}

/// Returns the type of the values of a schema.
pub(crate) fn value_type(schema: &Map<String, Value>) -> FieldType {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => FieldType::String,
        Some("boolean") => FieldType::Bool,
        Some("integer") => FieldType::Int,
        Some("array") => FieldType::List,
        Some("object")
            if schema
                .get("additionalProperties")
                .is_some_and(Value::is_object) =>
        {
            FieldType::Map
        }
        Some("object") => FieldType::Object,
        _ => FieldType::Other,
    }
}

/// Returns the strings of an enum. If `allOf` contains enums too, only strings in all enums are
/// returned.
pub(crate) fn enum_values(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    let own_enum = schema.get("enum").and_then(Value::as_array);
    let all_of = schema.get("allOf").and_then(Value::as_array);
    let other_enums = all_of
        .into_iter()
        .flatten()
        .filter_map(|schema| schema.get("enum")?.as_array());
    let mut enums = own_enum.into_iter().chain(other_enums);
    let strings = enums.next()?.iter().filter_map(Value::as_str);
    let mut strings: Vec<&str> = strings.collect();
    for other_enum in enums {
        strings.retain(|string| other_enum.iter().any(|value| value == string));
    }
    Some(strings)
}

/// Returns true if the schema rejects the empty string, list or map.
fn rejects_empty(field: &Field<'_>) -> bool {
    let keyword = match field.value_type {
        FieldType::String => "minLength",
        FieldType::List => "minItems",
        _ => "minProperties",
    };
    let min = field.schema.get(keyword).and_then(Value::as_u64);
    min.is_some_and(|min| min > 0)
}

/// Returns the states that the rules distinguish, according to the uses of the field. A field with
/// too many states gets the single state `Present` instead of its values.
fn field_states(field: &Field<'_>, may_be_absent: bool) -> Vec<FieldState> {
    let mut states = Vec::new();
    let usage = &field.usage;
    if may_be_absent {
        states.push(FieldState::Absent);
    }
    if usage.distinguishes_null && field.nullable {
        states.push(FieldState::Null);
    }
    let may_be_empty = !rejects_empty(field);
    let state_count_without_values = states.len();
    match field.value_type {
        FieldType::String if !usage.literals.is_empty() || usage.checks_emptiness => {
            if let Some(values) = &field.values {
                states.extend(
                    values
                        .iter()
                        .map(|string| FieldState::String((*string).to_owned())),
                );
                // With one state, no rule could depend on the field, so a future value is added.
                if values.len() == 1 {
                    states.push(FieldState::OtherString);
                }
            } else if usage.literals.is_empty() {
                if may_be_empty {
                    states.push(FieldState::Empty);
                }
                states.push(FieldState::NonEmpty);
            } else {
                if usage.checks_emptiness && may_be_empty {
                    states.push(FieldState::String(String::new()));
                }
                states.extend(usage.literals.iter().cloned().map(FieldState::String));
                states.push(FieldState::OtherString);
            }
        }
        FieldType::Bool if usage.reads_truth => {
            states.extend([FieldState::True, FieldState::False]);
        }
        FieldType::List | FieldType::Map if usage.checks_emptiness => {
            if may_be_empty {
                states.push(FieldState::Empty);
            }
            states.push(FieldState::NonEmpty);
        }
        _ => states.push(FieldState::Present),
    }
    if states.len() > FIELD_STATES {
        states.truncate(state_count_without_values);
        states.push(FieldState::Present);
    }
    states
}

/// Returns a property by its name in CEL.
pub(crate) fn cel_property<'s>(
    object: &'s Map<String, Value>,
    name: &str,
) -> Option<(&'s str, &'s Value)> {
    conjuncts::find_property(object, name)
}

/// Returns a property by its name in JSON.
pub(crate) fn json_property<'s>(
    object: &'s Map<String, Value>,
    name: &str,
) -> Option<(&'s str, &'s Value)> {
    let properties = object.get("properties")?.as_object()?;
    let (name, property) = properties.get_key_value(name)?;
    Some((name, property))
}
