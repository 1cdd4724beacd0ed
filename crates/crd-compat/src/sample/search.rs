//! Searches for a valid object: changes the object with the fewest errors until no error is left.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use k8s_crd_validation::{Violation, is_rules_not_checked};
use serde_json::{Map, Value};
use union_runtime::path::FieldPath;

use super::changes;
use super::dictionary::SearchDictionary;
use super::schema::{properties, property_schema};
use super::small_value::{small_filled_value, small_value};

/// The maximum number of objects that a search validates.
const MAX_VALIDATIONS: usize = 3000;

/// The maximum number of objects that are validated to add a field.
const MAX_VALIDATIONS_PER_FIELD: usize = 100;

/// The number of fields that a `spec` without required fields gets.
const MAX_ADDED_FIELDS: usize = 3;

/// The number of errors of an object whose changes are tried.
const MAX_ERRORS: usize = 4;

/// An error of an object, for a search.
pub trait SampleError: Clone {
    /// Returns the path of the invalid value.
    fn path(&self) -> &FieldPath;

    /// Returns true if the error only states that other errors stop the evaluation of CEL rules.
    fn is_rules_not_checked(&self) -> bool;
}

impl SampleError for Violation {
    fn path(&self) -> &FieldPath {
        self.path()
    }

    fn is_rules_not_checked(&self) -> bool {
        is_rules_not_checked(self)
    }
}

/// The result of a search.
#[derive(Debug)]
pub struct Found<E> {
    /// The object with the fewest errors.
    pub object: Value,
    /// The errors of the object.
    pub errors: Vec<E>,
}

/// The rank of an object, the best first: objects whose rules were evaluated, few errors, few
/// changes, and objects that were found early.
type Rank = Reverse<(bool, usize, usize, usize)>;

/// An object whose changes are tried.
struct Candidate<E> {
    object: Value,
    errors: Vec<E>,
    /// The number of changes since the first object.
    change_count: usize,
    /// The number of changes of this object that have been tried.
    tried_count: usize,
}

struct Search<'s, E, V> {
    schema: &'s Value,
    validate: &'s mut V,
    max_validations: usize,
    seen_objects: HashSet<String>,
    candidates: HashMap<usize, Candidate<E>>,
    queue: BinaryHeap<(Rank, usize)>,
    validation_count: usize,
}

/// Returns a valid object with a few fields, or the object with the fewest errors that the search
/// found. The search starts with `object`, and `validate` returns the errors of an object.
pub fn find_sample<E: SampleError>(
    object: Value,
    schema: &Value,
    mut validate: impl FnMut(&Value) -> Vec<E>,
) -> Found<E> {
    let mut found = search(object, schema, MAX_VALIDATIONS, &mut validate);
    if found.errors.is_empty() {
        found.object = without_needless_values(found.object, schema, &mut validate);
        found.object = with_fields_of_spec(found.object, schema, &mut validate);
    }
    found
}

/// Returns a valid object, or the object with the fewest errors. At most `max_validations` objects
/// are validated.
pub(crate) fn search<E: SampleError>(
    object: Value,
    schema: &Value,
    max_validations: usize,
    validate: &mut impl FnMut(&Value) -> Vec<E>,
) -> Found<E> {
    let errors = validate(&object);
    let mut search = Search {
        schema,
        validate,
        max_validations,
        seen_objects: HashSet::new(),
        candidates: HashMap::new(),
        queue: BinaryHeap::new(),
        validation_count: 0,
    };
    let mut best = Found {
        object: object.clone(),
        errors: errors.clone(),
    };
    search.add(Candidate {
        object,
        errors,
        change_count: 0,
        tried_count: 0,
    });
    while let Some(candidate) = search.next_candidate() {
        if score(&candidate.errors) < score(&best.errors) {
            best = Found {
                object: candidate.object.clone(),
                errors: candidate.errors.clone(),
            };
        }
        if best.errors.is_empty() || search.validation_count >= max_validations {
            break;
        }
        search.try_changes(candidate);
    }
    best
}

/// Removes the values without which the object is also valid.
pub(crate) fn without_needless_values<E: SampleError>(
    mut object: Value,
    schema: &Value,
    validate: &mut impl FnMut(&Value) -> Vec<E>,
) -> Value {
    let mut index = 0;
    while let Some(change) = changes::removals(&object, schema).get(index) {
        match change.apply(&object) {
            Some(smaller) if validate(&smaller).is_empty() => object = smaller,
            _ => index += 1,
        }
    }
    object
}

