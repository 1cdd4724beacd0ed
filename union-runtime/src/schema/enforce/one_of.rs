//! Enforcement by `oneOf`: one branch for each thing that a valid union can say.
//!
//! Null counts as absent, as it does for validation, although a member that is an `Option` may be
//! null: a server judges null by `type` and `enum` alone, so `not: {}` takes absent and null and
//! refuses everything else.
//!
//! Properties stand under `allOf`: kube moves those right under a branch of `oneOf` into the
//! struct.

use serde_json::{Map, Value, json};

use super::described::Described;
use crate::union_spec::Arity;
use crate::union_spec::members::MemberSpec;

/// The branches of the `oneOf`; exactly one of them holds for a valid union, and none for another.
pub(super) fn branches(union: &Described<'_>) -> Vec<Value> {
    match (union.discriminator(), union.spec.arity()) {
        (Some(discriminator), Arity::Selected) => selected(union, discriminator),
        (Some(discriminator), _) => followed(union, discriminator),
        (None, arity) => {
            let mut branches = one_set(union, &Branch::default());
            if arity != Arity::ExactlyOne {
                branches.insert(0, Branch::default().unset(union, None).finish());
            }
            branches
        }
    }
}

/// The discriminator says which member is set.
fn selected(union: &Described<'_>, discriminator: &str) -> Vec<Value> {
    let is_absent = |value: &str| union.absent == Some(value);
    let mut branches = Vec::new();
    for member in &union.members {
        let mut branch = Branch::default();
        if !is_absent(member.value()) {
            branch = branch.required(discriminator);
        }
        branch = branch.property(discriminator, json!({ "enum": [member.value()] }));
        branch = branch.unset(union, Some(member));
        if !member.is_optional() {
            branch = branch.set(member.name());
        }
        branches.push(branch.finish());
    }
    let empty = union.empty_values();
    if !empty.is_empty() {
        let mut branch = Branch::default();
        if !empty.iter().any(|value| is_absent(value)) {
            branch = branch.required(discriminator);
        }
        branch = branch.property(discriminator, json!({ "enum": empty }));
        branches.push(branch.unset(union, None).finish());
    }
    if union.absent.is_none() {
        let absent = Branch::default().property(discriminator, unset());
        branches.push(absent.unset(union, None).finish());
    }
    branches
}

/// The members say what the discriminator is to be, if it says anything (the 2019 model).
fn followed(union: &Described<'_>, name: &str) -> Vec<Value> {
    let nothing = if union.takes_empty() {
        // An enum never takes null; twice `not` lets it pass.
        json!({ "not": { "not": { "enum": [""] } } })
    } else {
        unset()
    };
    let silent = Branch::default().property(name, nothing);
    let mut branches = vec![silent.clone().unset(union, None).finish()];
    branches.extend(one_set(union, &silent));
    let says = |form: Value| Branch::default().required(name).property(name, form);
    for member in &union.members {
        let branch = says(json!({ "enum": [member.value()] }));
        branches.push(branch.unset(union, Some(member)).finish());
    }
    let mut empty = union.empty_values();
    empty.retain(|value| !value.is_empty());
    if !empty.is_empty() {
        let branch = says(json!({ "enum": empty }));
        branches.push(branch.unset(union, None).finish());
    }
    if union.is_open() {
        let values = union.members.iter().map(|member| member.value());
        let known: Vec<&str> = values.chain([""]).collect();
        let branch = says(json!({ "not": { "enum": known } })).set(name);
        branches.push(branch.unset(union, None).finish());
    }
    branches
}

/// For each member the branch in which it alone is set.
fn one_set(union: &Described<'_>, start: &Branch) -> Vec<Value> {
    let members = union.members.iter();
    let branch =
        |member: &MemberSpec<'_>| start.clone().unset(union, Some(member)).set(member.name());
    members.map(|member| branch(member).finish()).collect()
}

/// Returns a schema that accepts absent and null.
fn unset() -> Value {
    json!({ "not": {} })
}

/// A branch, as it is put together.
#[derive(Clone, Default)]
struct Branch {
    required: Vec<String>,
    properties: Map<String, Value>,
    /// A property that is there and not null.
    set: Option<String>,
}

impl Branch {
    fn required(mut self, name: &str) -> Self {
        self.required.push(name.to_owned());
        self
    }

    fn property(mut self, name: &str, form: Value) -> Self {
        self.properties.insert(name.to_owned(), form);
        self
    }

    fn set(mut self, name: &str) -> Self {
        self.set = Some(name.to_owned());
        if self.required.iter().any(|required| required == name) {
            return self;
        }
        self.required(name)
    }

    /// Every member but this one is absent or null.
    fn unset(self, union: &Described<'_>, but: Option<&MemberSpec<'_>>) -> Self {
        let but = but.map(|member| member.name());
        let others = union.names().filter(|name| Some(*name) != but);
        others.fold(self, |branch, name| branch.property(name, unset()))
    }

    fn finish(mut self) -> Value {
        let mut branch = Map::new();
        // As kube sorts them, so that what it has seen is recognized.
        self.required.sort_unstable();
        if !self.required.is_empty() {
            branch.insert("required".into(), self.required.into());
        }
        if !self.properties.is_empty() {
            branch.insert("allOf".into(), json!([{ "properties": self.properties }]));
        }
        if let Some(name) = self.set {
            branch.insert("not".into(), json!({ "properties": { name: unset() } }));
        }
        branch.into()
    }
}
