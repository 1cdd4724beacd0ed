//! Reads an object schema and the rules about the object.

use serde_json::{Map, Value};

use crate::findings::missing_rules::{self, UnionContext, state_label, state_labels};
use crate::findings::wrong_rules;
use crate::report::analysis::{
    ConditionalField, Discriminator, Member, NoUnionReason, ObjectAnalysis, Rule, Union,
};
use crate::report::finding::Finding;
use crate::solver::component::{self, RuleComponent};
use crate::solver::model::{ConstraintForm, Model};
use crate::solver::name_similarity::is_named_like;
use crate::terms::conjuncts::Conjunct;
use crate::terms::fields::{Field, FieldId, FieldState};
use crate::unions::discriminated::{
    self, CandidateMember, CandidateMembers, DiscriminatorCandidate, SettabilityByState,
};
use crate::unions::equivalence::{SelectionRule, StateRule, UnionForm, covered_rules};
use crate::unions::exclusions;
use crate::unions::groups::{self, Group, Groups};
use crate::unions::naming_hints::naming_hints;
use crate::unions::reasons::{self, ComponentContext};
use union_runtime::UnionModel;

/// Returns the reading of an object.
pub(crate) fn analyze(
    schema: &Map<String, Value>,
    pointer: &str,
    parts: &[Conjunct<'_>],
    rules: Vec<Rule>,
    steps_left: u64,
) -> ObjectAnalysis {
    if !schema.contains_key("properties") {
        return ObjectAnalysis::default();
    }
    let model = Model::new(schema, pointer, parts, rules, steps_left);
    let mut components = component::components(&model, steps_left);
    let mut reading = ObjectAnalysis::default();
    let is_unsatisfiable = has_no_object(&model, &mut components);
    if is_unsatisfiable {
        reading
            .findings
            .push(wrong_rules::unsatisfiable_rules(&model));
        reading.no_union_reasons.push(NoUnionReason::Unsatisfiable);
    } else {
        for number in 0..components.len() {
            analyze_component(&model, &mut components, number, &mut reading);
        }
    }
    reading.findings.extend(wrong_rules::wrong_rules(&model));
    reading.naming_hints = naming_hints(&model, &components);
    if !reading.naming_hints.is_empty() {
        reading
            .no_union_reasons
            .push(NoUnionReason::NamingConvention);
    }
    reading.no_union_reasons.sort_unstable();
    reading.no_union_reasons.dedup();
    let ids = 0..model.fields.list.len();
    let empty = ids.filter(|id| model.treats_empty_as_unset(*id));
    reading.empty_counts_as_unset = empty.map(|id| model.fields.name(id)).collect();
    let solved: u64 = components
        .iter()
        .map(|component| component.solver.steps())
        .sum();
    for finding in &mut reading.findings {
        finding.object.iter_mut().for_each(Value::sort_all_objects);
    }
    reading.steps = model.steps + solved;
    reading.rules = model.rules;
    reading
}

fn has_no_object(model: &Model<'_>, components: &mut [RuleComponent]) -> bool {
    let never = model.constraints.iter().any(|piece| match &piece.form {
        ConstraintForm::Table { reduced, .. } => reduced.is_unsatisfiable(),
        _ => false,
    });
    never
        || components
            .iter_mut()
            .any(|component| !component.is_possible(&[]))
}

fn analyze_component(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    number: usize,
    reading: &mut ObjectAnalysis,
) {
    let Some(component) = components.get_mut(number) else {
        return;
    };
    let by_values = discriminated::discriminator_candidates(model, component);
    let selected = discriminated::candidate_members(model, &by_values);
    let groups = groups::find_groups(model, component, &by_values);
    let mut all = unions(model, component, &by_values, &selected, &groups.list);
    let mut taken: Vec<FieldId> = Vec::new();
    for (shape, union) in &mut all {
        set_covered_rules(model, shape, union);
        if let SelectionRule::Discriminated { discriminator, .. } = shape.selection {
            taken.extend(&shape.members);
            taken.push(discriminator);
        }
        reading.findings.extend(union_findings(model, shape));
    }
    let asked = UnionContext {
        by_values: &by_values,
        selected: &selected,
        taken: &taken,
    };
    let holes = missing_rules::missing_rules(model, components, number, &asked);
    // A weak union is itself only a dependency, so no other reasons are reported beside it.
    let is_weak = |(shape, union): &(UnionForm, Union)| {
        union.weak && matches!(shape.selection, SelectionRule::Discriminated { .. })
    };
    let are_weak = !all.is_empty() && all.iter().all(is_weak);
    let has_union = all
        .iter()
        .any(|(shape, _)| shape.members.len() > 1 || !taken.is_empty());
    let known = ComponentContext {
        by_values: &by_values,
        selected: &selected,
        taken: &taken,
        findings: &holes,
        has_union,
    };
    exclusions::add_exclusions(model, &groups.pairs, &groups.alternatives, reading);
    if let Some(component) = components.get_mut(number) {
        let others = if are_weak {
            Vec::new()
        } else {
            reasons::no_union_reasons(model, component, &known)
        };
        reading
            .no_union_reasons
            .extend(explained_reasons(&groups, others));
    }
    reading.findings.extend(holes);
    reading
        .unions
        .extend(all.into_iter().map(|(_, union)| union));
}

/// Returns the unions of a component: groups, then unions whose discriminator selects the member,
/// then unions whose discriminator follows the member.
fn unions(
    model: &Model<'_>,
    component: &mut RuleComponent,
    by_values: &[DiscriminatorCandidate],
    selected: &[CandidateMembers],
    groups: &[Group],
) -> Vec<(UnionForm, Union)> {
    let mut shapes: Vec<(UnionForm, Union)> = Vec::new();
    let has_members = |selected: &&CandidateMembers| !selected.members.is_empty();
    for selected in selected.iter().filter(has_members) {
        let is_it =
            |by_value: &&DiscriminatorCandidate| by_value.discriminator == selected.discriminator;
        let by_value = by_values.iter().find(is_it);
        shapes.extend(by_value.and_then(|by_value| discriminated_union(model, by_value, selected)));
    }
    let mut followed: Vec<FieldId> = Vec::new();
    for by_value in by_values {
        let is_used = |(shape, _): &(UnionForm, Union)| shape.has_field(by_value.discriminator);
        if !shapes.iter().any(is_used)
            && let Some(members) = discriminated::deduced_members(model, component, by_value)
        {
            shapes.extend(deduced_union(model, by_value, &members));
            followed.extend(members.iter().map(|member| member.field));
        }
    }
    let groups = groups.iter().filter(|group| !is_within(group, &followed));
    let grouped = groups.map(|group| group_union(model, group));
    grouped.chain(shapes).collect()
}

/// Returns the findings about the rules of a union as a whole.
fn union_findings(model: &Model<'_>, shape: &UnionForm) -> Vec<Finding> {
    let mut fields = shape.members.clone();
    let mut found = match shape.selection {
        SelectionRule::Group { needs_one } => {
            wrong_rules::contradicting_messages(model, &fields, needs_one)
        }
        SelectionRule::Discriminated { discriminator, .. } => {
            fields.push(discriminator);
            Vec::new()
        }
    };
    found.extend(wrong_rules::nulls_counted_as_set(model, &fields));
    found.extend(wrong_rules::blocked_switches(model, &fields));
    found
}

/// Returns the reasons beside unions. Exclusions explain dependencies, so `Dependency` is left out
/// if there are exclusions.
fn explained_reasons(groups: &Groups, others: Vec<NoUnionReason>) -> Vec<NoUnionReason> {
    let mut found = Vec::new();
    if groups.has_overlap {
        found.push(NoUnionReason::OverlappingExclusions);
    }
    if groups.has_further_exclusions {
        found.push(NoUnionReason::AdditionalExclusion);
    }
    let is_explained = !found.is_empty();
    let others = others.into_iter();
    found.extend(others.filter(|reason| !is_explained || *reason != NoUnionReason::Dependency));
    found
}

fn is_within(group: &Group, members: &[FieldId]) -> bool {
    group.members.iter().all(|field| members.contains(field))
}

/// Sets the rules that the union can replace, the rules that require more, and the flags.
fn set_covered_rules(model: &Model<'_>, shape: &UnionForm, union: &mut Union) {
    let covered = covered_rules(model, shape);
    union.exact = covered.remaining_rules.is_empty();
    union.replaceable_rules = covered.replaceable_rules;
    union.remaining_rules = covered.remaining_rules;
    let mut members = shape.members.iter();
    union.empty_counts_as_unset = members.any(|member| model.treats_empty_as_unset(*member));
}

fn group_union(model: &Model<'_>, group: &Group) -> (UnionForm, Union) {
    let mut members = group.members.clone();
    members.sort_by_key(|field| model.fields.sort_key(*field));
    let named = members.iter().map(|field| {
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
        members: named.collect(),
        weak: members.len() == 1,
        ..union()
    };
    let by = SelectionRule::Group {
        needs_one: group.needs_one,
    };
    (
        UnionForm {
            selection: by,
            members,
        },
        union,
    )
}

fn union() -> Union {
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

fn discriminated_union(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    selected: &CandidateMembers,
) -> Option<(UnionForm, Union)> {
    let (discriminator, mut at) = discriminator(model, by_value)?;
    let members = members(model, by_value, &selected.members, &mut at)?;
    let weak = match &*members {
        [only] => only.optional && !is_named_like(&only.name, &only.value),
        _ => false,
    };
    let fields: Vec<FieldId> = selected.members.iter().map(|member| member.field).collect();
    let mut union = Union {
        discriminator: Some(discriminator),
        members,
        weak,
        conditional_fields: left_out(model, by_value, &fields),
        ..union()
    };
    remove_member_values(&mut union);
    let by = SelectionRule::Discriminated {
        discriminator: by_value.discriminator,
        state_rules: at,
    };
    let shape = UnionForm {
        selection: by,
        members: fields,
    };
    Some((shape, union))
}

fn deduced_union(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    deduced: &[CandidateMember],
) -> Option<(UnionForm, Union)> {
    let (discriminator, mut at) = discriminator(model, by_value)?;
    let states = model.fields.states(by_value.discriminator);
    for (slot, state) in at.iter_mut().zip(states) {
        let follows = matches!(state, FieldState::Absent | FieldState::Null)
            || *state == FieldState::String(String::new());
        if slot.is_some() && follows {
            *slot = Some(StateRule::AtMostOne);
        }
    }
    let members = members(model, by_value, deduced, &mut at)?;
    let weak = match &*members {
        [only] => !is_named_like(&only.name, &only.value),
        _ => false,
    };
    let mut union = Union {
        discriminator: Some(discriminator),
        arity: UnionModel::AtMostOne,
        members,
        weak,
        ..union()
    };
    remove_member_values(&mut union);
    let by = SelectionRule::Discriminated {
        discriminator: by_value.discriminator,
        state_rules: at,
    };
    let members = deduced.iter().map(|member| member.field).collect();
    Some((
        UnionForm {
            selection: by,
            members,
        },
        union,
    ))
}

/// Returns the members by their names, and enters them at the states of the discriminator.
fn members(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    members: &[CandidateMember],
    at: &mut [Option<StateRule>],
) -> Option<Vec<Member>> {
    let states = model.fields.states(by_value.discriminator);
    let members = members.iter().map(|member| {
        let CandidateMember {
            field,
            state,
            optional,
        } = *member;
        if let Some(slot) = at.get_mut(state) {
            *slot = Some(StateRule::Member { field, optional });
        }
        Some(Member {
            name: model.fields.name(field),
            value: state_label(states.get(state)?),
            optional,
        })
    });
    members.collect()
}

/// Returns the discriminator with all its values as empty members, and the requirement of each of
/// its states while no member is known.
fn discriminator(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
) -> Option<(Discriminator, Vec<Option<StateRule>>)> {
    let field = model.fields.get(by_value.discriminator)?;
    let mut values = Vec::new();
    let mut at = Vec::new();
    let mut may_be_absent = false;
    // With an enum, another value can only be a future value.
    let another = field.position(&FieldState::OtherString);
    let another = another.and_then(|state| by_value.allowed.get(state));
    let open = field.values.is_none() && another == Some(&true);
    for (state, allowed) in field.states.iter().zip(&by_value.allowed) {
        let is_listed = match state {
            FieldState::String(text) => {
                // All values of an enum are listed.
                let is_listed = *allowed || field.values.is_some();
                if is_listed {
                    values.push(text.clone());
                }
                is_listed || open
            }
            FieldState::OtherString => open,
            _ => {
                may_be_absent |= *allowed;
                *allowed
            }
        };
        at.push(is_listed.then_some(StateRule::NoMember));
    }
    let discriminator = Discriminator {
        name: model.fields.name(by_value.discriminator),
        required: !may_be_absent,
        default: field.default.and_then(Value::as_str).map(str::to_owned),
        empty_members: values,
        open,
    };
    Some((discriminator, at))
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

fn left_out(
    model: &Model<'_>,
    by_value: &DiscriminatorCandidate,
    members: &[FieldId],
) -> Vec<ConditionalField> {
    let is_text = |id: FieldId| model.fields.get(id).is_some_and(Field::has_string_states);
    let is_meant = |pattern: &&SettabilityByState| {
        !members.contains(&pattern.field)
            && !is_text(pattern.field)
            && pattern.is_determined_by(by_value)
    };
    let patterns = by_value.settabilities.iter().filter(is_meant);
    patterns
        .map(|pattern| ConditionalField {
            name: model.fields.name(pattern.field),
            values: state_labels(model, by_value.discriminator, &pattern.settable_states()),
            required_at: state_labels(
                model,
                by_value.discriminator,
                &pattern.required_states(by_value),
            ),
        })
        .collect()
}