/// Adds a few fields to a `spec` without fields, because an object without any is not helpful.
/// Fields that rules mention come first, because they may be members of a union.
fn with_fields_of_spec<E: SampleError>(
    mut object: Value,
    schema: &Value,
    validate: &mut impl FnMut(&Value) -> Vec<E>,
) -> Value {
    let spec = object.get("spec").and_then(Value::as_object);
    let Some(spec_schema) = property_schema(schema, "spec") else {
        return object;
    };
    if spec.is_some_and(|fields| !fields.is_empty()) {
        return object;
    }
    let dictionary = SearchDictionary::from_schema(spec_schema);
    let names = properties(spec_schema)
        .into_iter()
        .flat_map(|fields| fields.keys());
    let (mut ordered_names, others): (Vec<_>, Vec<_>) =
        names.partition(|name| dictionary.mentions(name));
    ordered_names.extend(others);
    for name in ordered_names {
        let field_count = object.get("spec").and_then(Value::as_object);
        if field_count.map_or(0, Map::len) >= MAX_ADDED_FIELDS {
            break;
        }
        let Some(field_schema) = property_schema(spec_schema, name) else {
            continue;
        };
        let mut larger = object.clone();
        let Some(root_fields) = larger.as_object_mut() else {
            continue;
        };
        let spec = root_fields.entry("spec").or_insert(Value::Null);
        if !spec.is_object() {
            *spec = small_value(spec_schema, 0);
        }
        if let Some(fields) = spec.as_object_mut() {
            let field = fields.entry(name.clone());
            field.or_insert_with(|| small_filled_value(field_schema, 0));
        }
        let found = search(larger, schema, MAX_VALIDATIONS_PER_FIELD, validate);
        if found.errors.is_empty() && field_of_spec(&found.object, name).is_some() {
            object = found.object;
        }
    }
    object
}

fn field_of_spec<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    object.get("spec")?.get(name)
}

/// Returns a number that is lower for better objects. A server evaluates rules only if the object
/// has no other errors.
pub(crate) fn score<E: SampleError>(errors: &[E]) -> (bool, usize) {
    let is_blocked = errors.iter().any(SampleError::is_rules_not_checked);
    (is_blocked, errors.len())
}

impl<E: SampleError, V: FnMut(&Value) -> Vec<E>> Search<'_, E, V> {
    fn add(&mut self, candidate: Candidate<E>) {
        let (is_blocked, error_count) = score(&candidate.errors);
        let number = self.candidates.len();
        let rank = (is_blocked, error_count, candidate.change_count, number);
        self.queue.push((Reverse(rank), number));
        self.candidates.insert(number, candidate);
    }

    fn next_candidate(&mut self) -> Option<Candidate<E>> {
        let (_, number) = self.queue.pop()?;
        // The number stays in use, so that numbers are unique.
        let candidate = self.candidates.get_mut(&number)?;
        Some(Candidate {
            object: std::mem::take(&mut candidate.object),
            errors: std::mem::take(&mut candidate.errors),
            ..*candidate
        })
    }

    /// Tries the changes of an object until a change improves the object.
    fn try_changes(&mut self, candidate: Candidate<E>) {
        let errors = candidate.errors.iter();
        let errors = errors.filter(|error| !error.is_rules_not_checked());
        let changes = errors
            .take(MAX_ERRORS)
            .flat_map(|error| changes::changes(&candidate.object, self.schema, error.path()));
        for (index, change) in changes.enumerate().skip(candidate.tried_count) {
            let Some(object) = change.apply(&candidate.object) else {
                continue;
            };
            if !self.seen_objects.insert(object.to_string()) {
                continue;
            }
            self.validation_count += 1;
            let errors = (self.validate)(&object);
            let is_better = score(&errors) < score(&candidate.errors);
            self.add(Candidate {
                object,
                errors,
                change_count: candidate.change_count + 1,
                tried_count: 0,
            });
            if is_better {
                self.add(Candidate {
                    tried_count: index + 1,
                    ..candidate
                });
                return;
            }
            if self.validation_count >= self.max_validations {
                return;
            }
        }
    }
}
