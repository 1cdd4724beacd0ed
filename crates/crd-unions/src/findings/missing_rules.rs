//! Holes: cases that the rules do not cover, found from the allowed objects.

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::findings::remedy;
use crate::findings::sample;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::{ConstraintForm, Model};
use crate::solver::name_similarity::is_named_like;
use crate::terms::fields::{FieldId, FieldState};
use crate::terms::value::{ERROR, TRUE};
use crate::unions::discriminated::{
    CandidateMembers, DiscriminatorCandidate, SettabilityByState, free_when_absent,
};

/// The patterns and members of a component in which holes are searched.
pub(crate) struct UnionContext<'r> {
    pub(crate) by_values: &'r [DiscriminatorCandidate],
    pub(crate) selected: &'r [CandidateMembers],
    /// The members and discriminators of the unions with a discriminator.
    pub(crate) taken: &'r [FieldId],
}

/// Returns the name of a state: a value, `absent` or `other`.
pub(crate) fn state_label(state: &FieldState) -> String {
    match state {
        FieldState::Absent | FieldState::Null => "absent".to_owned(),
        FieldState::String(text) => text.clone(),
        FieldState::Empty => String::new(),
        _ => "other".to_owned(),
    }
}

pub(crate) fn state_labels(model: &Model<'_>, field: FieldId, states: &[usize]) -> Vec<String> {
    let all = model.fields.states(field);
    let states = states.iter().filter_map(|state| all.get(*state));
    let mut labels: Vec<String> = states.map(state_label).collect();
    // Null and absent have the same label.
    labels.dedup();
    labels
}

/// Creates a finding about a field at a value.
fn finding(
    model: &Model<'_>,
    code: FindingCode,
    weight: Confidence,
    field: FieldId,
    value: Option<String>,
) -> Finding {
    Finding {
        code,
        confidence: weight,
        fields: vec![model.fields.path(field)],
        value,
        other_states: Vec::new(),
        rule: None,
        rule_source: None,
        message: None,
        object: None,
        accepted: false,
        remedy: String::new(),
    }
}

pub(crate) fn missing_rules(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    asked: &UnionContext<'_>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for by_value in asked.by_values {
        for pattern in &by_value.settabilities {
            let is_discriminator = asked
                .by_values
                .iter()
                .any(|other| other.discriminator == pattern.field);
            if is_discriminator || asked.taken.contains(&pattern.field) {
                continue;
            }
            found.extend(missing_rule(model, components, number, by_value, pattern));
        }
        found.extend(members_without_rule(
            model, components, number, by_value, asked,
        ));
        found.extend(rejected_values(model, by_value));
        found.extend(error_when_absent(
            model, components, number, by_value, asked,
        ));
    }
    found
}

/// Returns a finding if the field may be set where it should be forbidden.
fn missing_rule(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    by_value: &DiscriminatorCandidate,
    pattern: &SettabilityByState,
) -> Option<Finding> {
    let states = model.fields.states(by_value.discriminator);
    let set_at = pattern.settable_states();
    let name = model.fields.name(pattern.field);
    let (code, value) = missing_rule_code(model, components, number, by_value, pattern)?;
    let text = states.get(value).map(state_label)?;
    let elsewhere: Vec<usize> = set_at
        .iter()
        .copied()
        .filter(|state| *state != value)
        .collect();
    let is_free = !pattern.is_forbidden_somewhere(by_value);
    let weight = match code {
        FindingCode::NotForbidden if is_free && is_named_like(&name, &text) => Confidence::Strong,
        _ => Confidence::Weak,
    };
    let mut finding = finding(model, code, weight, pattern.field, Some(text.clone()));
    finding.other_states = state_labels(model, by_value.discriminator, &elsewhere);
    if code == FindingCode::FreeWithNextValue {
        finding.other_states.clear();
    }
    // An object with another value shows the hole better than an object without the discriminator.
    let is_value = |state: &&usize| matches!(states.get(**state), Some(FieldState::String(_)));
    let shown = elsewhere.iter().find(is_value).or(elsewhere.first());
    if let Some(shown) = shown.filter(|_| code != FindingCode::FreeWithNextValue) {
        let mut assumed = vec![
            (by_value.discriminator, Assumption::InState(*shown)),
            (pattern.field, Assumption::Set),
        ];
        if code == FindingCode::FreeWhenAbsent {
            let others = field_free_with(model, components, number, by_value, pattern);
            assumed.extend(others.map(|other| (other, Assumption::Set)));
        }
        finding.object = sample::allowed_object(model, components, number, &assumed);
        finding.accepted = true;
    }
    let discriminator = model.fields.get(by_value.discriminator)?;
    let optional = pattern.unsettable.get(value) == Some(&true);
    finding.remedy = match code {
        FindingCode::FreeWithUnknownValue => remedy::enum_keyword(discriminator),
        _ => remedy::member_rule(discriminator, &text, &name, optional),
    };
    Some(finding)
}

