//! The unions of an object that attributes can express, and the rules that the derive replaces.

use std::collections::BTreeSet;

use crd_unions::{Confidence, Finding, ObjectAnalysis, Rule, Union, UnionModel};
use serde_json::Value;

use crate::build::keywords::string_enum_values;

/// The keywords that may declare a union.
const UNION_KEYWORDS: [&str; 7] = [
    "allOf",
    "anyOf",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "x-kubernetes-validations",
];

/// The keyword of CEL rules.
const RULES: &str = "x-kubernetes-validations";

/// The unions of an object.
#[derive(Debug, Default)]
pub(crate) struct ObjectUnions {
    pub(crate) unions: Vec<Union>,
    /// The indices of the CEL rules that the derive generates.
    replaced_rules: BTreeSet<usize>,
    /// The keywords that the derive generates.
    replaced_keywords: BTreeSet<&'static str>,
    /// Comments, each with the name of its field.
    pub(crate) comments: Vec<(String, String)>,
}

impl ObjectUnions {
    /// Infers the unions of an object schema.
    pub(crate) fn from_schema(schema: &Value) -> Self {
        if !UNION_KEYWORDS
            .iter()
            .any(|keyword| schema.get(keyword).is_some())
        {
            return Self::default();
        }
        let analysis = crd_unions::analyze_object(schema);
        let mut object_unions = Self::default();
        let missing_rules = analysis
            .findings
            .iter()
            .filter(|finding| finding.confidence == Confidence::Strong);
        object_unions
            .comments
            .extend(missing_rules.filter_map(missing_rule_comment));
        let mut union_fields = BTreeSet::new();
        for union in &analysis.unions {
            let discriminator_name = union
                .discriminator
                .as_ref()
                .map(|discriminator| &discriminator.name);
            let mut member_names = union.members.iter().map(|member| &member.name);
            if let Some(reason) = plain_fields_reason(union, schema) {
                let field = discriminator_name.or_else(|| member_names.next());
                let comment = format!("{} {reason}.", quoted_members(union));
                let comment = field.map(|field| (field.clone(), comment));
                object_unions.comments.extend(comment);
                continue;
            }
            let fields: Vec<&String> = member_names.chain(discriminator_name).collect();
            // A field belongs to at most one union.
            if fields.iter().all(|field| !union_fields.contains(*field)) {
                union_fields.extend(fields.into_iter().cloned());
                object_unions.unions.push(union.clone());
            }
        }
        object_unions.collect_replaced_rules(&analysis);
        object_unions
    }

    /// Collects the rules and keywords that the unions express completely. A rule that is kept may
    /// repeat a union, which does not change the validation.
    fn collect_replaced_rules(&mut self, analysis: &ObjectAnalysis) {
        let replaceable_rules: BTreeSet<usize> = self
            .unions
            .iter()
            .flat_map(|union| &union.replaceable_rules)
            .copied()
            .collect();
        let is_replaceable = |index: usize, rule: &Rule| {
            replaceable_rules.contains(&index) && rule.whole && rule.pointer.is_empty()
        };
        for (index, rule) in analysis.rules.iter().enumerate() {
            if is_replaceable(index, rule) {
                match (rule.keyword, rule.index) {
                    (RULES, Some(index)) => drop(self.replaced_rules.insert(index)),
                    // A branch of `allOf` may contain more than rules about fields.
                    (RULES | "allOf", _) => {}
                    (keyword, _) => drop(self.replaced_keywords.insert(keyword)),
                }
            }
        }
        // A rule with several conjuncts is replaced only if the unions express all of them.
        for (index, rule) in analysis.rules.iter().enumerate() {
            if !is_replaceable(index, rule) {
                match (rule.keyword, rule.index) {
                    (RULES, Some(index)) => drop(self.replaced_rules.remove(&index)),
                    (keyword, _) => drop(self.replaced_keywords.remove(keyword)),
                }
            }
        }
    }

    /// Returns the schema without the rules that the derive generates.
    pub(crate) fn remove_replaced_rules(&self, schema: &Value) -> Value {
        let mut schema = schema.clone();
        if let Some(object) = schema.as_object_mut() {
            object.retain(|name, _| !self.replaced_keywords.contains(&&**name));
        }
        if let Some(Value::Array(rules)) = schema.get_mut(RULES) {
            let mut index = 0;
            rules.retain(|_| {
                index += 1;
                !self.replaced_rules.contains(&(index - 1))
            });
        }
        schema
    }

    /// Returns the comments of a field.
    pub(crate) fn comments_of_field(&self, field: &str) -> impl Iterator<Item = &str> {
        let comments = self.comments.iter().filter(move |(name, _)| name == field);
        comments.map(|(_, comment)| &**comment)
    }
}

/// Returns the reason why the fields of a union remain plain fields; `None` if the union is
/// generated.
fn plain_fields_reason(union: &Union, schema: &Value) -> Option<String> {
    if !union.is_sound() {
        return Some(
            "stay plain fields, because the rules of their union treat empty values as unset"
                .to_owned(),
        );
    }
    if union.members.len() > 64 {
        return Some("stay plain fields, because their union has more than 64 members".to_owned());
    }
    if union.weak || union.members.len() < 2 && union.discriminator.is_none() {
        return Some("stay plain fields, because the rules do not fully define a union".to_owned());
    }
    let required: Vec<&str> = crate::schema::crd::strings_at(schema, "/required").collect();
    if let Some(member) = union
        .members
        .iter()
        .find(|member| required.contains(&&*member.name))
    {
        return Some(format!(
            "stay plain fields, because their union has the required field `{}`",
            member.name
        ));
    }
    let Some(discriminator) = &union.discriminator else {
        return None;
    };
    if union.arity == UnionModel::AtMostOne {
        return Some(format!(
            "stay plain fields with a rule: `{}` must match the member that is set",
            discriminator.name
        ));
    }
    let property = schema
        .get("properties")
        .and_then(|properties| properties.get(&discriminator.name));
    let values = property.and_then(string_enum_values);
    if property.is_some_and(|property| property.get("nullable") == Some(&Value::Bool(true))) {
        return Some(format!(
            "stay plain fields, because the discriminator `{}` of their union may be null",
            discriminator.name
        ));
    }
    if discriminator.open || values.is_none() {
        return Some(format!(
            "stay plain fields, because the discriminator `{}` of their union allows any string",
            discriminator.name
        ));
    }
    None
}

/// Returns the quoted names of the members, for comments.
fn quoted_members(union: &Union) -> String {
    let names: Vec<String> = union
        .members
        .iter()
        .map(|member| format!("`{}`", member.name))
        .collect();
    names.join(", ")
}

/// Returns the field that lacks a rule, and a comment with the remedy.
fn missing_rule_comment(finding: &Finding) -> Option<(String, String)> {
    let field = finding.fields.first()?.to_string();
    let value = finding.value.as_ref().map(|value| format!(" ({value:?})"));
    let value = value.unwrap_or_default();
    let (code, description, remedy) = (
        finding.code.as_str(),
        finding.code.description(),
        &finding.remedy,
    );
    Some((
        field,
        format!("A missing rule, {code}: {description}{value}. Remedy: {remedy}"),
    ))
}
