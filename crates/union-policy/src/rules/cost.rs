//! The number of elements of a list or a map for which the cost budget of an API server suffices.
//!
//! An expression is evaluated on generated objects with a few elements, all of which switch to
//! another member. The cost grows at most with the square of their number, so three evaluations
//! determine it.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, Evaluator};
use serde_json::{Map, Value, json};
use union_runtime::MemberSpec;

use crate::limitation::Limitation;
use crate::location::union_location::{LocationStep, UnionLocation};

/// The number of elements of the smallest generated object, and the step to each larger one.
const ELEMENT_STEP: u64 = 8;

/// A number of elements that no request can contain.
const MAX_ELEMENTS: u64 = 10_000_000;

/// The length of generated keys: the maximum length of the name of a label or a port.
const KEY_LENGTH: usize = 63;

/// Returns the gap of a site below lists or maps if they may have more elements than the budget
/// allows. `schema` is the schema of the object, `expression` the part of the policy's expression
/// that costs something.
pub(crate) fn cost_limitation(
    site: &UnionLocation<'_>,
    schema: &Value,
    expression: &str,
) -> Option<Limitation> {
    let loops = 0..site.loop_count();
    let fit = |is_moved| {
        let each = loops.clone();
        each.filter_map(|number| fitting(site, expression, number, is_moved))
            .min()
    };
    let in_order = fit(false)?;
    let moved = fit(true).unwrap_or(in_order).min(in_order);
    let most = most_elements(site, schema);
    if most.is_some_and(|most| most <= moved) {
        return None;
    }
    let moved = match moved {
        moved if moved < in_order => format!(", or for {moved} in another order"),
        _ => String::new(),
    };
    let why = format!(
        "the CEL cost limit is enough for {in_order} elements that all switch{moved}; requests with more are rejected. Set `maxItems` or `maxProperties`, or use a webhook"
    );
    Some(Limitation::new(site.path(), why))
}

/// Returns the maximum number of unions at a site, if its schema bounds it.
fn most_elements(site: &UnionLocation<'_>, schema: &Value) -> Option<u64> {
    let (mut most, mut schema) = (1_u64, schema);
    for step in &site.steps {
        let bound;
        (bound, schema) = match step {
            LocationStep::Field(name) => (Some(1), schema.get("properties")?.get(*name)?),
            LocationStep::Items(_) => (schema.get("maxItems")?.as_u64(), schema.get("items")?),
            LocationStep::Values(_) => (
                schema.get("maxProperties")?.as_u64(),
                schema.get("additionalProperties")?,
            ),
        };
        most = most.saturating_mul(bound?);
    }
    Some(most)
}

/// Returns the number of elements within the budget if the loop `number` has them, and each other
/// loop has one.
fn fitting(
    site: &UnionLocation<'_>,
    expression: &str,
    number: usize,
    is_moved: bool,
) -> Option<u64> {
    let cost = |count: u64| {
        let object = |is_new| object(site, number, count, is_new, is_moved);
        cost_of(expression, &object(true), &object(false))
    };
    let costs = [
        cost(ELEMENT_STEP)?,
        cost(2 * ELEMENT_STEP)?,
        cost(3 * ELEMENT_STEP)?,
    ];
    let [first, second, third] = costs.map(i128::from);
    // Newton's polynomial through the three costs.
    let (step, bend) = (second - first, third - 2 * second + first);
    let fits = |steps: u64| {
        let steps = i128::from(steps);
        let cost = first + steps * step + steps * (steps - 1) / 2 * bend;
        cost <= i128::from(PER_CALL_LIMIT)
    };
    let (mut fitting, mut too_many) = (0, MAX_ELEMENTS / ELEMENT_STEP);
    if !fits(0) {
        return Some(0);
    }
    while fitting + 1 < too_many {
        let middle = u64::midpoint(fitting, too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    Some((fitting + 1) * ELEMENT_STEP)
}

/// Returns the cost of an evaluation; `None` if the expression cannot be evaluated here.
fn cost_of(expression: &str, new: &Value, old: &Value) -> Option<u64> {
    // The values of an optional `oldSelf` are plain JSON, as the objects of a policy are.
    let types = DeclaredType::object([("of", DeclaredType::int_or_string())]);
    let types = types.build().ok()?;
    let environment = Environment::new(&types, DeclaredTypes::ROOT).optional_old_self(true);
    let cost = |expression: &str| {
        let source = format!(
            "[oldSelf.value().of].map(of, [of.object].map(object, [of.oldObject].map(oldObject, {expression})[0])[0])"
        );
        let program = environment.compile(&source).ok()?;
        let value = json!({"of": {"object": new, "oldObject": old}});
        let this = Binding::new(&types, &value, DeclaredTypes::ROOT);
        let stored = Binding::new(&types, &value, DeclaredTypes::ROOT).into_optional();
        let mut evaluator = Evaluator::new(&types);
        let evaluation = evaluator.run(&program, &this, Some(&stored), u64::MAX);
        evaluation.result.is_ok().then_some(evaluation.cost)
    };
    Some(cost(expression)?.saturating_sub(cost("[]")?))
}

/// Returns an object whose unions at the site have all members set. The new object selects another
/// member than the old one.
fn object(
    site: &UnionLocation<'_>,
    number: usize,
    count: u64,
    is_new: bool,
    is_moved: bool,
) -> Value {
    let mut loops = site.loop_count();
    let mut value = Value::Object(union(site, is_new));
    for step in site.steps.iter().rev() {
        if !matches!(step, LocationStep::Field(_)) {
            loops -= 1;
        }
        let count = if loops == number { count } else { 1 };
        value = match step {
            LocationStep::Field(name) => json!({ *name: value }),
            LocationStep::Items(keys) => {
                let keyed = |number| {
                    let mut element = value.clone();
                    if let Value::Object(element) = &mut element {
                        let keys = keys.iter().map(|(name, _)| *name);
                        element.extend(keys.map(|name| (name.to_owned(), key(number).into())));
                    }
                    element
                };
                let mut items: Vec<Value> = (0..count).map(keyed).collect();
                if is_new && is_moved {
                    items.reverse();
                }
                items.into()
            }
            LocationStep::Values(_) => {
                let entries = (0..count).map(|number| (key(number), value.clone()));
                Value::Object(entries.collect())
            }
        };
    }
    value
}

fn key(number: u64) -> String {
    format!("{number:x>KEY_LENGTH$}")
}

fn union(site: &UnionLocation<'_>, is_new: bool) -> Map<String, Value> {
    let spec = site.union.spec();
    let members = spec.members().map(MemberSpec::name);
    let mut union: Map<String, Value> = members.map(|name| (name.to_owned(), json!({}))).collect();
    let Some(discriminator) = spec.discriminator() else {
        // A union without a discriminator: the new object has one more member.
        let first = spec.members().map(MemberSpec::name).next();
        if let (false, Some(first)) = (is_new, first) {
            union.remove(first);
        }
        return union;
    };
    let mut values = spec.members().map(MemberSpec::value);
    let selected = if is_new { values.next() } else { values.last() };
    if let Some(selected) = selected {
        union.insert(discriminator.name().to_owned(), selected.into());
    }
    union
}
