//! Missing rules ("holes"): invalid states of a union that the rules allow.

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
    CandidateMembers, DiscriminatorCandidate, SettabilityByState,
    only_value_if_settable_when_absent,
};

/// The inferred unions of a component, in which missing rules are searched.
pub(crate) struct UnionContext<'r> {
    pub(crate) candidates: &'r [DiscriminatorCandidate],
    pub(crate) members_by_discriminator: &'r [CandidateMembers],
    /// The members and discriminators of the unions with a discriminator.
    pub(crate) used_fields: &'r [FieldId],
}

/// Returns the label of a state: a value, `absent` or `other`.
pub(crate) fn state_label(state: &FieldState) -> String {
    match state {
        FieldState::Absent | FieldState::Null => "absent".to_owned(),
        FieldState::String(value) => value.clone(),
        FieldState::Empty => String::new(),
        _ => "other".to_owned(),
    }
}

/// Returns the labels of the states at these positions, without duplicates.
pub(crate) fn state_labels(model: &Model<'_>, field: FieldId, states: &[usize]) -> Vec<String> {
    let all_states = model.fields.states(field);
    let states = states.iter().filter_map(|state| all_states.get(*state));
    let mut labels: Vec<String> = states.map(state_label).collect();
    // Null and absent have the same label.
    labels.dedup();
    labels
}

/// Creates a finding about a field and a value of the discriminator.
fn new_finding(
    model: &Model<'_>,
    code: FindingCode,
    confidence: Confidence,
    field: FieldId,
    value: Option<String>,
) -> Finding {
    Finding {
        fields: vec![model.fields.path(field)],
        value,
        ..Finding::new(code, confidence)
    }
}

/// Returns the findings about missing rules of the component at `component_index`.
pub(crate) fn missing_rules(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    context: &UnionContext<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for candidate in context.candidates {
        for settability in &candidate.settabilities {
            let is_discriminator = context
                .candidates
                .iter()
                .any(|other| other.discriminator == settability.field);
            if is_discriminator || context.used_fields.contains(&settability.field) {
                continue;
            }
            findings.extend(missing_rule(
                model,
                components,
                component_index,
                candidate,
                settability,
            ));
        }
        findings.extend(members_without_rule(
            model,
            components,
            component_index,
            candidate,
            context,
        ));
        findings.extend(rejected_values(model, candidate));
        findings.extend(error_when_absent(
            model,
            components,
            component_index,
            candidate,
            context,
        ));
    }
    findings
}

/// Returns a finding if the field of `settability` may be set in states of the discriminator in
/// which a union would forbid the field.
fn missing_rule(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    candidate: &DiscriminatorCandidate,
    settability: &SettabilityByState,
) -> Option<Finding> {
    let states = model.fields.states(candidate.discriminator);
    let settable_states = settability.settable_states();
    let name = model.fields.name(settability.field);
    let (code, own_state) =
        missing_rule_code(model, components, component_index, candidate, settability)?;
    let label = states.get(own_state).map(state_label)?;
    let other_states: Vec<usize> = settable_states
        .iter()
        .copied()
        .filter(|state| *state != own_state)
        .collect();
    let is_never_forbidden = !settability.is_forbidden_in_some_state(candidate);
    let confidence = match code {
        FindingCode::NotForbidden if is_never_forbidden && is_named_like(&name, &label) => {
            Confidence::Strong
        }
        _ => Confidence::Weak,
    };
    let mut finding = new_finding(
        model,
        code,
        confidence,
        settability.field,
        Some(label.clone()),
    );
    finding.other_states = state_labels(model, candidate.discriminator, &other_states);
    if code == FindingCode::FreeWithNextValue {
        finding.other_states.clear();
    }
    // An object with another value is a clearer example than an object without the discriminator.
    let is_string = |state: &&usize| matches!(states.get(**state), Some(FieldState::String(_)));
    let example_state = other_states.iter().find(is_string).or(other_states.first());
    if let Some(example_state) = example_state.filter(|_| code != FindingCode::FreeWithNextValue) {
        let mut assumptions = vec![
            (candidate.discriminator, Assumption::InState(*example_state)),
            (settability.field, Assumption::Set),
        ];
        if code == FindingCode::FreeWhenAbsent {
            let other_field = other_field_settable_when_absent(
                model,
                components,
                component_index,
                candidate,
                settability,
            );
            assumptions.extend(other_field.map(|other| (other, Assumption::Set)));
        }
        finding.object = sample::allowed_object(model, components, component_index, &assumptions);
        finding.accepted = true;
    }
    let discriminator = model.fields.get(candidate.discriminator)?;
    let optional = settability.may_be_unset.get(own_state) == Some(&true);
    finding.remedy = match code {
        FindingCode::FreeWithUnknownValue => remedy::enum_keyword(discriminator),
        _ => remedy::member_rule(discriminator, &label, &name, optional),
    };
    Some(finding)
}

