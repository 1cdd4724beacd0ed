//! Lists the changes of an object that may remove an error.

use serde_json::{Map, Value, json};
use union_runtime::path::{FieldPath, PathStep};

use super::dictionary::SearchDictionary;
use super::schema::{properties, property_schema, required, schema_at};
use super::small_value::{small_filled_value, small_value};
use super::strings::{common_strings, small_strings};

/// The number of levels below an error in which values are changed.
const MAX_DEPTH: usize = 4;

/// The number of items of a list that are changed.
const MAX_CHANGED_ITEMS: usize = 4;

/// The integers that replace an integer, beside the numbers that its rules mention.
const COMMON_INTEGERS: [i64; 8] = [1, 0, 2, 3, -1, 10, 100, 1000];

/// A change of a value of the object.
#[derive(Debug, PartialEq)]
pub(crate) enum Change {
    Set(FieldPath, Value),
    Remove(FieldPath),
}

impl Change {
    /// Returns the changed object; `None` if the change does not apply.
    pub(crate) fn apply(&self, object: &Value) -> Option<Value> {
        let (Self::Set(path, _) | Self::Remove(path)) = self;
        let parent_path = path.parent()?;
        let last_step = path.steps().next_back()?;
        let mut changed = object.clone();
        let parent = find_mut(&mut changed, &parent_path)?;
        match (self, last_step, parent) {
            (Self::Set(_, value), PathStep::Index(index), Value::Array(items)) => {
                match items.get_mut(index) {
                    Some(item) => *item = value.clone(),
                    None => items.push(value.clone()),
                }
            }
            (Self::Set(_, value), step, Value::Object(fields)) => {
                fields.insert(step.name()?.to_owned(), value.clone());
            }
            (Self::Remove(_), PathStep::Index(index), Value::Array(items)) => {
                (index < items.len()).then(|| items.remove(index))?;
            }
            (Self::Remove(_), step, Value::Object(fields)) => {
                fields.remove(step.name()?)?;
            }
            _ => return None,
        }
        Some(changed)
    }
}

fn find_mut<'v>(object: &'v mut Value, path: &FieldPath) -> Option<&'v mut Value> {
    path.steps().try_fold(object, |value, step| match step {
        PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name),
        PathStep::Index(index) => value.as_array_mut()?.get_mut(index),
    })
}

/// A value of the object on the path of an error.
struct Node<'v> {
    path: FieldPath,
    value: &'v Value,
    schema: &'v Value,
}

/// Returns the changes that may remove an error, the most likely first.
pub(crate) fn changes(object: &Value, schema: &Value, error_path: &FieldPath) -> Vec<Change> {
    let (nodes, missing_step) = nodes_on_path(object, schema, error_path);
    let mut list = ChangeList::default();
    if let (Some(parent), Some(step)) = (nodes.last(), missing_step) {
        list.add_missing(parent, step);
    }
    for (distance, node) in nodes.iter().rev().enumerate() {
        let dictionary = SearchDictionary::from_schema(node.schema);
        // A rule may report its error at a field below its own value.
        if distance == 0 || !dictionary.is_empty() {
            list.add_changes_of(node, &dictionary, MAX_DEPTH);
        }
    }
    if let Some(node) = nodes.last() {
        if let Some([parent, _]) = nodes.last_chunk() {
            list.add_removal(parent, node);
        }
        list.add_changes_of(node, &SearchDictionary::default(), 1);
    }
    list.changes
}

/// Returns the values on a path, the object first, and the first step that has no value.
fn nodes_on_path<'v, 'p>(
    object: &'v Value,
    schema: &'v Value,
    path: &'p FieldPath,
) -> (Vec<Node<'v>>, Option<PathStep<'p>>) {
    let mut nodes = vec![Node {
        path: FieldPath::root(),
        value: object,
        schema,
    }];
    for step in path.steps() {
        let child = nodes.last().and_then(|parent| {
            Some(Node {
                path: parent.path.clone().step(step),
                value: step.find(parent.value)?,
                schema: schema_at(parent.schema, step)?,
            })
        });
        match child {
            Some(child) => nodes.push(child),
            None => return (nodes, Some(step)),
        }
    }
    (nodes, None)
}

