//! Computes the number of elements of a list or map for which an API server's cost budget is
//! sufficient.
//!
//! An expression is evaluated on generated objects with a few elements that all switch to another
//! member. The cost grows at most with the square of the number of elements, so three evaluations
//! determine the cost.

use k8s_cel::cost::PER_CALL_LIMIT;
use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, Evaluator, Program};
use serde_json::{Map, Value, json};
use union_runtime::MemberSpec;

use crate::limitation::Limitation;
use crate::location::union_location::{LocationStep, UnionLocation};

/// The number of elements of the smallest generated object, and the difference to each larger one.
const ELEMENT_STEP: u64 = 8;

/// A number of elements that no request reaches.
const MAX_ELEMENTS: u64 = 10_000_000;

/// The length of generated keys, which is the maximum length of a DNS label.
const KEY_LENGTH: usize = 63;

/// The number of elements of a list or map that the cost limit allows at a location.
pub(crate) struct CostBudget {
    path: String,
    max_in_order: u64,
    pub(crate) max_reordered: u64,
}

impl CostBudget {
    /// Returns the budget of a location inside lists or maps, if they may have more elements than
    /// the budget allows. `schema` is the schema of the root object, and `expression` the part of
    /// the policy's expression that determines the cost.
    pub(crate) fn find(
        location: &UnionLocation<'_>,
        schema: &Value,
        expression: &str,
    ) -> Option<Self> {
        let expression = PricedExpression::compile(expression)?;
        let loops = 0..location.loop_count();
        let min_affordable_elements = |is_reordered| {
            let loops = loops.clone();
            loops
                .filter_map(|index| affordable_elements(location, &expression, index, is_reordered))
                .min()
        };
        let max_in_order = min_affordable_elements(false)?;
        let max_reordered = min_affordable_elements(true)
            .unwrap_or(max_in_order)
            .min(max_in_order);
        let schema_max = max_unions(location, schema);
        if schema_max.is_some_and(|schema_max| schema_max <= max_reordered) {
            return None;
        }
        Some(Self {
            path: location.path(),
            max_in_order,
            max_reordered,
        })
    }

    /// Returns the limitation with the consequence of more elements.
    pub(crate) fn into_limitation(self, consequence: &str) -> Limitation {
        let Self {
            path,
            max_in_order,
            max_reordered,
        } = self;
        let reordered_clause = if max_reordered < max_in_order {
            format!(", or for {max_reordered} in another order")
        } else {
            String::new()
        };
        let message = format!(
            "the CEL cost limit is enough for {max_in_order} elements that all switch{reordered_clause}; {consequence}"
        );
        Limitation::new(path, message)
    }
}

/// Returns the maximum number of unions at a location, if the schema limits it.
fn max_unions(location: &UnionLocation<'_>, schema: &Value) -> Option<u64> {
    let (mut max_count, mut schema) = (1_u64, schema);
    for step in &location.steps {
        let max_count_of_step;
        (max_count_of_step, schema) = match step {
            LocationStep::Field(name) => (Some(1), schema.get("properties")?.get(*name)?),
            LocationStep::Items(_) => (schema.get("maxItems")?.as_u64(), schema.get("items")?),
            LocationStep::Values(_) => (
                schema.get("maxProperties")?.as_u64(),
                schema.get("additionalProperties")?,
            ),
        };
        max_count = max_count.saturating_mul(max_count_of_step?);
    }
    Some(max_count)
}

/// Returns the maximum number of elements of the list or map with the index `loop_index` for which
/// the cost is within the budget. Each other list or map has one element.
fn affordable_elements(
    location: &UnionLocation<'_>,
    expression: &PricedExpression,
    loop_index: usize,
    is_reordered: bool,
) -> Option<u64> {
    let cost_for = |element_count: u64| {
        let object =
            |is_new| generated_object(location, loop_index, element_count, is_new, is_reordered);
        expression.cost(&object(true), &object(false))
    };
    let costs = [
        cost_for(ELEMENT_STEP)?,
        cost_for(2 * ELEMENT_STEP)?,
        cost_for(3 * ELEMENT_STEP)?,
    ];
    let [first_cost, second_cost, third_cost] = costs.map(i128::from);
    // The Newton polynomial through the three costs.
    let difference = second_cost - first_cost;
    let second_difference = third_cost - 2 * second_cost + first_cost;
    let is_affordable = |steps: u64| {
        let steps = i128::from(steps);
        let cost = first_cost + steps * difference + steps * (steps - 1) / 2 * second_difference;
        cost <= i128::from(PER_CALL_LIMIT)
    };
    let mut affordable_steps = 0;
    let mut too_many_steps = MAX_ELEMENTS / ELEMENT_STEP;
    if !is_affordable(0) {
        return Some(0);
    }
    while affordable_steps + 1 < too_many_steps {
        let middle = u64::midpoint(affordable_steps, too_many_steps);
        if is_affordable(middle) {
            affordable_steps = middle;
        } else {
            too_many_steps = middle;
        }
    }
    Some((affordable_steps + 1) * ELEMENT_STEP)
}

