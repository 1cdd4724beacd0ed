//! Stored CRDs that preserve unknown fields and have a schema that is not structural. The server's
//! code panics at some updates of their objects (`unstructured` in `DIFFERENCES.md`).

use std::error::Error;

use k8s_crd_validation::KubeVersion;
use serde_json::{Value, json};

use crate::case::{Case, Definition, Op};
use crate::reference::Reference;
use crate::verdict::{Verdict, compile, ours};

pub(crate) const NAME: &str = "unstructured";

pub(crate) const UNJUDGED: &str = "unjudged";

/// Returns true if we reject a CRD only because its schema has keywords that we do not support.
pub(crate) fn has_unsupported_keywords(definition: &Definition, ours: &Verdict) -> bool {
    let is_of_keyword = |[kind, field, _]: &[String; 3]| {
        let keyword = field.rsplit('.').next().unwrap_or_default();
        kind == "FieldValueForbidden" && ["patternProperties", "dependencies"].contains(&keyword)
    };
    definition.preserves() && ours.errors.iter().all(is_of_keyword)
}

/// Returns true if the schema is not structural: a server cannot serve the CRD without
/// `preserveUnknownFields`.
pub(crate) fn is_unstructured(
    reference: &mut Reference,
    stored: &Definition,
) -> Result<bool, Box<dyn Error>> {
    let pruning = Verdict::read(&reference.ask(&stored.stored(false).line())?);
    reference.ask(&stored.line())?;
    // A default that cannot be pruned is an error of a structural schema, not of its form.
    let is_of_default =
        |[_, _, text]: &[String; 3]| text.starts_with("failed to prune default value");
    Ok(!pruning.errors.iter().all(is_of_default))
}

/// Returns the reference's verdict and our verdict to compare if the server panics on an update.
/// Returns `None` if the server does not panic.
///
/// In place of a panic, we tolerate no error, so we report the errors of a create. Therefore, the
/// verdicts are compared for a create of the same object.
pub(crate) fn predict_panic(
    reference: &mut Reference,
    server: KubeVersion,
    definition: &Definition,
    case: &Case,
    ours: &Verdict,
) -> Result<Option<(Verdict, Verdict)>, Box<dyn Error>> {
    let (Op::Update, Definition::Stored { crd, version }, Some(object)) =
        (case.op, definition, &ours.object)
    else {
        return Ok(None);
    };
    // Without a status subresource, a create also validates the status.
    let mut whole = crd.clone();
    whole["spec"]["versions"][0]["subresources"] = json!({});
    let whole = Definition::Stored {
        crd: whole,
        version: version.clone(),
    };
    let create = Case {
        op: Op::Create,
        old: Value::Null,
        new: object.clone(),
    };
    if !server_panics(server, &whole, &create, &case.old) {
        return Ok(None);
    }
    reference.ask(&whole.line())?;
    let created = Verdict::read(&reference.ask(&create.line())?);
    reference.ask(&definition.line())?;
    Ok(Some((without_metadata(&created), without_metadata(ours))))
}

/// Returns true if the server's code panics. The code panics if it looks up the old value of a
/// field in the root schema, and if it compares the new object with the old object because the new
/// object violates a keyword of the root schema.
fn server_panics(server: KubeVersion, definition: &Definition, create: &Case, old: &Value) -> bool {
    let mut of_root = definition.clone();
    let Some(root) = of_root.generated_schema() else {
        return false;
    };
    let properties = root["properties"].take();
    let values = root["additionalProperties"].take();
    let rules = root["x-kubernetes-validations"].take();
    let described = |key: &str| properties.get(key).is_some() || values.is_object();
    let fields = create.new.as_object().into_iter().flatten();
    let mut kept = fields.filter(|(key, _)| old.get(key).is_some());
    if kept.any(|(key, _)| described(key)) {
        return true;
    }
    // Only errors of the root schema count, so its properties are removed. The rules need the
    // properties, so their errors are the additional errors of the whole schema with rules.
    let error_count = |definition: &Definition| {
        let found = compile(definition, server);
        let found = found.map(|schema| without_metadata(&ours(&schema, create, server)));
        found.map_or(0, |found| found.errors.len())
    };
    let with_rules = |rules: Value| {
        let mut definition = definition.clone();
        if let Some(root) = definition.generated_schema() {
            root["x-kubernetes-validations"] = rules;
        }
        error_count(&definition)
    };
    // An error of a transition rule is not tolerated, so the server does not compare the values.
    let of_values = rules.as_array().into_iter().flatten();
    let of_values = of_values.filter(|rule| !rule.to_string().contains("oldSelf"));
    let of_values: Vec<Value> = of_values.cloned().collect();
    error_count(&of_root) > 0 || with_rules(of_values.into()) > with_rules(Value::Null)
}

/// Removes errors about metadata, which a create validates in another way.
fn without_metadata(verdict: &Verdict) -> Verdict {
    let errors = verdict.errors.iter();
    Verdict {
        errors: errors
            .filter(|[_, field, _]| !field.starts_with("metadata"))
            .cloned()
            .collect(),
        ..Verdict::default()
    }
}