#[derive(Default)]
struct ChangeList {
    changes: Vec<Change>,
}

impl ChangeList {
    fn set(&mut self, path: &FieldPath, step: PathStep<'_>, value: Value) {
        self.changes
            .push(Change::Set(path.clone().step(step), value));
    }

    /// Adds the changes that set a field which an error reports as missing.
    fn add_missing(&mut self, parent: &Node<'_>, step: PathStep<'_>) {
        if let Some(schema) = schema_at(parent.schema, step) {
            for variant in 0..3 {
                self.set(&parent.path, step, small_value(schema, variant));
            }
        }
    }

    /// Adds the removal of a value, unless its parent requires the value.
    fn add_removal(&mut self, parent: &Node<'_>, node: &Node<'_>) {
        let name = node.path.steps().next_back().and_then(PathStep::name);
        let is_required = name.is_some_and(|name| required(parent.schema).any(|it| it == name));
        if !is_required {
            self.changes.push(Change::Remove(node.path.clone()));
        }
    }

    /// Adds the changes of a value and of the values below it. If the dictionary has names, fields
    /// with other names are not changed.
    fn add_changes_of(&mut self, node: &Node<'_>, dictionary: &SearchDictionary, depth: usize) {
        match node.value {
            Value::Object(fields) => self.add_changes_of_fields(node, fields, dictionary, depth),
            Value::Array(items) => self.add_changes_of_items(node, items, dictionary, depth),
            _ => {
                for value in other_scalars(node.schema, dictionary) {
                    if value != *node.value {
                        self.changes.push(Change::Set(node.path.clone(), value));
                    }
                }
            }
        }
    }

    fn add_changes_of_fields(
        &mut self,
        node: &Node<'_>,
        fields: &Map<String, Value>,
        dictionary: &SearchDictionary,
        depth: usize,
    ) {
        if depth == 0 {
            return;
        }
        let changes_all_fields = dictionary.is_empty();
        let properties = properties(node.schema).into_iter().flatten();
        for (name, schema) in
            properties.filter(|(name, _)| changes_all_fields || dictionary.mentions(name))
        {
            let step = PathStep::Field(name);
            match fields.get(name) {
                None => self.add_new_values(node, step, schema, dictionary),
                Some(value) => {
                    self.add_changes_of_child(node, step, value, schema, dictionary, depth);
                }
            }
        }
        let Some(schema) = node.schema.get("additionalProperties") else {
            return;
        };
        for (key, value) in fields {
            self.add_changes_of_child(node, PathStep::Key(key), value, schema, dictionary, depth);
        }
        let mentioned_keys = dictionary.values.iter().filter_map(Value::as_str);
        let new_key = format!("example-{}", fields.len() + 1);
        for key in mentioned_keys.chain(["example", &new_key]) {
            if !fields.contains_key(key) {
                self.set(&node.path, PathStep::Key(key), small_value(schema, 0));
            }
        }
    }

    /// Adds the removal of a value, and the changes of the value.
    fn add_changes_of_child(
        &mut self,
        parent: &Node<'_>,
        step: PathStep<'_>,
        value: &Value,
        schema: &Value,
        dictionary: &SearchDictionary,
        depth: usize,
    ) {
        let node = Node {
            path: parent.path.clone().step(step),
            value,
            schema,
        };
        self.add_removal(parent, &node);
        self.add_changes_of(&node, dictionary, depth.saturating_sub(1));
    }

