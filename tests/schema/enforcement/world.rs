//! The small world of a type: objects with every small state of its unions. In these states, the
//! discriminator is absent, null, a known value, or an unknown value; each member is absent, null,
//! or set.

use serde_json::{Map, Value, json};
use union_runtime::spec::{MemberSpec, UnionSpec, UnionType};

pub(crate) type Object = Map<String, Value>;

/// Returns the unions of a type, including unions of flattened structs.
pub(crate) fn specs<T: UnionType>() -> Vec<&'static UnionSpec<'static>> {
    let mut specs = Vec::new();
    T::visit_unions(&mut |spec| specs.push(spec));
    specs
}

/// Returns every combination of the small states of some unions in one object.
pub(crate) fn objects(specs: &[&UnionSpec<'_>]) -> Vec<Object> {
    let empty_object = vec![Object::new()];
    specs.iter().fold(empty_object, |objects, spec| {
        product(&objects, &union_states(spec))
    })
}

fn union_states(spec: &UnionSpec<'_>) -> Vec<Object> {
    let mut objects = vec![Object::new()];
    if let Some(discriminator) = spec.discriminator() {
        let mut values = vec![json!("nobody"), Value::Null, json!("")];
        // A discriminator of type `String` has no list of values, so the values of the members are
        // added.
        let member_values = spec.members().map(MemberSpec::value);
        for value in discriminator.values().iter().chain(member_values) {
            if !values.contains(&json!(value)) {
                values.push(json!(value));
            }
        }
        objects = product(&objects, &field_states(discriminator.name(), &values));
    }
    spec.members().fold(objects, |objects, member| {
        product(
            &objects,
            &field_states(member.name(), &[json!(1), Value::Null]),
        )
    })
}

/// Returns an object without the field, and an object with the field for each of the given values.
fn field_states(name: &str, values: &[Value]) -> Vec<Object> {
    let with_value = |value: &Value| Object::from_iter([(name.to_owned(), value.clone())]);
    let without_field = [Object::new()].into_iter();
    without_field.chain(values.iter().map(with_value)).collect()
}

/// Combines the fields of each object on the left with the fields of each object on the right.
fn product(left: &[Object], right: &[Object]) -> Vec<Object> {
    let merged = |left_object: &Object, right_object: &Object| {
        left_object
            .clone()
            .into_iter()
            .chain(right_object.clone())
            .collect()
    };
    left.iter()
        .flat_map(|left_object| {
            right
                .iter()
                .map(move |right_object| merged(left_object, right_object))
        })
        .collect()
}
