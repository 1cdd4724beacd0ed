//! Functions that add keywords to JSON schemas, and replace references.

use serde_json::{Map, Value, json};

/// The keyword with the CEL rules of an object.
const RULES: &str = "x-kubernetes-validations";

/// Adds the keywords that a schema does not have yet.
pub fn add_keywords(schema: &mut Map<String, Value>, keywords: Map<String, Value>) {
    for (keyword, value) in keywords {
        match value {
            Value::Array(rules) if keyword == RULES => {
                for rule in rules {
                    add_rule(schema, rule);
                }
            }
            one_of => add_one_of(schema, one_of),
        }
    }
}

/// Adds a rule, unless the schema already has a rule with the same expression.
fn add_rule(schema: &mut Map<String, Value>, rule: Value) {
    let rules = schema.entry(RULES).or_insert_with(|| json!([]));
    if let Value::Array(rules) = rules
        && !rules
            .iter()
            .any(|existing| existing.get("rule") == rule.get("rule"))
    {
        rules.push(rule);
    }
}

/// Adds a `oneOf`. A schema can have only one `oneOf`, so a second `oneOf` is added as a branch of
/// `allOf`, as schemars does for flattened fields.
fn add_one_of(schema: &mut Map<String, Value>, one_of: Value) {
    let Some(existing) = schema.get("oneOf") else {
        let all_of = schema.get("allOf").and_then(Value::as_array);
        let mut branches = all_of.into_iter().flatten();
        if !branches.any(|branch| branch["oneOf"] == one_of) {
            schema.insert("oneOf".into(), one_of);
        }
        return;
    };
    if *existing == one_of {
        return;
    }
    let all_of = schema.entry("allOf").or_insert_with(|| json!([]));
    let branch = json!({ "oneOf": one_of });
    if let Value::Array(all_of) = all_of
        && !all_of.contains(&branch)
    {
        all_of.push(branch);
    }
}

/// Replaces the `$ref` of a schema, at the top or in branches, by
/// `x-kubernetes-preserve-unknown-fields`. An API server rejects this keyword below branches, so
/// the branches are removed. The type of the target is kept, if there is a type, because CEL rules
/// cannot use a field without a type.
pub fn inline_ref(document: &Value, schema: &mut Map<String, Value>) {
    let is_reference = |branch: &&Value| branch.get("$ref").is_some();
    let is_null = |branch: &Value| branch.get("nullable").is_some();
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(branches)) = schema.get(keyword)
            && let Some(reference) = branches.iter().find(is_reference)
        {
            let is_only_branch = branches.iter().filter(|branch| !is_null(branch)).count() == 1;
            let reference = reference["$ref"].as_str().filter(|_| is_only_branch).into();
            if branches.iter().any(is_null) {
                schema.insert("nullable".to_owned(), true.into());
            }
            schema.remove(keyword);
            schema.insert("$ref".to_owned(), reference);
        }
    }
    if let Some(reference) = schema.remove("$ref") {
        schema.insert("x-kubernetes-preserve-unknown-fields".into(), true.into());
        let pointer = reference
            .as_str()
            .and_then(|reference| reference.strip_prefix('#'));
        if let Some(ty) = pointer.and_then(|pointer| document.pointer(pointer)?.get("type")) {
            schema.insert("type".to_owned(), ty.clone());
        }
    }
}

/// Adds a doc comment to a schema like the derive of schemars: a heading at its start becomes the
/// title. Replaces an existing title and description, so that the doc comment of a variant replaces
/// the doc comment of the type in the variant.
pub fn add_doc(schema: &mut Map<String, Value>, doc: &str) {
    let (title, description) = match doc.strip_prefix('#') {
        Some(heading) => heading.split_once('\n').unwrap_or((heading, "")),
        None => ("", doc),
    };
    let title = title.trim_start_matches('#').trim_ascii();
    for (keyword, value) in [("title", title), ("description", description.trim_ascii())] {
        if !value.is_empty() {
            schema.insert(keyword.into(), value.into());
        }
    }
}