/// Returns the code of the field's hole, and the value that the field belongs to.
fn missing_rule_code(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    by_value: &DiscriminatorCandidate,
    pattern: &SettabilityByState,
) -> Option<(FindingCode, usize)> {
    let field = model.fields.get(by_value.discriminator)?;
    let states = &field.states;
    let set_at = pattern.settable_states();
    let value_of = |state: usize| match states.get(state) {
        Some(FieldState::String(text)) if !text.is_empty() => Some(state),
        _ => None,
    };
    if let Some(value) = free_when_absent(model, by_value, pattern) {
        let shares = field_free_with(model, components, number, by_value, pattern).is_some();
        if shares {
            return Some((FindingCode::FreeWhenAbsent, value));
        }
    }
    if let [one, other] = &*set_at
        && states.get(*other) == Some(&FieldState::OtherString)
        && let Some(value) = value_of(*one)
    {
        let has_to_be = pattern.required_states(by_value) == [value];
        let is_forbidden = pattern.is_forbidden_somewhere(by_value);
        return match &field.values {
            None => is_forbidden.then_some((FindingCode::FreeWithUnknownValue, value)),
            Some(_) => has_to_be.then_some((FindingCode::FreeWithNextValue, value)),
        };
    }
    match &*pattern.required_states(by_value) {
        [state] if set_at.len() > 1 => Some((FindingCode::NotForbidden, value_of(*state)?)),
        _ => None,
    }
}

/// Returns another field that may be set together with this field while the discriminator is
/// absent.
fn field_free_with(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    by_value: &DiscriminatorCandidate,
    pattern: &SettabilityByState,
) -> Option<FieldId> {
    let own = free_when_absent(model, by_value, pattern)?;
    let component = components.get_mut(number)?;
    let states = model.fields.states(by_value.discriminator);
    let absent = states
        .iter()
        .position(|state| *state == FieldState::Absent)?;
    let others = by_value.settabilities.iter().filter(|other| {
        let value = free_when_absent(model, by_value, other);
        value.is_some_and(|value| value != own)
    });
    let mut others = others.map(|other| other.field);
    others.find(|other| {
        component.is_possible(&[
            (by_value.discriminator, Assumption::InState(absent)),
            (pattern.field, Assumption::Set),
            (*other, Assumption::Set),
        ])
    })
}

/// Returns findings for values that have a sibling of their name without a rule, while other values
/// have members.
fn members_without_rule(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    by_value: &DiscriminatorCandidate,
    asked: &UnionContext<'_>,
) -> Vec<Finding> {
    let Some(selected) = asked
        .selected
        .iter()
        .find(|selected| selected.discriminator == by_value.discriminator)
        .filter(|selected| !selected.members.is_empty())
    else {
        return Vec::new();
    };
    let Some(discriminator) = model.fields.get(by_value.discriminator) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (state, value) in discriminator.states.iter().enumerate() {
        let FieldState::String(value) = value else {
            continue;
        };
        let has_member = selected.members.iter().any(|member| member.state == state);
        if has_member || by_value.allowed.get(state) != Some(&true) {
            continue;
        }
        let Some(sibling) = model.optional_sibling(value) else {
            continue;
        };
        let patterns = by_value.settabilities.iter();
        let depends = patterns
            .filter(|pattern| model.fields.name(pattern.field) == sibling)
            .any(|pattern| pattern.is_determined_by(by_value) || !pattern.settable.contains(&true));
        if depends {
            continue;
        }
        let mut finding = finding(
            model,
            FindingCode::NoRule,
            Confidence::Strong,
            by_value.discriminator,
            Some(value.clone()),
        );
        finding.fields = vec![FieldPath::from([sibling])];
        finding.remedy = remedy::member_rule(discriminator, value, sibling, true);
        let another = |other: &usize| {
            *other != state
                && by_value.allowed.get(*other) == Some(&true)
                && matches!(
                    discriminator.states.get(*other),
                    Some(FieldState::String(_))
                )
        };
        let shown = (0..discriminator.states.len()).find(another);
        if let Some(shown) = shown {
            let assumed = [(by_value.discriminator, Assumption::InState(shown))];
            let object = sample::allowed_object(model, components, number, &assumed);
            finding.object = object.map(|object| sample::with_field(model, object, sibling));
            finding.accepted = true;
        }
        found.push(finding);
    }
    found
}

