//! Objects that may tell two schemas apart: a valid object with edge values at the place of a
//! difference.

use std::collections::HashSet;

use serde_json::{Value, json};
use union_json::document::SchemaPath;

use super::fields::{add_edge_objects, names_of};
use super::rules::rule_values;
use super::value_set::Values;
use super::values::{add_lists_with, edge_values, with_type_of};
use crate::sample::dictionary::SearchDictionary;
use crate::sample::schema::{branches, property_schema};
use crate::sample::small_value::{small_filled_value, small_value};
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The maximum number of values of one field of an object with a difference.
const FIELD_VALUES: usize = 24;

/// The maximum number of fields whose combinations are tried.
const COMBINED_FIELDS: usize = 5;

/// The maximum number of combinations of fields.
const COMBINATIONS: usize = 256;

/// The values to try at the path of a difference, and the number of values that were left out
/// because of a limit.
#[derive(Debug, Default)]
pub(crate) struct ProbeValues {
    pub(crate) list: Vec<Value>,
    /// The number of values beyond the limit.
    pub(crate) omitted_count: usize,
    /// The number of values that have more than [`OBJECT_BYTES`](crate::bounds::OBJECT_BYTES).
    pub(crate) large_count: usize,
}

/// Returns at most `limit` values to try at the path of a difference. `base` is a value at the
/// path, which is valid if a valid object was found.
pub(crate) fn values_at(
    difference: &Difference,
    [old, new, merged]: [&Value; 3],
    base: Option<&Value>,
    limit: usize,
) -> ProbeValues {
    let path = &difference.path;
    let [old_schema, new_schema] = [old, new].map(|schema| path.find(schema));
    let schemas: Vec<&Value> = old_schema.into_iter().chain(new_schema).collect();
    let merged_schema = path.find(merged).unwrap_or(merged);
    let mut values = Values::new(limit);
    match difference.keyword {
        Keyword::Required => {
            let name = difference.old.as_ref().or(difference.new.as_ref());
            if let Some(name) = name.and_then(Value::as_str) {
                values.extend(values_of_required(merged_schema, name, base));
            }
        }
        // An enum may have more values than are tried.
        Keyword::Enum => values.extend(values_of_one_enum(difference)),
        Keyword::Rule => {
            let rule = difference.old.as_ref().or(difference.new.as_ref());
            if let Some(rule) = rule.and_then(|rule| rule.get("rule")?.as_str()) {
                values.extend(rule_values(rule, merged_schema, &schemas, base, limit));
            }
        }
        _ => {}
    }
    if let Some(base) = base {
        for schema in &schemas {
            add_edge_objects(schema, base, &mut values);
        }
        let item = base.as_array().and_then(|items| items.first());
        if let (Some(item), Some(items)) = (item, merged_schema.get("items")) {
            add_lists_with(items, item, &mut values);
        }
    }
    let edges = edge_values(schemas.iter().copied());
    let mut omitted_count = edges.omitted_count();
    let mut large_count = edges.large_count();
    values.extend(edges.into_list());
    // A rule or a combinator around the value may compare the value with other values.
    for ancestor in ancestors(path) {
        for schema in [old, new] {
            let schema = ancestor.find(schema);
            let dictionary = schema.map(SearchDictionary::from_schema);
            values.extend(dictionary.map_or(Vec::new(), |dictionary| dictionary.values));
        }
    }
    let is_object = merged_schema.get("properties").is_some()
        || merged_schema.get("additionalProperties").is_some();
    if is_object {
        add_object_values(&schemas, merged_schema, base, &mut values);
    }
    omitted_count += values.omitted_count();
    large_count += values.large_count();
    ProbeValues {
        list: values.into_list(),
        omitted_count,
        large_count,
    }
}

/// Returns the values that only one of two enums has.
fn values_of_one_enum(difference: &Difference) -> Vec<Value> {
    let [old, new] = [&difference.old, &difference.new].map(|values| {
        let values = values.as_ref().and_then(Value::as_array);
        values.map(Vec::as_slice).unwrap_or_default()
    });
    let [old_keys, new_keys] = [old, new].map(|values| {
        let keys = values.iter().map(Value::to_string);
        keys.collect::<HashSet<_>>()
    });
    let only_old = old
        .iter()
        .filter(|value| !new_keys.contains(&value.to_string()));
    let only_new = new
        .iter()
        .filter(|value| !old_keys.contains(&value.to_string()));
    only_old.chain(only_new).cloned().collect()
}

fn ancestors(path: &SchemaPath) -> Vec<SchemaPath> {
    let mut ancestors = Vec::new();
    let mut at = path.parent();
    while let Some(path) = at {
        at = path.parent();
        ancestors.push(path);
        if ancestors.len() >= 3 {
            break;
        }
    }
    ancestors
}

