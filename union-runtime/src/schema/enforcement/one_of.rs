//! Enforcement by `oneOf`, with one branch for each valid state of a union.
//!
//! Null counts as absent, as in validation. An API server checks null only by `type` and `enum`,
//! even if a member is an `Option` and may be null. `not: {}` therefore accepts absent and null,
//! and rejects all other values.
//!
//! The `properties` of a branch are under `allOf`. Otherwise kube would move them from the branch
//! into the struct.

use serde_json::{Map, Value, json};

use super::rule_input::RuleInput;
use crate::union_spec::{MemberSpec, UnionModel};

/// Returns the branches of the `oneOf`. A valid union matches exactly one branch, and an invalid
/// union matches none.
pub(super) fn branches(union: &RuleInput<'_>) -> Vec<Value> {
    match (union.discriminator(), union.spec.model()) {
        (Some(name), UnionModel::Discriminated) => discriminated_branches(union, name),
        (Some(name), _) => deduced_branches(union, name),
        (None, model) => {
            let mut branches = single_member_branches(union, &Branch::default());
            if model != UnionModel::ExactlyOne {
                branches.insert(0, Branch::default().unset(union, None).finish());
            }
            branches
        }
    }
}

/// Returns the branches of a union whose discriminator selects the member.
fn discriminated_branches(union: &RuleInput<'_>, discriminator: &str) -> Vec<Value> {
    let is_default = |value: &str| union.default_value == Some(value);
    let mut branches = Vec::new();
    for member in &union.members {
        let mut branch = Branch::default();
        if !is_default(member.value()) {
            branch = branch.required(discriminator);
        }
        branch = branch.property(discriminator, json!({ "enum": [member.value()] }));
        branch = branch.unset(union, Some(member));
        if !member.is_optional() {
            branch = branch.set(member.name());
        }
        branches.push(branch.finish());
    }
    let memberless_values = union.memberless_values();
    if !memberless_values.is_empty() {
        let mut branch = Branch::default();
        if !memberless_values.iter().any(|value| is_default(value)) {
            branch = branch.required(discriminator);
        }
        branch = branch.property(discriminator, json!({ "enum": memberless_values }));
        branches.push(branch.unset(union, None).finish());
    }
    if union.default_value.is_none() {
        let branch = Branch::default().property(discriminator, unset());
        branches.push(branch.unset(union, None).finish());
    }
    branches
}

/// Returns the branches of a union whose discriminator, if it has a value, follows the members (the
/// 2019 model).
fn deduced_branches(union: &RuleInput<'_>, name: &str) -> Vec<Value> {
    let unset_or_empty = if union.allows_empty() {
        // An `enum` never accepts null, but a double `not` accepts null.
        json!({ "not": { "not": { "enum": [""] } } })
    } else {
        unset()
    };
    let undecided = Branch::default().property(name, unset_or_empty);
    let mut branches = vec![undecided.clone().unset(union, None).finish()];
    branches.extend(single_member_branches(union, &undecided));
    let with_value = |schema: Value| Branch::default().required(name).property(name, schema);
    for member in &union.members {
        let branch = with_value(json!({ "enum": [member.value()] }));
        branches.push(branch.unset(union, Some(member)).finish());
    }
    let mut memberless_values = union.memberless_values();
    memberless_values.retain(|value| !value.is_empty());
    if !memberless_values.is_empty() {
        let branch = with_value(json!({ "enum": memberless_values }));
        branches.push(branch.unset(union, None).finish());
    }
    if union.is_open() {
        let values = union.members.iter().map(|member| member.value());
        let known_values: Vec<&str> = values.chain([""]).collect();
        let branch = with_value(json!({ "not": { "enum": known_values } })).set(name);
        branches.push(branch.unset(union, None).finish());
    }
    branches
}

/// Returns a branch for each member, in which only this member is set. `base` has the requirements
/// of all branches.
fn single_member_branches(union: &RuleInput<'_>, base: &Branch) -> Vec<Value> {
    let branch = |member: &MemberSpec<'_>| {
        let branch = base.clone().unset(union, Some(member));
        branch.set(member.name()).finish()
    };
    union.members.iter().map(branch).collect()
}

/// Returns the schema of an unset property, which accepts absent and null.
fn unset() -> Value {
    json!({ "not": {} })
}

/// A branch under construction.
#[derive(Clone, Default)]
struct Branch {
    required: Vec<String>,
    properties: Map<String, Value>,
    /// The property that must be present and not null.
    set_property: Option<String>,
}

/// The methods except `finish` add a requirement to the branch.
impl Branch {
    fn required(mut self, name: &str) -> Self {
        self.required.push(name.to_owned());
        self
    }

    fn property(mut self, name: &str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }

    fn set(mut self, name: &str) -> Self {
        self.set_property = Some(name.to_owned());
        if self.required.iter().any(|required| required == name) {
            return self;
        }
        self.required(name)
    }

    /// Requires that every member except `except` is absent or null.
    fn unset(self, union: &RuleInput<'_>, except: Option<&MemberSpec<'_>>) -> Self {
        let exception = except.map(|member| member.name());
        let names = union.member_names().filter(|name| Some(*name) != exception);
        names.fold(self, |branch, name| branch.property(name, unset()))
    }

    fn finish(mut self) -> Value {
        let mut branch = Map::new();
        // kube sorts this list too, so a branch is the same before and after the conversion by
        // kube.
        self.required.sort_unstable();
        if !self.required.is_empty() {
            branch.insert("required".into(), self.required.into());
        }
        if !self.properties.is_empty() {
            branch.insert("allOf".into(), json!([{ "properties": self.properties }]));
        }
        if let Some(name) = self.set_property {
            branch.insert("not".into(), json!({ "properties": { name: unset() } }));
        }
        branch.into()
    }
}
