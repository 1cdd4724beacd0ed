//! Removal of `oldSelf` from CEL rules at positions where an API server has no old value.

use k8s_cel::KubeVersion;
use k8s_cel::syntax::{Ast, AstKind, parse};
use serde_json::{Map, Value};
use union_json::pointer::escape;

/// Removes `oldSelf` from rules with `optionalOldSelf` inside lists that are not of type map. Such
/// lists have no keys, so a server does not correlate their elements with old elements, and rejects
/// `oldSelf` ("oldSelf cannot be used on the uncorrelatable portion of the schema").
///
/// Without an old value, `a || oldSelf.hasValue() && b` is equivalent to `a`, so the function
/// replaces the rule with `a`. The attribute `#[union(ratchet = "same_reason")]` of `union-runtime`
/// generates rules of this form, because the derive macro cannot see whether a list contains the
/// type. All other rules are kept; [`Review::create`](super::Review::create) reports the rules that
/// a server rejects.
///
/// Returns the JSON pointers of the rewritten rules, sorted.
///
/// ```
/// use k8s_crd_validation::crd;
/// use serde_json::json;
///
/// let rule = json!({
///     "rule": "has(self.a) || oldSelf.hasValue() && !has(oldSelf.value().a)",
///     "optionalOldSelf": true,
/// });
/// let element = json!({
///     "type": "object",
///     "properties": {"a": {"type": "integer"}},
///     "x-kubernetes-validations": [rule],
/// });
/// let mut new = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
///     "type": "object",
///     "properties": {
///         "one": element.clone(),
///         "several": {"type": "array", "maxItems": 9, "items": element},
///     },
/// }}}]}});
///
/// let schema = "/spec/versions/0/schema/openAPIV3Schema";
/// let rewritten = format!("{schema}/properties/several/items/x-kubernetes-validations/0");
/// assert_eq!(crd::place_rules(&mut new), [rewritten.clone()]);
/// assert_eq!(new.pointer(&rewritten), Some(&json!({"rule": "has(self.a)"})));
/// ```
pub fn place_rules(crd: &mut Value) -> Vec<String> {
    let mut rewritten = Vec::new();
    let versions = crd.pointer_mut("/spec/versions");
    let versions = versions.and_then(Value::as_array_mut);
    for (index, version) in versions.into_iter().flatten().enumerate() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            let pointer = format!("/spec/versions/{index}/schema/openAPIV3Schema");
            strip_in_schema(schema, pointer, &mut rewritten);
        }
    }
    rewritten.sort_unstable();
    rewritten
}

/// Rewrites the rules of a schema and of the schemas inside it. `pointer` is the JSON pointer of
/// the schema.
fn strip_in_schema(schema: &mut Value, pointer: String, rewritten: &mut Vec<String>) {
    let mut pending = vec![(schema, pointer, true)];
    while let Some((schema, pointer, has_old_value)) = pending.pop() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if !has_old_value {
            strip_in_rules(schema, &pointer, rewritten);
        }
        let items_have_old_value = has_old_value
            && schema
                .get("x-kubernetes-list-type")
                .is_some_and(|list_type| list_type == "map");
        for (keyword, subschema) in schema {
            match (&**keyword, subschema) {
                ("properties", Value::Object(properties)) => {
                    pending.extend(properties.iter_mut().map(|(name, property)| {
                        let name = escape(name);
                        (
                            property,
                            format!("{pointer}/properties/{name}"),
                            has_old_value,
                        )
                    }));
                }
                ("items", items) => {
                    pending.push((items, format!("{pointer}/items"), items_have_old_value));
                }
                ("additionalProperties", values) => {
                    pending.push((
                        values,
                        format!("{pointer}/additionalProperties"),
                        has_old_value,
                    ));
                }
                _ => {}
            }
        }
    }
}

/// Rewrites the rules of one schema at a position without an old value.
fn strip_in_rules(schema: &mut Map<String, Value>, pointer: &str, rewritten: &mut Vec<String>) {
    let rules = schema.get_mut("x-kubernetes-validations");
    let rules = rules.and_then(Value::as_array_mut);
    for (index, rule) in rules.into_iter().flatten().enumerate() {
        let Some(rule) = rule.as_object_mut() else {
            continue;
        };
        let is_optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let expression = rule.get("rule").and_then(Value::as_str);
        let Some(expression) = expression
            .filter(|_| is_optional)
            .and_then(without_old_self)
        else {
            continue;
        };
        rule.insert("rule".to_owned(), expression.into());
        rule.remove("optionalOldSelf");
        rewritten.push(format!("{pointer}/x-kubernetes-validations/{index}"));
    }
}

/// Returns `a` if the rule is `a || oldSelf.hasValue() && b`, and `a` does not use `oldSelf`.
fn without_old_self(rule: &str) -> Option<String> {
    let ast = parse(rule, KubeVersion::LATEST).ok()?;
    let mut last_alternative = &ast;
    while let Some([.., operand]) = operands(last_alternative, "_||_") {
        last_alternative = operand;
    }
    let mut first_condition = last_alternative;
    while let Some([operand, ..]) = operands(first_condition, "_&&_") {
        first_condition = operand;
    }
    let AstKind::Call {
        function, target, ..
    } = &first_condition.kind
    else {
        return None;
    };
    let target = target.as_deref().filter(|_| function == "hasValue")?;
    if !matches!(&target.kind, AstKind::Ident(name) if name == "oldSelf") {
        return None;
    }
    let remaining_rule = rule.get(..usize::try_from(target.offset).ok()?)?;
    let remaining_rule = remaining_rule.trim_end().strip_suffix("||")?.trim();
    if parse(remaining_rule, KubeVersion::LATEST)
        .ok()?
        .references_variable("oldSelf")
    {
        return None;
    }
    // Remove parentheses around the whole expression. In `(a) || (b)`, the string between the first
    // and the last parenthesis is not an expression.
    let inner = remaining_rule
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.filter(|inner| parse(inner, KubeVersion::LATEST).is_ok());
    Some(inner.unwrap_or(remaining_rule).to_owned())
}

/// Returns the operands of a call of `operator`, or `None` for another expression.
fn operands<'a>(ast: &'a Ast, operator: &str) -> Option<&'a [Ast]> {
    match &ast.kind {
        AstKind::Call { function, args, .. } if function == operator => Some(args),
        _ => None,
    }
}