/// Returns objects without a name, with null, and with a value.
fn values_of_required(schema: &Value, name: &str, base: Option<&Value>) -> Vec<Value> {
    let small = base.cloned().unwrap_or_else(|| small_value(schema, 0));
    let filled = property_schema(schema, name).map(|schema| small_filled_value(schema, 0));
    [None, Some(Value::Null), filled, Some(json!("a"))]
        .into_iter()
        .filter_map(|value| {
            let mut fields = small.as_object()?.clone();
            match value {
                Some(value) => fields.insert(name.to_owned(), value),
                None => fields.remove(name),
            };
            Some(Value::Object(fields))
        })
        .collect()
}

/// Adds objects whose fields have edge values, one at a time, and combinations of fields.
fn add_object_values(
    schemas: &[&Value],
    merged: &Value,
    base: Option<&Value>,
    objects: &mut Values,
) {
    let base = base.cloned().unwrap_or_else(|| small_value(merged, 0));
    let Some(base) = base.as_object() else {
        return;
    };
    let dictionaries: Vec<SearchDictionary> = schemas
        .iter()
        .map(|schema| SearchDictionary::from_schema(schema))
        .collect();
    let is_mentioned = |name: &String| dictionaries.iter().any(|it| it.mentions(name));
    let mut names: Vec<String> = schemas.iter().flat_map(|schema| names_of(schema)).collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names.sort_by_key(|name| !is_mentioned(name));
    let with_field = |name: &str, value: Option<&Value>| {
        let mut fields = base.clone();
        match value {
            Some(value) => fields.insert(name.to_owned(), value.clone()),
            None => fields.remove(name),
        };
        Some(Value::Object(fields))
    };
    let mut columns: Vec<Column> = Vec::new();
    for name in names.into_iter().take(12) {
        let values = field_values(&name, schemas, merged, &dictionaries);
        for value in &values {
            objects.add_with(|| with_field(&name, Some(value)));
        }
        if base.contains_key(&name) {
            objects.add_with(|| with_field(&name, None));
        }
        if columns.len() < COMBINED_FIELDS {
            let mut column = vec![None];
            column.extend(values.into_iter().take(3).map(Some));
            columns.push((name, column));
        }
    }
    for number in 0..combination_count(&columns).min(COMBINATIONS) {
        objects.add_with(|| Some(combination(base, &columns, number)));
    }
}

/// A field with the values that are combined with the values of other fields.
type Column = (String, Vec<Option<Value>>);

fn combination_count(columns: &[Column]) -> usize {
    columns.iter().map(|(_, values)| values.len()).product()
}

/// Returns a combination of the values of fields. The values of the first field change with each
/// number.
fn combination(base: &serde_json::Map<String, Value>, columns: &[Column], number: usize) -> Value {
    let mut fields = base.clone();
    let mut rest = number;
    for (name, values) in columns {
        let value = values.get(rest % values.len()).and_then(Option::as_ref);
        rest /= values.len();
        match value {
            Some(value) => fields.insert(name.clone(), value.clone()),
            None => fields.remove(name),
        };
    }
    Value::Object(fields)
}

/// Returns values of a field: of its schemas, and of the combinators and rules around it.
fn field_values(
    name: &str,
    schemas: &[&Value],
    merged: &Value,
    dictionaries: &[SearchDictionary],
) -> Vec<Value> {
    let own: Vec<&Value> = schemas
        .iter()
        .filter_map(|schema| property_schema(schema, name))
        .collect();
    let mut in_branches: Vec<Value> = Vec::new();
    let own_schema = property_schema(merged, name);
    for schema in schemas {
        add_branches_of(schema, name, own_schema, &mut in_branches, 0);
    }
    let mut values: Vec<Value> = own
        .iter()
        .map(|schema| small_filled_value(schema, 0))
        .collect();
    let mentioned = dictionaries
        .iter()
        .flat_map(|dictionary| dictionary.values.iter().cloned());
    values.extend(mentioned.take(FIELD_VALUES));
    for edges in [edge_values(&in_branches), edge_values(own.iter().copied())] {
        values.extend(edges.into_list().into_iter().take(FIELD_VALUES));
    }
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.to_string()));
    values.truncate(2 * FIELD_VALUES);
    values
}

/// Adds the schemas of a field inside the combinators of a schema.
fn add_branches_of(
    schema: &Value,
    name: &str,
    own: Option<&Value>,
    list: &mut Vec<Value>,
    level: usize,
) {
    for branch in branches(schema) {
        if let Some(inner) = branch.get("properties").and_then(|fields| fields.get(name)) {
            list.push(own.map_or_else(|| inner.clone(), |own| with_type_of(own, inner)));
        }
        if level < 3 {
            add_branches_of(branch, name, own, list, level + 1);
        }
    }
}
