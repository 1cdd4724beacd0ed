//! Reads an object schema and the rules about the object.

use serde_json::{Map, Value};

use crate::findings::holes::{self, Asked, label, labels};
use crate::findings::mistakes;
use crate::report::finding::Finding;
use crate::report::reading::{Discriminator, LeftOut, Member, Reading, Reason, Rule, Union};
use crate::solver::component::{self, Component};
use crate::solver::model::{Model, Says};
use crate::solver::rank::is_named_like;
use crate::terms::fields::{Field, FieldId, State};
use crate::terms::gather::Part;
use crate::unions::by_value::{self, ByValue, MemberAt, Pattern, Selected};
use crate::unions::convention::conventions;
use crate::unions::exact::{At, By, Shape, covered};
use crate::unions::exclusions;
use crate::unions::groups::{self, Group, Groups};
use crate::unions::reasons::{self, Known};
use union_runtime::Arity;

/// Returns the reading of an object.
pub(crate) fn read(
    schema: &Map<String, Value>,
    pointer: &str,
    parts: &[Part<'_>],
    rules: Vec<Rule>,
    steps_left: u64,
) -> Reading {
    if !schema.contains_key("properties") {
        return Reading::default();
    }
    let model = Model::new(schema, pointer, parts, rules, steps_left);
    let mut components = component::components(&model, steps_left);
    let mut reading = Reading::default();
    let is_unsatisfiable = has_no_object(&model, &mut components);
    if is_unsatisfiable {
        reading.findings.push(mistakes::never_holds(&model));
        reading.beside.push(Reason::Unsatisfiable);
    } else {
        for number in 0..components.len() {
            read_component(&model, &mut components, number, &mut reading);
        }
    }
    reading.findings.extend(mistakes::mistakes(&model));
    reading.conventions = conventions(&model, &components);
    if !reading.conventions.is_empty() {
        reading.beside.push(Reason::Convention);
    }
    reading.beside.sort_unstable();
    reading.beside.dedup();
    let ids = 0..model.fields.list.len();
    let empty = ids.filter(|id| model.empty_counts_as_unset(*id));
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

fn has_no_object(model: &Model<'_>, components: &mut [Component]) -> bool {
    let never = model.pieces.iter().any(|piece| match &piece.says {
        Says::Table { reduced, .. } => reduced.never_holds(),
        _ => false,
    });
    never
        || components
            .iter_mut()
            .any(|component| !component.may_be(&[]))
}

fn read_component(
    model: &Model<'_>,
    components: &mut [Component],
    number: usize,
    reading: &mut Reading,
) {
    let Some(component) = components.get_mut(number) else {
        return;
    };
    let by_values = by_value::by_values(model, component);
    let selected = by_value::selected(model, &by_values);
    let groups = groups::groups(model, component, &by_values);
    let mut all = unions(model, component, &by_values, &selected, &groups.found);
    let mut taken: Vec<FieldId> = Vec::new();
    for (shape, union) in &mut all {
        finish(model, shape, union);
        if let By::Value { discriminator, .. } = shape.by {
            taken.extend(&shape.members);
            taken.push(discriminator);
        }
        reading.findings.extend(about_union(model, shape));
    }
    let asked = Asked {
        by_values: &by_values,
        selected: &selected,
        taken: &taken,
    };
    let holes = holes::holes(model, components, number, &asked);
    // A weak union is itself only a dependency, so no other reasons are reported beside it.
    let is_weak =
        |(shape, union): &(Shape, Union)| union.weak && matches!(shape.by, By::Value { .. });
    let are_weak = !all.is_empty() && all.iter().all(is_weak);
    let has_union = all
        .iter()
        .any(|(shape, _)| shape.members.len() > 1 || !taken.is_empty());
    let known = Known {
        by_values: &by_values,
        selected: &selected,
        taken: &taken,
        findings: &holes,
        has_union,
    };
    exclusions::add(model, &groups.pairs, &groups.bundles, reading);
    if let Some(component) = components.get_mut(number) {
        let others = if are_weak {
            Vec::new()
        } else {
            reasons::reasons(model, component, &known)
        };
        reading.beside.extend(beside(&groups, others));
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
    component: &mut Component,
    by_values: &[ByValue],
    selected: &[Selected],
    groups: &[Group],
) -> Vec<(Shape, Union)> {
    let mut shapes: Vec<(Shape, Union)> = Vec::new();
    let has_members = |selected: &&Selected| !selected.members.is_empty();
    for selected in selected.iter().filter(has_members) {
        let is_it = |by_value: &&ByValue| by_value.discriminator == selected.discriminator;
        let by_value = by_values.iter().find(is_it);
        shapes.extend(by_value.and_then(|by_value| of_selected(model, by_value, selected)));
    }
    let mut followed: Vec<FieldId> = Vec::new();
    for by_value in by_values {
        let is_used = |(shape, _): &(Shape, Union)| shape.names(by_value.discriminator);
        if !shapes.iter().any(is_used)
            && let Some(members) = by_value::deduced(model, component, by_value)
        {
            shapes.extend(of_deduced(model, by_value, &members));
            followed.extend(members.iter().map(|member| member.field));
        }
    }
    let groups = groups.iter().filter(|group| !is_within(group, &followed));
    let grouped = groups.map(|group| of_group(model, group));
    grouped.chain(shapes).collect()
}

/// Returns the findings about the rules of a union as a whole.
fn about_union(model: &Model<'_>, shape: &Shape) -> Vec<Finding> {
    let mut fields = shape.members.clone();
    let mut found = match shape.by {
        By::Group { needs_one } => mistakes::message_about_group(model, &fields, needs_one),
        By::Value { discriminator, .. } => {
            fields.push(discriminator);
            Vec::new()
        }
    };
    found.extend(mistakes::null_counts(model, &fields));
    found.extend(mistakes::switches(model, &fields));
    found
}

/// Returns the reasons beside unions. Exclusions explain dependencies, so `Dependency` is left out
/// if there are exclusions.
fn beside(groups: &Groups, others: Vec<Reason>) -> Vec<Reason> {
    let mut found = Vec::new();
    if groups.overlap {
        found.push(Reason::OverlappingExclusions);
    }
    if groups.beside {
        found.push(Reason::ExclusionBeside);
    }
    let is_explained = !found.is_empty();
    let others = others.into_iter();
    found.extend(others.filter(|reason| !is_explained || *reason != Reason::Dependency));
    found
}

fn is_within(group: &Group, members: &[FieldId]) -> bool {
    group.members.iter().all(|field| members.contains(field))
}

/// Sets the rules that the union can replace, the rules that require more, and the flags.
fn finish(model: &Model<'_>, shape: &Shape, union: &mut Union) {
    let covered = covered(model, shape);
    union.exact = covered.left_over.is_empty();
    union.stands_for = covered.stands_for;
    union.left_over = covered.left_over;
    let mut members = shape.members.iter();
    union.empty_counts_as_unset = members.any(|member| model.empty_counts_as_unset(*member));
}

fn of_group(model: &Model<'_>, group: &Group) -> (Shape, Union) {
    let mut members = group.members.clone();
    members.sort_by_key(|field| model.fields.rank(*field));
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
            Arity::ExactlyOne
        } else {
            Arity::AtMostOne
        },
        members: named.collect(),
        weak: members.len() == 1,
        ..union()
    };
    let by = By::Group {
        needs_one: group.needs_one,
    };
    (Shape { by, members }, union)
}

fn union() -> Union {
    Union {
        discriminator: None,
        arity: Arity::Selected,
        members: Vec::new(),
        exact: false,
        weak: false,
        empty_counts_as_unset: false,
        left_out: Vec::new(),
        stands_for: Vec::new(),
        left_over: Vec::new(),
    }
}

fn of_selected(
    model: &Model<'_>,
    by_value: &ByValue,
    selected: &Selected,
) -> Option<(Shape, Union)> {
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
        left_out: left_out(model, by_value, &fields),
        ..union()
    };
    without_members(&mut union);
    let by = By::Value {
        discriminator: by_value.discriminator,
        at,
    };
    let shape = Shape {
        by,
        members: fields,
    };
    Some((shape, union))
}