    /// Adds the changes that set a new field.
    fn add_new_values(
        &mut self,
        parent: &Node<'_>,
        step: PathStep<'_>,
        schema: &Value,
        dictionary: &SearchDictionary,
    ) {
        let value = small_value(schema, 0);
        let is_scalar = !value.is_object() && !value.is_array();
        if value.as_array().is_some_and(Vec::is_empty) {
            self.set(&parent.path, step, small_filled_value(schema, 0));
        }
        self.set(&parent.path, step, value);
        // A rule may require one of the values that it mentions.
        if is_scalar && !dictionary.is_empty() {
            for value in other_scalars(schema, dictionary) {
                self.set(&parent.path, step, value);
            }
        }
    }

    fn add_changes_of_items(
        &mut self,
        node: &Node<'_>,
        items: &[Value],
        dictionary: &SearchDictionary,
        depth: usize,
    ) {
        let Some(schema) = node.schema.get("items") else {
            return;
        };
        let new_index = PathStep::Index(items.len());
        self.set(&node.path, new_index, small_value(schema, items.len()));
        for value in dictionary
            .values
            .iter()
            .filter(|value| is_of_type(value, schema))
        {
            self.set(&node.path, new_index, value.clone());
        }
        for (index, value) in items.iter().enumerate().take(MAX_CHANGED_ITEMS) {
            let step = PathStep::Index(index);
            self.add_changes_of_child(node, step, value, schema, dictionary, depth);
        }
    }
}

/// Returns values that a scalar may have instead of its value.
fn other_scalars(schema: &Value, dictionary: &SearchDictionary) -> Vec<Value> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values.clone();
    }
    let mentioned = dictionary.values.iter();
    let mentioned = mentioned.filter(|value| is_of_type(value, schema)).cloned();
    let mut values: Vec<Value> = mentioned.collect();
    let is_int_or_string = schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => values.extend([json!(true), json!(false)]),
        Some("integer" | "number") => {
            values.extend((0..3).map(|variant| small_value(schema, variant)));
            values.extend(COMMON_INTEGERS.map(Value::from));
        }
        Some("string") => {
            // A rule may convert the string to a number that it mentions.
            let numbers = dictionary.values.iter().filter(|value| value.is_number());
            values.extend(numbers.map(|number| json!(number.to_string())));
            let strings = small_strings(schema).into_iter().chain(common_strings());
            values.extend(strings.map(Value::from));
        }
        _ if is_int_or_string => {
            values.extend(COMMON_INTEGERS.map(Value::from));
            let strings = small_strings(schema).into_iter().chain(common_strings());
            values.extend(strings.map(Value::from));
        }
        _ => {}
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) {
        values.push(Value::Null);
    }
    values
}

/// Returns true if a value has the type of a schema.
fn is_of_type(value: &Value, schema: &Value) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("number") => value.is_number(),
        Some(_) => false,
        None => value.is_i64() || value.is_string(),
    }
}

/// Returns the removals of the fields and items that the schema does not require, in the order of
/// the object.
pub(crate) fn removals(object: &Value, schema: &Value) -> Vec<Change> {
    let mut list = ChangeList::default();
    let root = Node {
        path: FieldPath::root(),
        value: object,
        schema,
    };
    list.add_removals_below(&root);
    list.changes
}

impl ChangeList {
    fn add_removals_below(&mut self, parent: &Node<'_>) {
        let steps: Vec<PathStep<'_>> = match parent.value {
            Value::Object(fields) => fields.keys().map(|name| PathStep::Field(name)).collect(),
            Value::Array(items) => (0..items.len()).rev().map(PathStep::Index).collect(),
            _ => return,
        };
        for step in steps {
            let schema = match step.name() {
                Some(name) => property_schema(parent.schema, name),
                None => schema_at(parent.schema, step),
            };
            if let (Some(value), Some(schema)) = (step.find(parent.value), schema) {
                let node = Node {
                    path: parent.path.clone().step(step),
                    value,
                    schema,
                };
                self.add_removal(parent, &node);
                self.add_removals_below(&node);
            }
        }
    }
}
