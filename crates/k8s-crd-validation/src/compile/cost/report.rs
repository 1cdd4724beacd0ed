//! What the rules of a schema may cost a server at worst, and why.

use core::fmt;

use serde_json::Value;

use super::bound::{Bound, Multiplier, joined};
use super::remedy::{Expression, Tries, remedies};
use crate::rules::limits::{cardinality, most_below, product};
use crate::schema::programs::{Compiled, Message, Programs};
use crate::schema::{Kind, NodeId, Rule, StructuralSchema};
use k8s_cel::cost::{RULE_LIMIT, TOTAL_LIMIT};
use union_runtime::Violations;

/// What the CEL rules of a schema may cost an API server at worst, by its own estimate.
///
/// `Display` gives a line for each rule, the dearest first, and what to do about those that a server refuses.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CostReport {
    /// The rules, the dearest first.
    pub rules: Vec<RuleCost>,
    /// What all of them cost.
    pub total: u64,
}

/// What one rule may cost at worst.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuleCost {
    /// Where the rule's value is in an object: `spec.rules[*]`, or `spec.labels{*}` for the values of a map.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// What it costs once.
    pub each: u64,
    /// How often a server assumes that its value is in an object.
    pub times: u64,
    /// What the expression for its message costs; a server counts it once.
    pub message: u64,
    /// The lists and maps above it, from the outside.
    pub multipliers: Vec<Multiplier>,
    /// What to bound, if a server refuses the rule; any one of these ways helps. Of a schema with hundreds of such rules they are
    /// found for the dearest ones.
    pub remedies: Vec<Vec<Bound>>,
    is_of_union: bool,
    /// Whether nobody knows what to bound: it would take too long to find out.
    is_open: bool,
    node: NodeId,
    optional_old: bool,
}

impl CostReport {
    /// What one rule may cost in all the places where it may run: 10,000,000, the limit of `apiextensions-apiserver`.
    pub const RULE_LIMIT: u64 = RULE_LIMIT;
    /// What all rules of a schema may cost: 100,000,000.
    pub const TOTAL_LIMIT: u64 = TOTAL_LIMIT;

    /// Whether an API server takes the schema, as far as costs go.
    #[must_use]
    pub fn is_within_limits(&self) -> bool {
        self.total <= TOTAL_LIMIT && self.rules.iter().all(RuleCost::is_within_limit)
    }
}

impl RuleCost {
    /// What the rule costs in all places.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.each.saturating_mul(self.times)
    }

    /// Whether an API server takes the rule and the expression for its message.
    #[must_use]
    pub const fn is_within_limit(&self) -> bool {
        self.cost() <= RULE_LIMIT && self.message <= RULE_LIMIT
    }

    /// Whether it is a rule of a union, which `enforce = "one_of"` does without.
    #[must_use]
    pub fn is_of_union(&self) -> bool {
        self.is_of_union
    }
}

/// Estimates what the CEL rules of a schema cost, as an API server does when a CRD is written: by the largest values that
/// the schema's bounds allow, in all the places where the lists and maps above allow them.
///
/// The schema is one as it stands under `openAPIV3Schema`. What a server refuses in it for other reasons is not looked at.
///
/// ```
/// use serde_json::json;
/// use k8s_crd_validation::cost_report;
///
/// let report = cost_report(&json!({"type": "object", "properties": {
///     "names": {"type": "array", "items": {
///         "type": "string",
///         "x-kubernetes-validations": [{"rule": "self.contains('x')"}],
///     }},
/// }}))?;
/// assert!(!report.is_within_limits());
/// assert_eq!(report.rules[0].path, "names[*]");
/// assert_eq!(report.rules[0].multipliers[0].path, "names");
/// # Ok::<(), union_runtime::Violations>(())
/// ```
///
/// # Errors
///
/// What keeps the schema from being read.
pub fn cost_report(schema: &Value) -> Result<CostReport, Violations> {
    let schema = StructuralSchema::compiler().stored().schema(schema)?;
    let mut walk = Walk {
        schema: &schema,
        rules: Vec::new(),
    };
    if let Some(programs) = &schema.programs {
        walk.visit(programs, StructuralSchema::ROOT, "", &mut Vec::new());
    }
    let mut rules = walk.rules;
    let costs = rules
        .iter()
        .map(|rule| rule.cost().saturating_add(rule.message));
    let total = costs.fold(0, u64::saturating_add);
    rules.sort_by_key(|rule| core::cmp::Reverse(rule.cost()));
    if let Some(programs) = &schema.programs {
        let tries = Tries::new();
        for rule in &mut rules {
            let target = target(rule.cost(), total);
            if rule.cost() <= target {
                continue;
            }
            let expression = Expression {
                node: rule.node,
                path: &rule.path,
                text: &rule.rule,
                optional_old: rule.optional_old,
            };
            let found = remedies(
                &schema,
                programs,
                &expression,
                &rule.multipliers,
                target,
                &tries,
            );
            // What was found without the last tries may be wrong.
            rule.is_open = tries.are_none();
            if !rule.is_open {
                rule.remedies = found;
            }
        }
    }
    Ok(CostReport { rules, total })
}

