//! Makes the rules of an object true.

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::edges::placement::with_value_at;
use crate::edges::satisfying_values;
use crate::sample::schema::schema_at;
use crate::sample::search::{SampleError, score};

/// The maximum number of values of an object whose rules are made true, one after the other.
const VALUES: usize = 4;

/// The maximum number of values around an error whose rules may report the error.
const LEVELS: usize = 4;

/// Returns a change of an object with fewer errors, or else the object: as long as a rule reports
/// an error, the value with the rule is replaced by a value for which the rule is true.
pub(super) fn with_satisfied_rules<E: SampleError>(
    mut object: Value,
    schema: &Value,
    validate: &mut impl FnMut(&Value) -> Vec<E>,
) -> Value {
    let mut errors = validate(&object);
    for _ in 0..VALUES {
        let mut best: Option<(Value, Vec<E>)> = None;
        for changed in changed_objects(&object, schema, &errors) {
            let changed_errors = validate(&changed);
            let best_errors = best.as_ref().map_or(&errors, |(_, errors)| errors);
            let is_better = score(&changed_errors) < score(best_errors);
            if is_better {
                best = Some((changed, changed_errors));
            }
        }
        match best {
            Some(best) => (object, errors) = best,
            None => break,
        }
    }
    object
}

/// Returns the object with other values around the first error, for which a rule of the value is
/// true.
fn changed_objects<E: SampleError>(object: &Value, schema: &Value, errors: &[E]) -> Vec<Value> {
    let error = errors.iter().find(|error| !error.is_rules_not_checked());
    let mut path = error.map(|error| error.path().clone());
    let mut objects = Vec::new();
    for _ in 0..LEVELS {
        let Some(at) = path else { break };
        objects.extend(changed_at(object, schema, &at));
        path = at.parent();
    }
    objects
}

fn changed_at(object: &Value, schema: &Value, path: &FieldPath) -> Vec<Value> {
    let value = path.find(object);
    let value_schema = path.steps().try_fold(schema, schema_at);
    let Some((value, value_schema)) = value.zip(value_schema) else {
        return Vec::new();
    };
    let values = satisfying_values(value_schema, value).into_iter();
    let objects = values.filter_map(|value| with_value_at(object, schema, path, Some(&value)));
    objects.collect()
}
