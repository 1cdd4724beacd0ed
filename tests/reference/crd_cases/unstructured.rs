//! Stored CRDs that preserve unknown fields and whose schema has no structural form: the server's
//! code panics when it validates updates (`unstructured` in `DIFFERENCES.md`).

use std::error::Error;

use k8s_crd_validation::KubeVersion;
use serde_json::{Value, json};

use crate::case::{Case, Judge, Op};
use crate::reference::Reference;
use crate::verdict::{Verdict, compile, ours};

pub(crate) const NAME: &str = "unstructured";

pub(crate) const UNJUDGED: &str = "unjudged";

/// Returns true if we do not serve a CRD because its schema has keywords that we do not validate.
pub(crate) fn has_unsupported_keywords(judge: &Judge, ours: &Verdict) -> bool {
    let is_of_keyword = |[kind, field, _]: &[String; 3]| {
        let keyword = field.rsplit('.').next().unwrap_or_default();
        kind == "FieldValueForbidden" && ["patternProperties", "dependencies"].contains(&keyword)
    };
    judge.preserves() && ours.errors.iter().all(is_of_keyword)
}

/// Returns true if a server that does not preserve unknown fields could not serve the CRD.
pub(crate) fn is_unstructured(
    reference: &mut Reference,
    stored: &Judge,
) -> Result<bool, Box<dyn Error>> {
    let pruning = Verdict::read(&reference.ask(&stored.stored(false).line())?);
    reference.ask(&stored.line())?;
    // A default that cannot be pruned is an error of a structural schema, not of its form.
    let is_of_default =
        |[_, _, text]: &[String; 3]| text.starts_with("failed to prune default value");
    Ok(!pruning.errors.iter().all(is_of_default))
}

/// Returns the verdicts to compare if the server panics on an update, or `None` if it does not.
///
/// We then report the errors of a create, because no error is tolerated. So the reference's verdict
/// on a create of the same object is compared instead of the panic.
pub(crate) fn predict_panic(
    reference: &mut Reference,
    server: KubeVersion,
    judge: &Judge,
    case: &Case,
    ours: &Verdict,
) -> Result<Option<(Verdict, Verdict)>, Box<dyn Error>> {
    let (Op::Update, Judge::Stored { crd, version }, Some(object)) = (case.op, judge, &ours.object)
    else {
        return Ok(None);
    };
    // Without a status subresource, a create also validates the status.
    let mut whole = crd.clone();
    whole["spec"]["versions"][0]["subresources"] = json!({});
    let whole = Judge::Stored {
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
    reference.ask(&judge.line())?;
    Ok(Some((without_metadata(&created), without_metadata(ours))))
}

/// Returns true if the server's code panics: it looks up the old value of a field in the root
/// schema, or it compares the root with the old one because the object violates a keyword of the
/// root itself.
fn server_panics(server: KubeVersion, judge: &Judge, create: &Case, old: &Value) -> bool {
    let mut of_root = judge.clone();
    let Some(root) = of_root.small_schema() else {
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
    // Only the errors of the root itself count, so its properties are removed. Its rules need the
    // properties, so the errors with and without rules are compared.
    let said = |judge: &Judge| {
        let found = compile(judge, server);
        let found = found.map(|schema| without_metadata(&ours(&schema, create, server)));
        found.map_or(0, |found| found.errors.len())
    };
    let with_rules = |rules: Value| {
        let mut judge = judge.clone();
        if let Some(root) = judge.small_schema() {
            root["x-kubernetes-validations"] = rules;
        }
        said(&judge)
    };
    // An error of a transition rule is not tolerated, so the server does not compare the values.
    let of_values = rules.as_array().into_iter().flatten();
    let of_values = of_values.filter(|rule| !rule.to_string().contains("oldSelf"));
    let of_values: Vec<Value> = of_values.cloned().collect();
    said(&of_root) > 0 || with_rules(of_values.into()) > with_rules(Value::Null)
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
