//! The small worlds: every small state of a union. The discriminator is absent, null, a known
//! value, or an unknown value; each member is absent, null, or set.

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
    let start = vec![Object::new()];
    specs
        .iter()
        .fold(start, |objects, spec| product(&objects, &states(spec)))
}

fn states(spec: &UnionSpec<'_>) -> Vec<Object> {
    let mut objects = vec![Object::new()];
    if let Some(discriminator) = spec.discriminator() {
        let mut forms = vec![json!("nobody"), Value::Null, json!("")];
        // A discriminator of type `String` has no list of values, so the values of the members are
        // added.
        let members = spec.members().map(MemberSpec::value);
        let values: Vec<&str> = discriminator.values().iter().chain(members).collect();
        for value in values {
            if !forms.contains(&json!(value)) {
                forms.push(json!(value));
            }
        }
        objects = product(&objects, &field(discriminator.name(), &forms));
    }
    spec.members().fold(objects, |objects, member| {
        product(&objects, &field(member.name(), &[json!(1), Value::Null]))
    })
}

/// Returns an object without the field, and an object with the field for each of the given values.
fn field(name: &str, forms: &[Value]) -> Vec<Object> {
    let with = |form: &Value| Object::from_iter([(name.to_owned(), form.clone())]);
    let without = [Object::new()].into_iter();
    without.chain(forms.iter().map(with)).collect()
}

/// Combines the fields of each object on the left with the fields of each object on the right.
fn product(left: &[Object], right: &[Object]) -> Vec<Object> {
    let both =
        |one: &Object, other: &Object| one.clone().into_iter().chain(other.clone()).collect();
    left.iter()
        .flat_map(|one| right.iter().map(move |other| both(one, other)))
        .collect()
}
