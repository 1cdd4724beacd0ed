//! All small objects that an enum may have to deserialize.

use serde_json::{Map, Value, json};
use union_runtime::UnionEnum;

pub(crate) type Object = Map<String, Value>;

/// Returns every combination of these fields: the discriminator absent, null, each value, unknown,
/// empty and not a string; each member absent, null and set to two values; a field that no type
/// knows, present and absent.
pub(crate) fn objects<T: UnionEnum>() -> Vec<Object> {
    let union = &T::unions()[0];
    let mut objects = vec![Object::new()];
    if let Some(discriminator) = union.discriminator() {
        let mut forms = vec![Value::Null, json!(""), json!("Tape"), json!(5)];
        let values = discriminator.values().iter().map(|value| json!(value));
        forms.extend(values.filter(|value| value != ""));
        objects = with_field(&objects, discriminator.name(), &forms);
    }
    let member = [Value::Null, json!({}), json!({"a": 1})];
    for name in union.members().map(union_runtime::MemberSpec::name) {
        objects = with_field(&objects, name, &member);
    }
    with_field(&objects, "tape", &[json!(1)])
}

/// Returns each object without the field, and with each value in `forms`.
fn with_field(objects: &[Object], name: &str, forms: &[Value]) -> Vec<Object> {
    let with = |object: &Object, form: &Value| {
        let mut object = object.clone();
        object.insert(name.to_owned(), form.clone());
        object
    };
    objects
        .iter()
        .flat_map(|object| {
            let forms = forms.iter().map(move |form| with(object, form));
            std::iter::once(object.clone()).chain(forms)
        })
        .collect()
}
