//! Specs of a `Thing` with one union each, in all its small states: every value of its
//! discriminator, an absent and an unknown value, and every member set and unset.
//!
//! The two unions in one struct (`several`) are tested by random objects only: there are 40,000
//! pairs of their states.

use serde_json::{Map, Value, json};

/// The parts of a union: the field of the spec that has the union, the values of the discriminator,
/// the members, and a flag that is true if the struct also has the field `note`.
struct SmallUnion {
    field: &'static str,
    values: &'static [&'static str],
    members: Vec<(&'static str, Value)>,
    has_note: bool,
}

/// Returns the specs of each union. The field `note` beside the union is there so that an update
/// can change the struct without a change of the union.
pub(crate) fn all_specs() -> Vec<Vec<Value>> {
    let kinds: &[&str] = &["Alpha", "Beta", "None", "nobody"];
    let small_union = |field, values, members: &[(&'static str, Value)]| SmallUnion {
        field,
        values,
        members: members.to_vec(),
        has_note: false,
    };
    let (alpha, beta) = (("alpha", json!(1)), ("beta", json!(1)));
    let empty_object = |name| (name, json!({}));
    let numbers = [alpha.clone(), beta];
    let unions = [
        SmallUnion {
            has_note: true,
            ..small_union("required", kinds, &[alpha.clone(), empty_object("beta")])
        },
        small_union("optional", kinds, &[alpha.clone(), empty_object("beta")]),
        small_union("orEmpty", &["Alpha", "Beta", "", "nobody"], &numbers),
        small_union("defaulted", kinds, &numbers),
        small_union("deduced", kinds, &numbers),
        small_union(
            "atMostOne",
            &[],
            &[("exec", json!(1)), ("http", json!(1)), empty_object("tcp")],
        ),
        SmallUnion {
            has_note: true,
            ..small_union(
                "exactlyOne",
                &[],
                &[("literal", json!("x")), empty_object("reference")],
            )
        },
        small_union("asEnum", kinds, &[alpha, empty_object("beta")]),
        small_union(
            "asExactlyOne",
            &[],
            &[("literal", json!("x")), empty_object("reference")],
        ),
        small_union(
            "asAtMostOne",
            &[],
            &[("exec", json!(1)), empty_object("tcp")],
        ),
    ];
    unions.iter().map(SmallUnion::specs).collect()
}

/// Returns the spec with another `note`, if its struct has that field.
pub(crate) fn with_edited_note(spec: &Value) -> Value {
    let mut spec = spec.clone();
    for (_, union) in spec.as_object_mut().into_iter().flatten() {
        if let Some(note) = union.get_mut("note") {
            *note = "edited".into();
        }
    }
    spec
}

impl SmallUnion {
    /// Returns a spec for each state of the union.
    fn specs(&self) -> Vec<Value> {
        let mut unions = vec![Map::new()];
        if self.has_note {
            unions[0].insert("note".to_owned(), "as it was".into());
        }
        let with_optional_field =
            |unions: Vec<Map<String, Value>>, name: &str, values: &[Value]| {
                let unions_with_field: Vec<_> = unions
                    .iter()
                    .flat_map(|union| {
                        values.iter().map(move |value| {
                            let mut union = union.clone();
                            union.insert(name.to_owned(), value.clone());
                            union
                        })
                    })
                    .collect();
                [unions, unions_with_field].concat()
            };
        let values: Vec<Value> = self.values.iter().map(|value| json!(value)).collect();
        unions = with_optional_field(unions, "type", &values);
        for (name, value) in &self.members {
            unions = with_optional_field(unions, name, std::slice::from_ref(value));
        }
        let specs = unions.into_iter().map(|union| json!({ self.field: union }));
        specs.collect()
    }
}
