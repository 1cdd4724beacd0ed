//! Specs of a `Thing` with one union each, in all its small states: every value of its
//! discriminator, an absent and an unknown value, and every member set and unset.
//!
//! The two unions in one struct (`several`) are tested by random objects only: there are 40,000
//! pairs of their states.

use serde_json::{Map, Value, json};

/// The parts of a union: the field of the spec that has the union, the values of the discriminator,
/// the members, and a flag that is true if the struct also has the field `note`.
struct Small {
    field: &'static str,
    values: &'static [&'static str],
    members: Vec<(&'static str, Value)>,
    has_note: bool,
}

/// Returns the specs of each union. The field `note` beside the union is there so that an update
/// can change the struct without a change of the union.
pub(crate) fn worlds() -> Vec<Vec<Value>> {
    let kinds: &[&str] = &["Alpha", "Beta", "None", "nobody"];
    let small = |field, values, members: &[(&'static str, Value)]| Small {
        field,
        values,
        members: members.to_vec(),
        has_note: false,
    };
    let (alpha, beta) = (("alpha", json!(1)), ("beta", json!(1)));
    let object = |name| (name, json!({}));
    let numbers = [alpha.clone(), beta];
    let unions = [
        Small {
            has_note: true,
            ..small("required", kinds, &[alpha.clone(), object("beta")])
        },
        small("optional", kinds, &[alpha.clone(), object("beta")]),
        small("orEmpty", &["Alpha", "Beta", "", "nobody"], &numbers),
        small("defaulted", kinds, &numbers),
        small("deduced", kinds, &numbers),
        small(
            "atMostOne",
            &[],
            &[("exec", json!(1)), ("http", json!(1)), object("tcp")],
        ),
        Small {
            has_note: true,
            ..small(
                "exactlyOne",
                &[],
                &[("literal", json!("x")), object("reference")],
            )
        },
        small("asEnum", kinds, &[alpha, object("beta")]),
        small(
            "asExactlyOne",
            &[],
            &[("literal", json!("x")), object("reference")],
        ),
        small("asAtMostOne", &[], &[("exec", json!(1)), object("tcp")]),
    ];
    unions.iter().map(Small::specs).collect()
}

/// Returns the spec with another `note`, if its struct has that field.
pub(crate) fn edited(spec: &Value) -> Value {
    let mut spec = spec.clone();
    for note in spec.as_object_mut().into_iter().flatten() {
        if let Some(note) = note.1.get_mut("note") {
            *note = "edited".into();
        }
    }
    spec
}

impl Small {
    fn specs(&self) -> Vec<Value> {
        let mut unions = vec![Map::new()];
        if self.has_note {
            unions[0].insert("note".to_owned(), "as it was".into());
        }
        let with = |unions: Vec<Map<String, Value>>, name: &str, values: &[Value]| {
            let more: Vec<_> = unions
                .iter()
                .flat_map(|union| {
                    values.iter().map(move |value| {
                        let mut union = union.clone();
                        union.insert(name.to_owned(), value.clone());
                        union
                    })
                })
                .collect();
            [unions, more].concat()
        };
        let values: Vec<Value> = self.values.iter().map(|value| json!(value)).collect();
        unions = with(unions, "type", &values);
        for (name, value) in &self.members {
            unions = with(unions, name, std::slice::from_ref(value));
        }
        let specs = unions.into_iter().map(|union| json!({ self.field: union }));
        specs.collect()
    }
}