/// An expression that is compiled for evaluations with several objects.
struct PricedExpression {
    types: DeclaredTypes,
    program: Program,
    /// The program without the expression, whose cost is deducted.
    empty_program: Program,
}

impl PricedExpression {
    fn compile(expression: &str) -> Option<Self> {
        // An `oldSelf` without a declared type has the costs of the objects of a policy.
        let types = DeclaredType::object([("of", DeclaredType::int_or_string())]);
        let types = types.build().ok()?;
        let environment = Environment::new(&types, DeclaredTypes::ROOT).optional_old_self(true);
        let compile = |expression: &str| {
            let source = format!(
                "[oldSelf.value().of].map(of, [of.object].map(object, [of.oldObject].map(oldObject, {expression})[0])[0])"
            );
            environment.compile(&source).ok()
        };
        let (program, empty_program) = (compile(expression)?, compile("[]")?);
        Some(Self {
            types,
            program,
            empty_program,
        })
    }

    /// Returns the cost of an evaluation; `None` if the evaluation fails.
    fn cost(&self, new: &Value, old: &Value) -> Option<u64> {
        let value = json!({"of": {"object": new, "oldObject": old}});
        let self_binding = Binding::new(&self.types, &value, DeclaredTypes::ROOT);
        let old_self_binding = Binding::untyped(&value).into_optional();
        let cost = |program| {
            let mut evaluator = Evaluator::new(&self.types);
            let old_self = Some(&old_self_binding);
            let evaluation = evaluator.run(program, &self_binding, old_self, u64::MAX);
            evaluation.result.is_ok().then_some(evaluation.cost)
        };
        Some(cost(&self.program)?.saturating_sub(cost(&self.empty_program)?))
    }
}

/// Returns the new or the old object for an evaluation. The unions at the location have all members
/// set, and the new object selects another member than the old object.
fn generated_object(
    location: &UnionLocation<'_>,
    loop_index: usize,
    element_count: u64,
    is_new: bool,
    is_reordered: bool,
) -> Value {
    let mut outer_loop_count = location.loop_count();
    let mut value = Value::Object(generated_union(location, is_new));
    for step in location.steps.iter().rev() {
        if !matches!(step, LocationStep::Field(_)) {
            outer_loop_count -= 1;
        }
        let element_count = if outer_loop_count == loop_index {
            element_count
        } else {
            1
        };
        value = match step {
            LocationStep::Field(name) => json!({ *name: value }),
            LocationStep::Items(keys) => {
                let element_with_keys = |key_number| {
                    let mut element = value.clone();
                    if let Value::Object(element) = &mut element {
                        let keys = keys.iter().map(|(name, _)| *name);
                        element.extend(
                            keys.map(|name| (name.to_owned(), generated_key(key_number).into())),
                        );
                    }
                    element
                };
                let mut items: Vec<Value> = (0..element_count).map(element_with_keys).collect();
                if is_new && is_reordered {
                    items.reverse();
                }
                items.into()
            }
            LocationStep::Values(_) => {
                let entries =
                    (0..element_count).map(|key_number| (generated_key(key_number), value.clone()));
                Value::Object(entries.collect())
            }
        };
    }
    value
}

fn generated_key(number: u64) -> String {
    format!("{number:x>KEY_LENGTH$}")
}

fn generated_union(location: &UnionLocation<'_>, is_new: bool) -> Map<String, Value> {
    let spec = location.union.spec();
    let members = spec.members().map(MemberSpec::name);
    let mut union: Map<String, Value> = members.map(|name| (name.to_owned(), json!({}))).collect();
    let Some(discriminator) = spec.discriminator() else {
        // Without a discriminator, the new object has one member more than the old object.
        let first_member = spec.members().map(MemberSpec::name).next();
        if let (false, Some(first_member)) = (is_new, first_member) {
            union.remove(first_member);
        }
        return union;
    };
    let mut values = spec.members().map(MemberSpec::value);
    let selected_value = if is_new { values.next() } else { values.last() };
    if let Some(selected_value) = selected_value {
        union.insert(discriminator.name().to_owned(), selected_value.into());
    }
    union
}