/// Returns findings for values of the enum that are never accepted. A value that a rule about the
/// discriminator alone rejects is not a finding.
fn rejected_values(model: &Model<'_>, by_value: &DiscriminatorCandidate) -> Vec<Finding> {
    let Some(field) = model.fields.get(by_value.discriminator) else {
        return Vec::new();
    };
    if field.values.is_none() || !by_value.allowed.contains(&true) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (state, value) in field.states.iter().enumerate() {
        let FieldState::String(value) = value else {
            continue;
        };
        if by_value.allowed.get(state) == Some(&false)
            && !is_rejected_by_own_rule(model, by_value, state)
        {
            let mut finding = finding(
                model,
                FindingCode::ValueRefused,
                Confidence::Strong,
                by_value.discriminator,
                Some(value.clone()),
            );
            finding.object = Some(sample::object_in_states(
                model,
                &[(by_value.discriminator, state)],
            ));
            finding.remedy = format!(
                "let the rules accept {value:?} (a condition probably has `&&` instead of `?:` or `||`), or remove it from the enum"
            );
            found.push(finding);
        }
    }
    found
}

/// Returns true if a rule about the discriminator alone rejects the value.
fn is_rejected_by_own_rule(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    state: usize,
) -> bool {
    model.constraints.iter().any(|piece| match &piece.form {
        ConstraintForm::Table { reduced, .. } => {
            reduced.fields == [by_value.discriminator] && reduced.truth(state) & TRUE == 0
        }
        _ => false,
    })
}

/// Returns a finding if the schema allows the discriminator to be absent, but every rule about it
/// fails then.
fn error_when_absent(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    by_value: &DiscriminatorCandidate,
    asked: &UnionContext<'_>,
) -> Option<Finding> {
    let id = by_value.discriminator;
    let field = model.fields.get(id)?;
    let absent = field.position(&FieldState::Absent)?;
    let selects = asked
        .selected
        .iter()
        .any(|selected| selected.discriminator == id && !selected.members.is_empty());
    if by_value.allowed.get(absent) != Some(&false) || !selects {
        return None;
    }
    let tables = || {
        model
            .tables()
            .filter(|(_, table)| table.fields.contains(&id))
    };
    let fails = tables().all(|(_, table)| {
        let position = table.position(id).unwrap_or_default();
        let stride = table.stride(position);
        table.base_rows(position).all(|base| {
            let truth = table.truth(base + absent * stride);
            truth == 0 || truth & TRUE == 0 && truth & ERROR != 0
        })
    });
    if !fails || tables().next().is_none() {
        return None;
    }
    let mut finding = finding(
        model,
        FindingCode::ErrorWhenAbsent,
        Confidence::Strong,
        id,
        None,
    );
    // The other required fields have the states of an allowed object with the discriminator.
    let mut states = components.get_mut(number)?.find_object(&[])?;
    states.retain(|(other, _)| *other != id);
    let states: Vec<(FieldId, usize)> = states
        .into_iter()
        .filter(|(other, _)| model.fields.get(*other).is_some_and(|other| other.required))
        .collect();
    finding.object = Some(sample::object_in_states(model, &states));
    let required = model.fields.root.get("required").and_then(Value::as_array);
    let mut required = required.cloned().unwrap_or_default();
    required.push(model.fields.name(id).into());
    finding.remedy = format!("\"required\": {}", Value::from(required));
    Some(finding)
}
