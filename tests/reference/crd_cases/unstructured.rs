//! Stored CRDs that preserve unknown fields, with a schema that cannot be made structural: the server's code breaks down in updates
//! by them (`unstructured` in `DIFFERENCES.md`).

use std::error::Error;

use serde_json::{Value, json};

use crate::case::{Case, Judge, Op};
use crate::reference::Reference;
use crate::verdict::{Verdict, compile, ours};

pub(crate) const NAME: &str = "unstructured";

pub(crate) const UNJUDGED: &str = "unjudged";

/// Whether we refuse to serve a CRD since its schema has what we judge no value by.
pub(crate) fn is_unjudged(judge: &Judge, ours: &Verdict) -> bool {
    let is_of_keyword = |[kind, field, _]: &[String; 3]| {
        let keyword = field.rsplit('.').next().unwrap_or_default();
        kind == "FieldValueForbidden" && ["patternProperties", "dependencies"].contains(&keyword)
    };
    judge.preserves() && ours.errors.iter().all(is_of_keyword)
}

/// Whether a server that does not preserve unknown fields could not serve it.
pub(crate) fn is_unstructured(
    reference: &mut Reference,
    stored: &Judge,
) -> Result<bool, Box<dyn Error>> {
    let pruning = Verdict::read(&reference.ask(&stored.stored(false).line())?);
    reference.ask(&stored.line())?;
    // A default that cannot be pruned is found in a structural schema.
    let is_of_default =
        |[_, _, text]: &[String; 3]| text.starts_with("failed to prune default value");
    Ok(!pruning.errors.iter().all(is_of_default))
}

/// Both verdicts where the server breaks down, as they are foretold: what is compared in place of its panic is what it says of
/// the creation of the same object, as nothing is tolerated. `None` where it goes on.
pub(crate) fn foretold(
    reference: &mut Reference,
    judge: &Judge,
    case: &Case,
    ours: &Verdict,
) -> Result<Option<(Verdict, Verdict)>, Box<dyn Error>> {
    let (Op::Update, Judge::Stored { crd, version }, Some(object)) = (case.op, judge, &ours.object)
    else {
        return Ok(None);
    };
    // The status is judged with the rest.
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
    if !breaks_down(&whole, &create, &case.old) {
        return Ok(None);
    }
    reference.ask(&whole.line())?;
    let created = Verdict::read(&reference.ask(&create.line())?);
    reference.ask(&judge.line())?;
    Ok(Some((without_metadata(&created), without_metadata(ours))))
}

/// Where the old value of a field is looked up by the schema at the root, or the root is compared with the old one since
/// something that the root itself says is not met.
fn breaks_down(judge: &Judge, create: &Case, old: &Value) -> bool {
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
    // What the root holds is taken out of it. Its rules see that, so they are asked with it: all that is said with them and not without.
    let said = |judge: &Judge| {
        let found = compile(judge).map(|schema| without_metadata(&ours(&schema, create)));
        found.map_or(0, |found| found.errors.len())
    };
    let with_rules = |rules: Value| {
        let mut judge = judge.clone();
        if let Some(root) = judge.small_schema() {
            root["x-kubernetes-validations"] = rules;
        }
        said(&judge)
    };
    // What a rule says of the change of a value is not tolerated, so nothing is compared for it.
    let of_values = rules.as_array().into_iter().flatten();
    let of_values = of_values.filter(|rule| !rule.to_string().contains("oldSelf"));
    let of_values: Vec<Value> = of_values.cloned().collect();
    said(&of_root) > 0 || with_rules(of_values.into()) > with_rules(Value::Null)
}

/// Metadata has other rules in a create.
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
