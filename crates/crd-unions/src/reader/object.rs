//! Analysis of one object schema: unions, findings, and reasons against unions.

use serde_json::{Map, Value};

use crate::findings::missing_rules::{self, UnionContext, state_label, state_labels};
use crate::findings::wording::statements::DescribedPlace;
use crate::findings::wrong_rules;
use crate::findings::{described_exclusions, evaded_immutability, nested_alternatives};
use crate::report::analysis::{
    ConditionalField, Discriminator, Member, NoUnionReason, ObjectAnalysis, Rule, Union,
};
use crate::report::finding::Finding;
use crate::solver::component::{self, RuleComponent};
use crate::solver::model::{ConstraintForm, Model};
use crate::solver::name_similarity::is_named_like;
use crate::terms::conjuncts::Conjunct;
use crate::terms::fields::{Field, FieldId, FieldState};
use crate::transitions::evasions::ObjectEvasions;
use crate::unions::discriminated::{
    self, CandidateMember, CandidateMembers, DiscriminatorCandidate, SettabilityByState,
};
use crate::unions::equivalence::{SelectionRule, StateRule, UnionForm, compare_rules};
use crate::unions::exclusions;
use crate::unions::groups::{self, Group, Groups};
use crate::unions::naming_hints::naming_hints;
use crate::unions::reasons::{self, ComponentContext};
use union_runtime::UnionModel;

/// The place of an object in its schema.
pub(crate) struct ObjectPlace<'a> {
    pub(crate) pointer: &'a str,
    pub(crate) described: DescribedPlace<'a>,
    /// The evasions of rules by removing fields of the object.
    pub(crate) evasions: ObjectEvasions<'a, 'a>,
    /// Returns the rules of objects above that contain a name, one bit for each object.
    pub(crate) outer_rules: &'a dyn Fn(&str) -> u64,
}