fn of_deduced(
    model: &Model<'_>,
    by_value: &ByValue,
    deduced: &[MemberAt],
) -> Option<(Shape, Union)> {
    let (discriminator, mut at) = discriminator(model, by_value)?;
    let states = model.fields.states(by_value.discriminator);
    for (slot, state) in at.iter_mut().zip(states) {
        let follows =
            matches!(state, State::Absent | State::Null) || *state == State::Text(String::new());
        if slot.is_some() && follows {
            *slot = Some(At::Any);
        }
    }
    let members = members(model, by_value, deduced, &mut at)?;
    let weak = match &*members {
        [only] => !is_named_like(&only.name, &only.value),
        _ => false,
    };
    let mut union = Union {
        discriminator: Some(discriminator),
        arity: Arity::AtMostOne,
        members,
        weak,
        ..union()
    };
    without_members(&mut union);
    let by = By::Value {
        discriminator: by_value.discriminator,
        at,
    };
    let members = deduced.iter().map(|member| member.field).collect();
    Some((Shape { by, members }, union))
}

/// Returns the members by their names, and enters them at the states of the discriminator.
fn members(
    model: &Model<'_>,
    by_value: &ByValue,
    members: &[MemberAt],
    at: &mut [Option<At>],
) -> Option<Vec<Member>> {
    let states = model.fields.states(by_value.discriminator);
    let members = members.iter().map(|member| {
        let MemberAt {
            field,
            state,
            optional,
        } = *member;
        if let Some(slot) = at.get_mut(state) {
            *slot = Some(At::Member { field, optional });
        }
        Some(Member {
            name: model.fields.name(field),
            value: label(states.get(state)?),
            optional,
        })
    });
    members.collect()
}

