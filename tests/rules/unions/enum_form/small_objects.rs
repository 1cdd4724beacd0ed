//! All small objects that an enum may have to deserialize.

use serde_json::{Map, Value, json};
use union_runtime::UnionEnum;

pub(crate) type Object = Map<String, Value>;

/// Returns every combination of these field states:
///
/// - The discriminator is absent, null, each known value, an unknown value, empty or a number.
/// - Each member is absent, null, or one of two values.
/// - A field that no type knows is present or absent.
pub(crate) fn objects<T: UnionEnum>() -> Vec<Object> {
    let union = &T::unions()[0];
    let mut objects = vec![Object::new()];
    if let Some(discriminator) = union.discriminator() {
        let mut discriminator_forms = vec![Value::Null, json!(""), json!("Tape"), json!(5)];
        let values = discriminator.values().iter().map(|value| json!(value));
        discriminator_forms.extend(values.filter(|value| value != ""));
        objects = with_field(&objects, discriminator.name(), &discriminator_forms);
    }
    let member_forms = [Value::Null, json!({}), json!({"a": 1})];
    for name in union.members().map(union_runtime::MemberSpec::name) {
        objects = with_field(&objects, name, &member_forms);
    }
    with_field(&objects, "tape", &[json!(1)])
}

/// Returns each object without the field, and with each value in `values`.
fn with_field(objects: &[Object], name: &str, values: &[Value]) -> Vec<Object> {
    let insert = |object: &Object, value: &Value| {
        let mut object = object.clone();
        object.insert(name.to_owned(), value.clone());
        object
    };
    objects
        .iter()
        .flat_map(|object| {
            let values = values.iter().map(move |value| insert(object, value));
            std::iter::once(object.clone()).chain(values)
        })
        .collect()
}
