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

/// Removes fields from `required`, and `required` if no field remains.
pub fn remove_required(schema: &mut Map<String, Value>, is_optional: impl Fn(&str) -> bool) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(&is_optional));
        if required.is_empty() {
            schema.remove("required");
        }
    }
}

/// Returns the error of the schema of a union's member, if there is one: the schema has a default,
/// or allows only null.
#[must_use]
pub fn member_error(name: &str, schema: &Value) -> Option<String> {
    let default = schema.get("default");
    if default.is_some_and(|default| !default.is_null()) {
        return Some(format!(
            "the schema has a default for the member `{name}`, which API servers would add to objects with another member; remove the default"
        ));
    }
    is_null(schema).then(|| format!("the member `{name}` is always null in JSON, which means unset; use a type that is never null, such as `struct Name {{}}`"))
}

/// Returns the error of the schema of a member in an enum, if the schema allows null.
#[must_use]
pub fn enum_member_error(name: &str, schema: &Value) -> Option<String> {
    allows_null(schema).then(|| format!("the member `{name}` may be null in JSON, which means unset; let its variant contain an `Option`, and write `Option` without an alias or a type parameter"))
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|ty| ty == "null")
}

/// Returns true if the keywords of a schema allow null. The branches of the schema are not read.
fn allows_null(schema: &Value) -> bool {
    let types = schema.get("type").and_then(Value::as_array);
    let mut types = types.into_iter().flatten();
    let is_nullable = schema.get("nullable") == Some(&Value::Bool(true));
    is_nullable || is_null(schema) || types.any(|ty| ty == "null")
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

#[cfg(test)]
mod tests {
    use super::{enum_member_error, member_error, remove_required};
    use serde_json::{Value, json};

    #[test]
    fn null_is_recognized_in_each_spelling() {
        let cases = [
            (json!({ "type": "null" }), (true, true)),
            (json!({ "type": ["null"] }), (false, true)),
            (json!({ "type": ["string", "null"] }), (false, true)),
            (json!({ "type": "string", "nullable": true }), (false, true)),
            (
                json!({ "type": "string", "nullable": false }),
                (false, false),
            ),
            (json!({ "type": "string" }), (false, false)),
            (json!({}), (false, false)),
            (json!(true), (false, false)),
        ];
        for (schema, expected) in cases {
            let is_null = member_error("a", &schema).is_some();
            let allows_null = enum_member_error("a", &schema).is_some();
            assert_eq!((is_null, allows_null), expected, "{schema}");
        }
    }

    #[test]
    fn null_is_not_a_default() {
        for (schema, expected) in [
            (json!({ "default": "a" }), true),
            (json!({ "default": false }), true),
            (json!({ "default": null }), false),
            (json!({}), false),
        ] {
            assert_eq!(member_error("a", &schema).is_some(), expected, "{schema}");
        }
    }

    #[test]
    fn an_empty_list_of_required_fields_is_removed() {
        for (required, expected) in [
            (json!(["a", "b", "c"]), Some(json!(["b"]))),
            (json!(["a"]), None),
            (json!(["b"]), Some(json!(["b"]))),
        ] {
            let mut schema = json!({ "required": required });
            let object = schema.as_object_mut().expect("the schema is an object");
            remove_required(object, |name| name != "b");
            assert_eq!(schema.get("required"), expected.as_ref());
        }
        let mut schema = serde_json::Map::new();
        remove_required(&mut schema, |_| true);
        assert_eq!(Value::from(schema), json!({}));
    }
}