/// Returns the code of the finding about a field, and the state that the field belongs to.
fn missing_rule_code(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    candidate: &DiscriminatorCandidate,
    settability: &SettabilityByState,
) -> Option<(FindingCode, usize)> {
    let field = model.fields.get(candidate.discriminator)?;
    let states = &field.states;
    let settable_states = settability.settable_states();
    let value_state = |state: usize| match states.get(state) {
        Some(FieldState::String(value)) if !value.is_empty() => Some(state),
        _ => None,
    };
    if let Some(value) = only_value_if_settable_when_absent(model, candidate, settability) {
        let has_other_field = other_field_settable_when_absent(
            model,
            components,
            component_index,
            candidate,
            settability,
        )
        .is_some();
        if has_other_field {
            return Some((FindingCode::FreeWhenAbsent, value));
        }
    }
    if let [first_state, second_state] = &*settable_states
        && states.get(*second_state) == Some(&FieldState::OtherString)
        && let Some(value) = value_state(*first_state)
    {
        let is_required = settability.required_states(candidate) == [value];
        let is_forbidden = settability.is_forbidden_in_some_state(candidate);
        return match &field.values {
            None => is_forbidden.then_some((FindingCode::FreeWithUnknownValue, value)),
            Some(_) => is_required.then_some((FindingCode::FreeWithNextValue, value)),
        };
    }
    match &*settability.required_states(candidate) {
        [state] if settable_states.len() > 1 => {
            Some((FindingCode::NotForbidden, value_state(*state)?))
        }
        _ => None,
    }
}

/// Returns another field that may be set together with this field while the discriminator is
/// absent.
fn other_field_settable_when_absent(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    candidate: &DiscriminatorCandidate,
    settability: &SettabilityByState,
) -> Option<FieldId> {
    let own_value = only_value_if_settable_when_absent(model, candidate, settability)?;
    let component = components.get_mut(component_index)?;
    let states = model.fields.states(candidate.discriminator);
    let absent_state = states
        .iter()
        .position(|state| *state == FieldState::Absent)?;
    let other_fields = candidate.settabilities.iter().filter(|other| {
        let value = only_value_if_settable_when_absent(model, candidate, other);
        value.is_some_and(|value| value != own_value)
    });
    let mut other_fields = other_fields.map(|other| other.field);
    other_fields.find(|other| {
        component.is_possible(&[
            (candidate.discriminator, Assumption::InState(absent_state)),
            (settability.field, Assumption::Set),
            (*other, Assumption::Set),
        ])
    })
}