/// Returns the discriminator with all its values as empty members, and the requirement of each of
/// its states while no member is known.
fn discriminator(
    model: &Model<'_>,
    by_value: &ByValue,
) -> Option<(Discriminator, Vec<Option<At>>)> {
    let field = model.fields.get(by_value.discriminator)?;
    let mut values = Vec::new();
    let mut at = Vec::new();
    let mut may_be_absent = false;
    // With an enum, another value can only be a future value.
    let another = field.position(&State::Another);
    let another = another.and_then(|state| by_value.allowed.get(state));
    let open = field.values.is_none() && another == Some(&true);
    for (state, allowed) in field.states.iter().zip(&by_value.allowed) {
        let is_listed = match state {
            State::Text(text) => {
                // All values of an enum are listed.
                let is_listed = *allowed || field.values.is_some();
                if is_listed {
                    values.push(text.clone());
                }
                is_listed || open
            }
            State::Another => open,
            _ => {
                may_be_absent |= *allowed;
                *allowed
            }
        };
        at.push(is_listed.then_some(At::Nothing));
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
fn without_members(union: &mut Union) {
    if let Some(discriminator) = &mut union.discriminator {
        let members = &union.members;
        discriminator
            .empty_members
            .retain(|value| !members.iter().any(|member| member.value == *value));
    }
}

fn left_out(model: &Model<'_>, by_value: &ByValue, members: &[FieldId]) -> Vec<LeftOut> {
    let is_text = |id: FieldId| model.fields.get(id).is_some_and(Field::is_split_by_text);
    let is_meant = |pattern: &&Pattern| {
        !members.contains(&pattern.field) && !is_text(pattern.field) && pattern.depends(by_value)
    };
    let patterns = by_value.patterns.iter().filter(is_meant);
    patterns
        .map(|pattern| LeftOut {
            name: model.fields.name(pattern.field),
            values: labels(model, by_value.discriminator, &pattern.set_at()),
            required_at: labels(
                model,
                by_value.discriminator,
                &pattern.required_at(by_value),
            ),
        })
        .collect()
}
