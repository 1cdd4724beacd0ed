//! Rules that keep a value unchanged, and that updates evade.

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::findings::sample;
use crate::report::analysis::Rule;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::solver::solver::Satisfiability;
use crate::terms::fields::FieldId;
use crate::transitions::evasions::{Evasion, ObjectEvasions, RemovalKind};

/// Returns findings for the evasions by removing fields of the object, or entries of its fields.
/// The rules of the object must allow an object without the field. Adds the evaded rules to the
/// rules of the model.
pub(crate) fn evaded_immutability(
    model: &mut Model<'_>,
    components: &mut [RuleComponent],
    evasions: ObjectEvasions<'_, '_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for evasion in evasions.list() {
        if let Some(updates) = updates(model, components, evasion) {
            findings.push(finding(model, evasion, updates, evasion.kind));
        } else if let Some(updates) = switching_updates(model, components, evasion, evasions) {
            findings.push(finding(
                model,
                evasion,
                updates,
                RemovalKind::PermittedField,
            ));
        }
    }
    findings
}

/// Returns the object with another value of a field, or without the field.
fn with_value(object: &Value, name: &str, value: Option<&Value>) -> Value {
    let mut object = object.clone();
    if let Some(fields) = object.as_object_mut() {
        fields.remove(name);
        fields.extend(value.map(|value| (name.to_owned(), value.clone())));
    }
    object
}

/// Returns the three objects of two updates, of which the first also changes other fields, such as
/// the selected member of a union.
fn switching_updates(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    evasion: &Evasion,
    evasions: ObjectEvasions<'_, '_>,
) -> Option<Vec<Value>> {
    let [first, second] = &evasion.values;
    let name = &*evasion.field;
    let id = model.fields.own_field(name)?;
    if evasion.value_between.is_some() {
        return None;
    }
    let with_field = sample::object_with_fields(model, components, &[name])?;
    let component = components
        .iter()
        .position(|component| component.fields.contains(&id))?;
    let unset = [(id, Assumption::Unset)];
    let between = sample::allowed_object(model, components, component, &unset)?;
    let objects = [
        with_value(&with_field, name, Some(first)),
        between,
        with_value(&with_field, name, Some(second)),
    ];
    evasions
        .accepts(name, &objects)
        .then(|| objects.into_iter().collect())
}

/// Returns the three objects of two updates, if the rules of the object allow them.
fn updates(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    evasion: &Evasion,
) -> Option<Vec<Value>> {
    let [first, second] = &evasion.values;
    let name = &*evasion.field;
    let with_field = sample::object_with_fields(model, components, &[name])?;
    let is_removed = matches!(evasion.value_between, None | Some(Value::Null));
    if let Some(id) = model.fields.own_field(name).filter(|_| is_removed)
        && !may_be_removed(components, id)
    {
        return None;
    }
    Some(vec![
        with_value(&with_field, name, Some(first)),
        with_value(&with_field, name, evasion.value_between.as_ref()),
        with_value(&with_field, name, Some(second)),
    ])
}

/// Returns true if the rules allow to remove a field, and no other field must change for that.
fn may_be_removed(components: &mut [RuleComponent], id: FieldId) -> bool {
    components.iter_mut().all(|component| {
        if !component.fields.contains(&id) {
            return true;
        }
        let Some(states) = component.find_object(&[(id, Assumption::Set)]) else {
            return false;
        };
        let other_fields = states.into_iter().filter(|(field, _)| *field != id);
        let mut assumptions: Vec<(FieldId, Assumption)> = other_fields
            .map(|(field, state)| (field, Assumption::InState(state)))
            .collect();
        assumptions.push((id, Assumption::Unset));
        component.decide(&assumptions) == Satisfiability::Sat
    })
}

fn finding(
    model: &mut Model<'_>,
    evasion: &Evasion,
    updates: Vec<Value>,
    kind: RemovalKind,
) -> Finding {
    let is_certain = kind == RemovalKind::Field && evasion.is_innermost && !evasion.is_whole_part;
    let confidence = if is_certain {
        Confidence::Strong
    } else {
        Confidence::Weak
    };
    let removed = FieldPath::from([&*evasion.field]);
    let mut fields = vec![removed];
    for path in &evasion.paths {
        let path = path
            .iter()
            .fold(FieldPath::root(), |path, name| path.field(name));
        if !fields.contains(&path) {
            fields.push(path);
        }
    }
    let rule = &evasion.rule;
    model.rules.push(Rule {
        pointer: rule.pointer.clone(),
        keyword: "x-kubernetes-validations",
        index: Some(rule.index),
        source: rule.source.clone(),
        message: rule.message.clone(),
        whole: true,
        unknown_reason: None,
    });
    Finding {
        fields,
        rule: Some(model.rules.len() - 1),
        rule_source: Some(rule.source.clone()),
        updates,
        accepted: true,
        remedy: evasion.remedy.clone(),
        ..Finding::new(FindingCode::ImmutabilityEvaded, confidence)
    }
}
