//! Every small object that an enum may be asked to read.

use serde_json::{Map, Value, json};
use union_runtime::UnionEnum;

pub(crate) type Object = Map<String, Value>;

/// The discriminator absent, null, each value, unknown, empty and no text; each member absent, null and set to two values;
/// with and without a field that nobody knows.
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

/// Each object without this field, and with each of its forms.
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
