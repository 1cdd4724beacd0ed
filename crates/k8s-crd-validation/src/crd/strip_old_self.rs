//! Rules that compare with the old object, at positions where a server never has an old object.

use k8s_cel::KubeVersion;
use k8s_cel::syntax::{Ast, AstKind, parse};
use serde_json::{Map, Value};
use union_json::pointer::escape;

/// Rewrites rules with `optionalOldSelf` at positions where a server has no old object: below lists
/// that are not of type map. A server rejects `oldSelf` there ("oldSelf cannot be used on the
/// uncorrelatable portion of the schema").
///
/// At such a position, `a || oldSelf.hasValue() && b` with `optionalOldSelf` always equals `a`, so
/// the function replaces the rule by `a`. The rules that `#[union(ratchet = "same_reason")]` of
/// `union-runtime` generates have this form, because a type does not know where a schema will use
/// it. All other rules are kept, and [`Review::create`](super::Review::create) reports them with
/// the message of a server.
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
/// let placed = format!("{schema}/properties/several/items/x-kubernetes-validations/0");
/// assert_eq!(crd::place_rules(&mut new), [placed.clone()]);
/// assert_eq!(new.pointer(&placed), Some(&json!({"rule": "has(self.a)"})));
/// ```
pub fn place_rules(crd: &mut Value) -> Vec<String> {
    let mut placed = Vec::new();
    let versions = crd.pointer_mut("/spec/versions");
    let versions = versions.and_then(Value::as_array_mut);
    for (number, version) in versions.into_iter().flatten().enumerate() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            let pointer = format!("/spec/versions/{number}/schema/openAPIV3Schema");
            strip_in_schema(schema, pointer, &mut placed);
        }
    }
    placed.sort_unstable();
    placed
}

fn strip_in_schema(schema: &mut Value, pointer: String, placed: &mut Vec<String>) {
    let mut waiting = vec![(schema, pointer, true)];
    while let Some((schema, pointer, has_old)) = waiting.pop() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if !has_old {
            strip_in_rules(schema, &pointer, placed);
        }
        let items_have_old = has_old
            && schema
                .get("x-kubernetes-list-type")
                .is_some_and(|of| of == "map");
        for (keyword, below) in schema {
            match (&**keyword, below) {
                ("properties", Value::Object(properties)) => {
                    waiting.extend(properties.iter_mut().map(|(name, property)| {
                        let name = escape(name);
                        (property, format!("{pointer}/properties/{name}"), has_old)
                    }));
                }
                ("items", items) => {
                    waiting.push((items, format!("{pointer}/items"), items_have_old));
                }
                ("additionalProperties", values) => {
                    waiting.push((values, format!("{pointer}/additionalProperties"), has_old));
                }
                _ => {}
            }
        }
    }
}

fn strip_in_rules(schema: &mut Map<String, Value>, pointer: &str, placed: &mut Vec<String>) {
    let rules = schema.get_mut("x-kubernetes-validations");
    let rules = rules.and_then(Value::as_array_mut);
    for (number, rule) in rules.into_iter().flatten().enumerate() {
        let Some(rule) = rule.as_object_mut() else {
            continue;
        };
        let is_optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let text = rule.get("rule").and_then(Value::as_str);
        let Some(text) = text.filter(|_| is_optional).and_then(without_old_self) else {
            continue;
        };
        rule.insert("rule".to_owned(), text.into());
        rule.remove("optionalOldSelf");
        placed.push(format!("{pointer}/x-kubernetes-validations/{number}"));
    }
}

/// Returns `a` if the rule is `a || oldSelf.hasValue() && b`.
fn without_old_self(rule: &str) -> Option<String> {
    let ast = parse(rule, KubeVersion::LATEST).ok()?;
    let mut last = &ast;
    while let Some([.., operand]) = operands(last, "_||_") {
        last = operand;
    }
    let mut first = last;
    while let Some([operand, ..]) = operands(first, "_&&_") {
        first = operand;
    }
    let AstKind::Call {
        function, target, ..
    } = &first.kind
    else {
        return None;
    };
    let target = target.as_deref().filter(|_| function == "hasValue")?;
    if !matches!(&target.kind, AstKind::Ident(name) if name == "oldSelf") {
        return None;
    }
    let before = rule.get(..usize::try_from(target.offset).ok()?)?;
    let before = before.trim_end().strip_suffix("||")?.trim();
    if parse(before, KubeVersion::LATEST)
        .ok()?
        .references_variable("oldSelf")
    {
        return None;
    }
    // If the whole expression is in parentheses, their content is an expression too.
    let inner = before
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.filter(|inner| parse(inner, KubeVersion::LATEST).is_ok());
    Some(inner.unwrap_or(before).to_owned())
}

fn operands<'a>(ast: &'a Ast, operator: &str) -> Option<&'a [Ast]> {
    match &ast.kind {
        AstKind::Call { function, args, .. } if function == operator => Some(args),
        _ => None,
    }
}
