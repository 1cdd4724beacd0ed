//! Tests of reading back: the reader of foreign CRDs reads the CEL rules or the `oneOf` of a
//! derived union as the same union.

use crd_unions::ObjectAnalysis;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_runtime::schema_for;
use union_runtime::spec::{MemberSpec, UnionModel, UnionSpec, UnionType};

use crate::enforcement::enums;
use crate::enforcement::types::{self, Visit};
use crate::enforcement::world::specs;

#[derive(Default)]
struct ReadBack {
    union_count: usize,
    mismatches: Vec<String>,
}

/// Returns a declared union in the JSON format of [`ObjectAnalysis`].
fn declared_union(spec: &UnionSpec<'_>) -> Value {
    let arity = match spec.model() {
        UnionModel::Discriminated => "selected",
        UnionModel::ExactlyOne => "exactly one",
        _ => "at most one",
    };
    let Some(discriminator) = spec.discriminator() else {
        let names: Vec<&str> = sorted_members(spec)
            .into_iter()
            .map(MemberSpec::name)
            .collect();
        return json!({"arity": arity, "discriminator": null, "members": names});
    };
    let members = sorted_members(spec).into_iter().map(|member| {
        let optional = member.is_optional() || spec.model() != UnionModel::Discriminated;
        json!({"name": member.name(), "value": member.value(), "optional": optional})
    });
    json!({
        "arity": arity,
        "discriminator": discriminator.name(),
        "members": members.collect::<Vec<_>>(),
    })
}

fn sorted_members<'a>(spec: &UnionSpec<'a>) -> Vec<MemberSpec<'a>> {
    let mut members: Vec<MemberSpec<'a>> = spec.members().collect();
    members.sort_by_key(|member| member.name());
    members
}

/// Returns the unions of an analysis as JSON, without the keys that a declaration does not have.
fn read_unions(reading: &ObjectAnalysis) -> Vec<Value> {
    let unions = reading.unions.iter().map(|union| {
        let mut json = json!(union);
        if let Some(object) = json.as_object_mut() {
            object.retain(|key, _| matches!(&**key, "arity" | "discriminator" | "members"));
            if let Some(members) = object["members"].as_array_mut() {
                members.sort_by_key(|member| member["name"].to_string());
            }
        }
        json
    });
    let mut unions: Vec<Value> = unions.collect();
    unions.sort_by_key(Value::to_string);
    unions
}

impl Visit for ReadBack {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str) {
        // Rules for `same_reason` depend on the old object. They also accept objects that the union
        // does not allow, so no union can be read from them.
        if matches!(enforce, "none" | "same_reason") {
            return;
        }
        let schema = schema_for::<T>().to_value();
        let reading = crd_unions::analyze_object(&schema);
        let mut expected: Vec<Value> = specs::<T>().into_iter().map(declared_union).collect();
        expected.sort_by_key(Value::to_string);
        let actual = read_unions(&reading);
        self.union_count += expected.len();
        let is_exact = reading.unions.iter().all(|union| union.exact);
        if expected != actual || !is_exact || !reading.findings.is_empty() {
            self.mismatches.push(format!(
                "{name} {enforce}\n  wanted {}\n  got    {}\n  {}\n  {schema}",
                json!(expected),
                json!(actual),
                json!(reading)
            ));
        }
    }
}

#[test]
fn rules_of_derived_unions_read_back_as_the_same_unions() {
    let mut read_back = ReadBack::default();
    types::visit_all(&mut read_back);
    enums::visit_all(&mut read_back);
    println!("{} unions", read_back.union_count);
    assert!(
        read_back.mismatches.is_empty(),
        "{}",
        read_back.mismatches.join("\n")
    );
}
