//! The questions about the fields of a type.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use k8s_builtin_unions::{BuiltinMember, BuiltinUnion};
use serde_json::Value;

use crate::cluster::{Cluster, Fallible};
use crate::errors::{Error, Errors};
use crate::place::{self, Place};
use crate::repair::Kept;
use crate::types::{Field, Form, Types};
use crate::{made_value, repair, rows};

/// The number of types that are asked about at a time.
const PARALLEL: usize = 8;

/// Types that are not a part of the schema of one kind.
const SKIPPED: [&str; 2] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
];

/// Asks about all types, and returns the answers.
pub(crate) async fn run(cluster: &Cluster, types: &Types) -> Fallible<Vec<TypeAnswers>> {
    let places = place::of_all_types(types).into_iter();
    let places = places.filter(|place| !SKIPPED.contains(&place.definition.as_str()));
    stream::iter(places)
        .map(|place| async move { ask(cluster, types, place).await })
        .buffered(PARALLEL)
        .try_collect()
        .await
}

/// The answers about the fields of a type.
pub(crate) struct TypeAnswers {
    pub(crate) place: Place,
    /// The errors of the object with only its required fields.
    pub(crate) none: Errors,
    pub(crate) choices: Vec<Choice>,
    pub(crate) pairs: Vec<Pair>,
    /// The answers about the rows of the type, in the order of the table.
    pub(crate) rows: Vec<RowAnswers>,
}

/// The answers about the fields of a row.
pub(crate) struct RowAnswers {
    /// The errors of the object without the members and without the discriminator.
    pub(crate) without_fields: Errors,
    /// Objects with an empty member, beside another field that excludes the member.
    pub(crate) empty_members: Vec<EmptyMember>,
}

/// An object with an empty member, beside another field that excludes the member.
pub(crate) struct EmptyMember {
    pub(crate) field: &'static str,
    /// The index of the other field in the choices.
    pub(crate) other: usize,
    pub(crate) errors: Errors,
}

/// Two fields with values, by their indexes in the choices.
pub(crate) struct Pair {
    pub(crate) indexes: [usize; 2],
    /// The errors of the object with both fields.
    pub(crate) errors: Errors,
    /// The errors that the object with only one of the fields does not have.
    pub(crate) new_errors: Vec<Error>,
}

/// A field with one of its values.
pub(crate) struct Choice {
    pub(crate) field: String,
    pub(crate) value: Value,
    /// The errors of the object with only this field.
    pub(crate) errors: Errors,
}

/// The fields of each object of a kind.
const OF_ALL_KINDS: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// Returns the errors of an object with a value for a field of the place.
async fn errors_with(
    cluster: &Cluster,
    place: &Place,
    base: &Value,
    field: &str,
    value: &Value,
) -> Fallible<Errors> {
    let mut object = base.clone();
    place.value_in(&mut object)[field] = value.clone();
    repair::send(cluster, &place.kind, &object).await
}

/// Returns a value for a field of the place, repaired as far as possible, with its errors.
async fn choose(
    cluster: &Cluster,
    types: &Types,
    place: &Place,
    base: &Value,
    field: &Field,
    member: &str,
    value: Value,
) -> Fallible<Choice> {
    let mut variants = vec![value];
    let errors = errors_with(cluster, place, base, &field.name, &variants[0]).await?;
    if let Form::Object(definition) = &field.form
        && errors.iter().any(|error| error.field == member)
    {
        variants.extend(made_value::objects_with_one_field(types, definition));
    }
    let mut best: Option<Choice> = None;
    for variant in variants {
        let mut object = base.clone();
        place.value_in(&mut object)[&field.name] = variant.clone();
        repair::repair(cluster, &place.kind, &mut object, member, Kept::Outside).await?;
        let mut value = place.value_in(&mut object)[&field.name].take();
        if value.is_null() {
            value = variant;
        }
        // The repair may have changed the rest of the object, which must be the same in a pair.
        let errors = errors_with(cluster, place, base, &field.name, &value).await?;
        if best
            .as_ref()
            .is_none_or(|best| errors.len() < best.errors.len())
        {
            best = Some(Choice {
                field: field.name.clone(),
                value,
                errors,
            });
        }
    }
    best.ok_or_else(|| "no value".into())
}