/// Returns the analysis of an object. A schema without properties has an empty analysis.
pub(crate) fn analyze(
    schema: &Map<String, Value>,
    place: &ObjectPlace<'_>,
    conjuncts: &[Conjunct<'_>],
    rules: Vec<Rule>,
    steps_left: u64,
) -> ObjectAnalysis {
    if !schema.contains_key("properties") {
        return ObjectAnalysis::default();
    }
    let mut model = Model::new(schema, place.pointer, conjuncts, rules, steps_left);
    let mut components = component::components(&model, steps_left);
    let mut analysis = ObjectAnalysis::default();
    let is_unsatisfiable = accepts_no_object(&model, &mut components);
    if is_unsatisfiable {
        analysis
            .findings
            .push(wrong_rules::unsatisfiable_rules(&model));
        analysis.no_union_reasons.push(NoUnionReason::Unsatisfiable);
    } else {
        for component_index in 0..components.len() {
            analyze_component(&model, &mut components, component_index, &mut analysis);
        }
    }
    analysis.findings.extend(wrong_rules::wrong_rules(&model));
    if !is_unsatisfiable {
        let findings = findings_of_place(&mut model, &mut components, place);
        analysis.findings.extend(findings);
    }
    analysis.naming_hints = naming_hints(&model, &components);
    if !analysis.naming_hints.is_empty() {
        analysis
            .no_union_reasons
            .push(NoUnionReason::NamingConvention);
    }
    analysis.no_union_reasons.sort_unstable();
    analysis.no_union_reasons.dedup();
    let ids = 0..model.fields.list.len();
    let empty_as_unset = ids.filter(|id| model.treats_empty_as_unset(*id));
    analysis.empty_counts_as_unset = empty_as_unset.map(|id| model.fields.name(id)).collect();
    let solver_steps: u64 = components
        .iter()
        .map(|component| component.solver.steps())
        .sum();
    for finding in &mut analysis.findings {
        finding.object.iter_mut().for_each(Value::sort_all_objects);
    }
    analysis.steps = model.steps + solver_steps;
    analysis.rules = model.rules;
    analysis
}

/// Returns the findings about nested objects, descriptions, and removed fields.
fn findings_of_place(
    model: &mut Model<'_>,
    components: &mut [RuleComponent],
    place: &ObjectPlace<'_>,
) -> Vec<Finding> {
    let mut findings = nested_alternatives::nested_alternatives(model, components);
    findings.extend(described_exclusions::described_not_enforced(
        model,
        components,
        place.described,
        place.outer_rules,
    ));
    findings.extend(evaded_immutability::evaded_immutability(
        model,
        components,
        place.evasions,
    ));
    findings
}

/// Returns true if the rules certainly reject every object.
fn accepts_no_object(model: &Model<'_>, components: &mut [RuleComponent]) -> bool {
    let has_unsatisfiable_rule =
        model
            .constraints
            .iter()
            .any(|constraint| match &constraint.form {
                ConstraintForm::Table { reduced_table, .. } => reduced_table.is_unsatisfiable(),
                _ => false,
            });
    has_unsatisfiable_rule
        || components
            .iter_mut()
            .any(|component| !component.is_possible(&[]))
}

/// Adds the unions, findings, exclusions and reasons of a component to the analysis.
fn analyze_component(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    analysis: &mut ObjectAnalysis,
) {
    let Some(component) = components.get_mut(component_index) else {
        return;
    };
    let candidates = discriminated::discriminator_candidates(model, component);
    let members_by_discriminator = discriminated::candidate_members(model, &candidates);
    let groups = groups::find_groups(model, component, &candidates);
    let mut unions = component_unions(
        model,
        component,
        &candidates,
        &members_by_discriminator,
        &groups.list,
    );
    let mut used_fields: Vec<FieldId> = Vec::new();
    for (form, union) in &mut unions {
        set_rule_comparison(model, form, union);
        if let SelectionRule::Discriminated { discriminator, .. } = form.selection {
            used_fields.extend(&form.members);
            used_fields.push(discriminator);
        }
        analysis.findings.extend(union_findings(model, form));
    }
    let union_context = UnionContext {
        candidates: &candidates,
        members_by_discriminator: &members_by_discriminator,
        used_fields: &used_fields,
    };
    let missing_rule_findings =
        missing_rules::missing_rules(model, components, component_index, &union_context);
    // A weak union is only a dependency between two fields. If all unions are weak, no reasons are
    // reported beside them.
    let is_weak = |(form, union): &(UnionForm, Union)| {
        union.weak && matches!(form.selection, SelectionRule::Discriminated { .. })
    };
    let all_are_weak = !unions.is_empty() && unions.iter().all(is_weak);
    let has_union = unions
        .iter()
        .any(|(form, _)| form.members.len() > 1 || !used_fields.is_empty());
    let component_context = ComponentContext {
        candidates: &candidates,
        members_by_discriminator: &members_by_discriminator,
        used_fields: &used_fields,
        findings: &missing_rule_findings,
        has_union,
    };
    exclusions::add_exclusions(model, &groups.pairs, &groups.alternatives, analysis);
    if let Some(component) = components.get_mut(component_index) {
        let component_reasons = if all_are_weak {
            Vec::new()
        } else {
            reasons::no_union_reasons(model, component, &component_context)
        };
        analysis
            .no_union_reasons
            .extend(explained_reasons(&groups, component_reasons));
    }
    analysis.findings.extend(missing_rule_findings);
    analysis
        .unions
        .extend(unions.into_iter().map(|(_, union)| union));
}

/// Returns the unions of a component: groups, then unions whose discriminator selects the member
/// (2022 model), then unions whose discriminator follows the member (2019 model).
fn component_unions(
    model: &Model<'_>,
    component: &mut RuleComponent,
    candidates: &[DiscriminatorCandidate],
    members_by_discriminator: &[CandidateMembers],
    groups: &[Group],
) -> Vec<(UnionForm, Union)> {
    let mut discriminated: Vec<(UnionForm, Union)> = Vec::new();
    let has_members = |candidate_members: &&CandidateMembers| !candidate_members.members.is_empty();
    for candidate_members in members_by_discriminator.iter().filter(has_members) {
        let has_same_discriminator = |candidate: &&DiscriminatorCandidate| {
            candidate.discriminator == candidate_members.discriminator
        };
        let candidate = candidates.iter().find(has_same_discriminator);
        discriminated.extend(
            candidate
                .and_then(|candidate| discriminated_union(model, candidate, candidate_members)),
        );
    }
    let mut deduced_fields: Vec<FieldId> = Vec::new();
    for candidate in candidates {
        let is_used = |(form, _): &(UnionForm, Union)| form.has_field(candidate.discriminator);
        if !discriminated.iter().any(is_used)
            && let Some(members) = discriminated::deduced_members(model, component, candidate)
        {
            discriminated.extend(deduced_union(model, candidate, &members));
            deduced_fields.extend(members.iter().map(|member| member.field));
        }
    }
    let groups = groups
        .iter()
        .filter(|group| !is_within(group, &deduced_fields));
    let group_unions = groups.map(|group| group_union(model, group));
    group_unions.chain(discriminated).collect()
}

/// Returns the findings about the rules of a union: messages, nulls and transition rules.
fn union_findings(model: &Model<'_>, form: &UnionForm) -> Vec<Finding> {
    let mut fields = form.members.clone();
    let mut findings = match form.selection {
        SelectionRule::Group { needs_one } => {
            wrong_rules::contradicting_messages(model, &fields, needs_one)
        }
        SelectionRule::Discriminated { discriminator, .. } => {
            fields.push(discriminator);
            Vec::new()
        }
    };
    findings.extend(wrong_rules::nulls_counted_as_set(model, &fields));
    findings.extend(wrong_rules::blocked_switches(model, &fields));
    findings
}

/// Returns the reasons of a component. Exclusions explain dependencies, so `Dependency` is omitted
/// if there are exclusions.
fn explained_reasons(groups: &Groups, component_reasons: Vec<NoUnionReason>) -> Vec<NoUnionReason> {
    let mut reasons = Vec::new();
    if groups.has_overlap {
        reasons.push(NoUnionReason::OverlappingExclusions);
    }
    if groups.has_further_exclusions {
        reasons.push(NoUnionReason::AdditionalExclusion);
    }
    let is_explained = !reasons.is_empty();
    let component_reasons = component_reasons.into_iter();
    reasons.extend(
        component_reasons.filter(|reason| !is_explained || *reason != NoUnionReason::Dependency),
    );
    reasons
}

fn is_within(group: &Group, members: &[FieldId]) -> bool {
    group.members.iter().all(|field| members.contains(field))
}

/// Sets the rules that the union can replace, the remaining rules, `exact` and
/// `empty_counts_as_unset`.
fn set_rule_comparison(model: &Model<'_>, form: &UnionForm, union: &mut Union) {
    let comparison = compare_rules(model, form);
    union.exact = comparison.remaining_rules.is_empty();
    union.replaceable_rules = comparison.replaceable_rules;
    union.remaining_rules = comparison.remaining_rules;
    let mut members = form.members.iter();
    union.empty_counts_as_unset = members.any(|member| model.treats_empty_as_unset(*member));
}

/// Converts a group to a union without a discriminator.
fn group_union(model: &Model<'_>, group: &Group) -> (UnionForm, Union) {
    let mut members = group.members.clone();
    members.sort_by_key(|field| model.fields.sort_key(*field));
    let named_members = members.iter().map(|field| {
        let name = model.fields.name(*field);
        Member {
            value: name.clone(),
            name,
            optional: true,
        }
    });
    let union = Union {
        arity: if group.needs_one {
            UnionModel::ExactlyOne
        } else {
            UnionModel::AtMostOne
        },
        members: named_members.collect(),
        weak: members.len() == 1,
        ..empty_union()
    };
    let selection = SelectionRule::Group {
        needs_one: group.needs_one,
    };
    (UnionForm { selection, members }, union)
}

/// Returns a union of the 2022 model without a discriminator and members, which the callers add.
fn empty_union() -> Union {
    Union {
        discriminator: None,
        arity: UnionModel::Discriminated,
        members: Vec::new(),
        exact: false,
        weak: false,
        empty_counts_as_unset: false,
        conditional_fields: Vec::new(),
        replaceable_rules: Vec::new(),
        remaining_rules: Vec::new(),
    }
}

/// Returns the union of the 2022 model with this discriminator and these members.
fn discriminated_union(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    candidate_members: &CandidateMembers,
) -> Option<(UnionForm, Union)> {
    let (discriminator, mut state_rules) = discriminator(model, candidate)?;
    let members = members(
        model,
        candidate,
        &candidate_members.members,
        &mut state_rules,
    )?;
    let weak = match &*members {
        [only_member] => {
            only_member.optional && !is_named_like(&only_member.name, &only_member.value)
        }
        _ => false,
    };
    let fields: Vec<FieldId> = candidate_members
        .members
        .iter()
        .map(|member| member.field)
        .collect();
    let mut union = Union {
        discriminator: Some(discriminator),
        members,
        weak,
        conditional_fields: conditional_fields(model, candidate, &fields),
        ..empty_union()
    };
    remove_member_values(&mut union);
    let selection = SelectionRule::Discriminated {
        discriminator: candidate.discriminator,
        state_rules,
    };
    let form = UnionForm {
        selection,
        members: fields,
    };
    Some((form, union))
}

/// Returns the union of the 2019 model with this discriminator and these members.
fn deduced_union(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    deduced_members: &[CandidateMember],
) -> Option<(UnionForm, Union)> {
    let (discriminator, mut state_rules) = discriminator(model, candidate)?;
    let states = model.fields.states(candidate.discriminator);
    for (state_rule, state) in state_rules.iter_mut().zip(states) {
        let follows_member = matches!(state, FieldState::Absent | FieldState::Null)
            || *state == FieldState::String(String::new());
        if state_rule.is_some() && follows_member {
            *state_rule = Some(StateRule::AtMostOne);
        }
    }
    let members = members(model, candidate, deduced_members, &mut state_rules)?;
    let weak = match &*members {
        [only_member] => !is_named_like(&only_member.name, &only_member.value),
        _ => false,
    };
    let mut union = Union {
        discriminator: Some(discriminator),
        arity: UnionModel::AtMostOne,
        members,
        weak,
        ..empty_union()
    };
    remove_member_values(&mut union);
    let selection = SelectionRule::Discriminated {
        discriminator: candidate.discriminator,
        state_rules,
    };
    let members = deduced_members.iter().map(|member| member.field).collect();
    Some((UnionForm { selection, members }, union))
}

/// Returns the members, and sets the state rules of their discriminator values.
fn members(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    members: &[CandidateMember],
    state_rules: &mut [Option<StateRule>],
) -> Option<Vec<Member>> {
    let states = model.fields.states(candidate.discriminator);
    let members = members.iter().map(|member| {
        let CandidateMember {
            field,
            state,
            optional,
        } = *member;
        if let Some(state_rule) = state_rules.get_mut(state) {
            *state_rule = Some(StateRule::Member { field, optional });
        }
        Some(Member {
            name: model.fields.name(field),
            value: state_label(states.get(state)?),
            optional,
        })
    });
    members.collect()
}

/// Returns the discriminator with all its values as empty members, and the rule of each of its
/// states without members. The caller adds the members.
fn discriminator(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
) -> Option<(Discriminator, Vec<Option<StateRule>>)> {
    let field = model.fields.get(candidate.discriminator)?;
    let mut values = Vec::new();
    let mut state_rules = Vec::new();
    let mut may_be_absent = false;
    // With an enum, a value that is not listed can only be a future value of the enum.
    let other_string_state = field.state_index(&FieldState::OtherString);
    let is_other_string_allowed = other_string_state.and_then(|state| candidate.allowed.get(state));
    let open = field.values.is_none() && is_other_string_allowed == Some(&true);
    for (state, allowed) in field.states.iter().zip(&candidate.allowed) {
        let is_listed = match state {
            FieldState::String(value) => {
                // All values of an enum are listed.
                let is_listed = *allowed || field.values.is_some();
                if is_listed {
                    values.push(value.clone());
                }
                is_listed || open
            }
            FieldState::OtherString => open,
            _ => {
                may_be_absent |= *allowed;
                *allowed
            }
        };
        state_rules.push(is_listed.then_some(StateRule::NoMember));
    }
    let discriminator = Discriminator {
        name: model.fields.name(candidate.discriminator),
        required: !may_be_absent,
        default: field.default.and_then(Value::as_str).map(str::to_owned),
        empty_members: values,
        open,
    };
    Some((discriminator, state_rules))
}

/// Removes the values of the members from the empty members.
fn remove_member_values(union: &mut Union) {
    if let Some(discriminator) = &mut union.discriminator {
        let members = &union.members;
        discriminator
            .empty_members
            .retain(|value| !members.iter().any(|member| member.value == *value));
    }
}

/// Returns the fields that depend on the discriminator and are neither members nor possible
/// discriminators.
fn conditional_fields(
    model: &Model<'_>,
    candidate: &DiscriminatorCandidate,
    members: &[FieldId],
) -> Vec<ConditionalField> {
    let has_strings = |id: FieldId| model.fields.get(id).is_some_and(Field::has_string_states);
    let is_conditional = |settability: &&SettabilityByState| {
        !members.contains(&settability.field)
            && !has_strings(settability.field)
            && settability.is_determined_by(candidate)
    };
    let settabilities = candidate.settabilities.iter().filter(is_conditional);
    settabilities
        .map(|settability| ConditionalField {
            name: model.fields.name(settability.field),
            values: state_labels(
                model,
                candidate.discriminator,
                &settability.settable_states(),
            ),
            required_at: state_labels(
                model,
                candidate.discriminator,
                &settability.required_states(candidate),
            ),
        })
        .collect()
}
