//! What an update must become, computed on JSON alone by the words of KEP-1027 and of the issue.

use serde_json::{Map, Value};

/// The fields that this build knows, and the value that selects each.
const MEMBERS: [(&str, &str); 2] = [("alpha", "Alpha"), ("beta", "Beta")];

/// The object after normalizing, and the names that it lost, known members first.
pub(crate) fn normalized(
    old: &Value,
    new: &Value,
    values: &[&str],
    fields: &[&str],
) -> (Value, Vec<String>) {
    let mut object: Map<String, Value> = new.as_object().expect("an object").clone();
    let text = |object: &Value| {
        object
            .get("kind")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let mut lost = Vec::new();
    if let Some(kind) = text(new)
        && text(old).as_ref() != Some(&kind)
        && values.contains(&kind.as_str())
    {
        for (member, value) in MEMBERS {
            if value != kind && object.remove(member).is_some() {
                lost.push(member.to_owned());
            }
        }
        let was = text(old).filter(|was| !values.contains(&was.as_str()));
        let names: Vec<String> = object.keys().cloned().collect();
        for name in names {
            let is_known = fields.contains(&name.as_str());
            if !is_known
                && was
                    .as_ref()
                    .is_some_and(|was| name.eq_ignore_ascii_case(was))
            {
                object.remove(&name);
                lost.push(name);
            }
        }
    }
    (object.into(), lost)
}