/// Returns findings for values without a member, if a sibling field is named like the value and
/// other values have members.
fn members_without_rule(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    candidate: &DiscriminatorCandidate,
    context: &UnionContext<'_>,
) -> Vec<Finding> {
    let Some(candidate_members) = context
        .members_by_discriminator
        .iter()
        .find(|candidate_members| candidate_members.discriminator == candidate.discriminator)
        .filter(|candidate_members| !candidate_members.members.is_empty())
    else {
        return Vec::new();
    };
    let Some(discriminator) = model.fields.get(candidate.discriminator) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (state, value) in discriminator.states.iter().enumerate() {
        let FieldState::String(value) = value else {
            continue;
        };
        let has_member = candidate_members
            .members
            .iter()
            .any(|member| member.state == state);
        if has_member || candidate.allowed.get(state) != Some(&true) {
            continue;
        }
        let Some(sibling) = model.optional_sibling(value) else {
            continue;
        };
        if has_rule_about(model, candidate, sibling) {
            continue;
        }
        let mut finding = new_finding(
            model,
            FindingCode::NoRule,
            Confidence::Strong,
            candidate.discriminator,
            Some(value.clone()),
        );
        finding.fields = vec![FieldPath::from([sibling])];
        finding.remedy = remedy::member_rule(discriminator, value, sibling, true);
        let is_other_value = |other: &usize| {
            *other != state
                && candidate.allowed.get(*other) == Some(&true)
                && matches!(
                    discriminator.states.get(*other),
                    Some(FieldState::String(_))
                )
        };
        let example_state = (0..discriminator.states.len()).find(is_other_value);
        if let Some(example_state) = example_state {
            let assumptions = [(candidate.discriminator, Assumption::InState(example_state))];
            let object = sample::allowed_object(model, components, component_index, &assumptions);
            finding.object = object.map(|object| sample::with_field(model, object, sibling));
            finding.accepted = true;
        }
        findings.push(finding);
    }
    findings
}

/// Returns true if the discriminator determines when the sibling may be set, or if the sibling may
/// never be set.
fn has_rule_about(model: &Model<'_>, candidate: &DiscriminatorCandidate, sibling: &str) -> bool {
    let settabilities = candidate.settabilities.iter();
    settabilities
        .filter(|settability| model.fields.name(settability.field) == sibling)
        .any(|settability| {
            settability.is_determined_by(candidate) || !settability.may_be_set.contains(&true)
        })
}

/// Returns findings for values of the enum that the rules never accept. A rule about the
/// discriminator alone may reject a value on purpose, so such a value is not a finding.
fn rejected_values(model: &Model<'_>, candidate: &DiscriminatorCandidate) -> Vec<Finding> {
    let Some(field) = model.fields.get(candidate.discriminator) else {
        return Vec::new();
    };
    if field.values.is_none() || !candidate.allowed.contains(&true) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (state, value) in field.states.iter().enumerate() {
        let FieldState::String(value) = value else {
            continue;
        };
        if candidate.allowed.get(state) == Some(&false)
            && !is_rejected_by_own_rule(model, candidate, state)
        {
            let mut finding = new_finding(
                model,
                FindingCode::ValueRefused,
                Confidence::Strong,
                candidate.discriminator,
                Some(value.clone()),
            );
            finding.object = Some(sample::object_in_states(
                model,
                &[(candidate.discriminator, state)],
            ));
            finding.remedy = format!(
                "let the rules accept {value:?} (a condition probably has `&&` instead of `?:` or `||`), or remove it from the enum"
            );
            findings.push(finding);
        }
    }
    findings
}

/// Returns true if a rule about the discriminator alone rejects the value.
fn is_rejected_by_own_rule(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    state: usize,
) -> bool {
    model
        .constraints
        .iter()
        .any(|constraint| match &constraint.form {
            ConstraintForm::Table { reduced_table, .. } => {
                reduced_table.fields == [candidate.discriminator]
                    && reduced_table.truth(state) & TRUE == 0
            }
            _ => false,
        })
}

/// Returns a finding if the schema allows the discriminator to be absent, but every rule about the
/// discriminator then fails with an error.
fn error_when_absent(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    candidate: &DiscriminatorCandidate,
    context: &UnionContext<'_>,
) -> Option<Finding> {
    let id = candidate.discriminator;
    let field = model.fields.get(id)?;
    let absent_state = field.state_index(&FieldState::Absent)?;
    let is_discriminator = context
        .members_by_discriminator
        .iter()
        .any(|candidate_members| {
            candidate_members.discriminator == id && !candidate_members.members.is_empty()
        });
    if candidate.allowed.get(absent_state) != Some(&false) || !is_discriminator {
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
            let truth = table.truth(base + absent_state * stride);
            truth == 0 || truth & TRUE == 0 && truth & ERROR != 0
        })
    });
    if !fails || tables().next().is_none() {
        return None;
    }
    let mut finding = new_finding(
        model,
        FindingCode::ErrorWhenAbsent,
        Confidence::Strong,
        id,
        None,
    );
    // Except for the discriminator, the example has the required fields of an allowed object.
    let mut states = components.get_mut(component_index)?.find_object(&[])?;
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