/// What a rule has to come down to: the limit of one, or its share of what all may cost.
fn target(cost: u64, total: u64) -> u64 {
    if total <= TOTAL_LIMIT {
        return RULE_LIMIT;
    }
    let share = u128::from(cost) * u128::from(TOTAL_LIMIT) / u128::from(total);
    u64::try_from(share).unwrap_or(RULE_LIMIT).min(RULE_LIMIT)
}

struct Walk<'a> {
    schema: &'a StructuralSchema,
    rules: Vec<RuleCost>,
}

impl Walk<'_> {
    fn visit(
        &mut self,
        programs: &Programs,
        id: NodeId,
        path: &str,
        multipliers: &mut Vec<Multiplier>,
    ) {
        let node = self.schema.node(id);
        if !node.below.has_rules {
            return;
        }
        let bounds = multipliers.iter().map(|multiplier| multiplier.bound);
        let times = cardinality(product(bounds), programs.declared.get(id).min_size);
        for (rule, compiled) in node.rules.iter().zip(&programs.node(id).rules) {
            self.rules
                .push(cost_of(rule, compiled, id, path, times, multipliers));
        }
        let keyword = match node.kind {
            Some(Kind::Array) => "maxItems",
            _ => "maxProperties",
        };
        for property in &node.properties {
            let path = joined(path, &property.name);
            self.visit(programs, property.id, &path, multipliers);
        }
        let values = node.items.map(|items| (items, "[*]"));
        let values = values.or(node.values_schema().map(|values| (values, "{*}")));
        if let Some((child, step)) = values {
            multipliers.push(Multiplier {
                path: path.to_owned(),
                bound: most_below(node),
                keyword,
                node: id,
            });
            self.visit(programs, child, &format!("{path}{step}"), multipliers);
            multipliers.pop();
        }
    }
}

fn cost_of(
    rule: &Rule,
    compiled: &Compiled,
    node: NodeId,
    path: &str,
    times: u64,
    multipliers: &[Multiplier],
) -> RuleCost {
    let has_message = matches!(compiled.message, Message::Program(_));
    RuleCost {
        path: path.to_owned(),
        rule: rule.rule.to_string(),
        each: compiled.max_cost,
        times,
        message: if has_message {
            compiled.message_max_cost
        } else {
            0
        },
        multipliers: multipliers.to_vec(),
        remedies: Vec::new(),
        is_of_union: union_runtime::is_union_text(&rule.message),
        is_open: false,
        node,
        optional_old: rule.optional_old_self == Some(true),
    }
}

impl fmt::Display for CostReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "all rules together: {} of {TOTAL_LIMIT} at most",
            self.total
        )?;
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RuleCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "the root"
        } else {
            &self.path
        };
        write!(
            f,
            "{path}: {} = {} x {} times, of {RULE_LIMIT} at most: {}",
            self.cost(),
            self.each,
            self.times,
            self.rule
        )?;
        let unbounded = self
            .multipliers
            .iter()
            .filter(|above| above.bound.is_none());
        for above in unbounded {
            write!(f, "\n  `{}` has no {}", above.path, above.keyword)?;
        }
        for advice in self.advice() {
            write!(f, "\n  {advice}")?;
        }
        Ok(())
    }
}

impl RuleCost {
    /// What to do if a server refuses it, in the words of `Display`: a line for each way; none where there is nothing to do.
    #[must_use]
    pub fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        for (i, ways) in self.remedies.iter().enumerate() {
            let ways: Vec<String> = ways.iter().map(ToString::to_string).collect();
            let or = if i == 0 { "" } else { "or " };
            advice.push(format!("{or}set {}", ways.join(" and ")));
        }
        if self.is_of_union && !self.remedies_are_needless() {
            let or = if self.remedies.is_empty() { "" } else { "or " };
            advice.push(format!(
                "{or}write `#[union(enforce = \"one_of\")]`, which costs nothing"
            ));
        } else if self.remedies.is_empty() && !self.is_within_limit() {
            let simpler = if self.is_open {
                "simplify or bound those above first; this one's bounds were not looked for"
            } else {
                "no bound helps; simplify the rule"
            };
            advice.push(simpler.to_owned());
        }
        advice
    }

    fn remedies_are_needless(&self) -> bool {
        self.remedies.is_empty() && self.is_within_limit()
    }
}