async fn ask(cluster: &Cluster, types: &Types, place: Place) -> Fallible<TypeAnswers> {
    let mut fields = types.fields(&place.definition);
    // The required fields come first, because a discriminator among them changes the base.
    fields.sort_by_key(|field| !field.is_required);
    let path = place.path();
    let mut base = place.object(types);
    let mut none =
        repair::repair(cluster, &place.kind, &mut base, &path, Kept::DirectFields).await?;
    let mut choices = Vec::new();
    for field in fields {
        if place.steps.is_empty() && OF_ALL_KINDS.contains(&&*field.name) {
            continue;
        }
        let member = if path.is_empty() {
            field.name.clone()
        } else {
            format!("{path}.{}", field.name)
        };
        let mut values = made_value::values(types, &field);
        if matches!(field.form, Form::Scalar(_)) {
            let errors = errors_with(cluster, &place, &base, &field.name, &values[0]).await?;
            let error = errors.iter().find(|error| error.field == member);
            let supported: Vec<Value> = error
                .into_iter()
                .flat_map(Error::supported_values)
                .map(Value::from)
                .collect();
            if !supported.is_empty() {
                values = supported;
            }
            let in_rows = rows::discriminator_values(&place.name, &field.name);
            if values.len() < in_rows.len() {
                values = in_rows;
            }
            // A required scalar with one value has no alternative.
            if field.is_required && values.len() == 1 {
                continue;
            }
            if field.is_required && none.iter().any(|error| error.field == member) {
                place.value_in(&mut base)[&field.name] = values[0].clone();
                none = repair::send(cluster, &place.kind, &base).await?;
            }
        } else if field.is_required {
            continue;
        }
        for value in values {
            choices.push(choose(cluster, types, &place, &base, &field, &member, value).await?);
        }
    }
    let mut pairs = Vec::new();
    for (i, one) in choices.iter().enumerate() {
        for (j, other) in choices.iter().enumerate().skip(i + 1) {
            if one.field == other.field {
                continue;
            }
            let mut object = base.clone();
            let value = place.value_in(&mut object);
            value[&one.field] = one.value.clone();
            value[&other.field] = other.value.clone();
            let errors = repair::send(cluster, &place.kind, &object).await?;
            let is_new =
                |error: &&Error| !one.errors.contains(*error) && !other.errors.contains(*error);
            let new_errors = errors.iter().filter(is_new).cloned().collect();
            pairs.push(Pair {
                indexes: [i, j],
                errors,
                new_errors,
            });
        }
    }
    let mut answers = TypeAnswers {
        place,
        none,
        choices,
        pairs,
        rows: Vec::new(),
    };
    for union in rows::unions_at(&answers.place.name) {
        let row = ask_about_row(cluster, &answers, &base, union).await?;
        answers.rows.push(row);
    }
    Ok(answers)
}

async fn ask_about_row(
    cluster: &Cluster,
    answers: &TypeAnswers,
    base: &Value,
    union: BuiltinUnion,
) -> Fallible<RowAnswers> {
    let place = &answers.place;
    let mut object = base.clone();
    if let Value::Object(fields) = place.value_in(&mut object) {
        let members = union.members().map(BuiltinMember::field);
        for field in members.chain(union.discriminator()) {
            fields.remove(field);
        }
    }
    let without_fields = repair::send(cluster, &place.kind, &object).await?;
    let mut empty_members = Vec::new();
    for member in union.members() {
        let choices = || answers.choices.iter();
        let value = choices().find(|choice| choice.field == member.field());
        let Some(empty) = value.and_then(|choice| empty_value(&choice.value)) else {
            continue;
        };
        let Some(other) = rows::excluding_choice(union, member, answers) else {
            continue;
        };
        let mut object = object.clone();
        let value = place.value_in(&mut object);
        let other_choice = &answers.choices[other];
        value[&other_choice.field] = other_choice.value.clone();
        value[member.field()] = empty;
        empty_members.push(EmptyMember {
            field: member.field(),
            other,
            errors: repair::send(cluster, &place.kind, &object).await?,
        });
    }
    Ok(RowAnswers {
        without_fields,
        empty_members,
    })
}

/// Returns the empty value of the same JSON type; `None` for an object.
fn empty_value(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(false.into()),
        Value::Number(_) => Some(0.into()),
        Value::String(_) => Some("".into()),
        Value::Array(_) => Some(Value::Array(Vec::new())),
        Value::Null | Value::Object(_) => None,
    }
}
