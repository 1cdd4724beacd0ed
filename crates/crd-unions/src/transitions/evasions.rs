//! Updates that evade a rule: they remove a value that the rule keeps unchanged, and set the value
//! anew.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use union_json::document::SchemaStep;

use crate::bounds::{TRANSITION_RULE_COST, TRANSITION_RULES, TRANSITION_SCHEMAS};
use crate::transitions::rule::{RuleResult, TransitionRule};
use crate::transitions::schema_tree::{NodeId, SchemaRule, SchemaTree};
use crate::transitions::values::different_values;
use k8s_json_internals::cel_name::escape_identifier;

/// A removal by which updates evade transition rules.
#[derive(Clone, Debug)]
pub(crate) struct Evasion {
    /// The name of the removed field, or of the field whose entries are removed.
    pub(crate) field: String,
    pub(crate) kind: RemovalKind,
    /// True if no smaller removal evades the rule.
    pub(crate) is_innermost: bool,
    /// True if the field is the `spec` or the `status` of the whole object.
    pub(crate) is_whole_part: bool,
    /// The names of the paths from the object to the values that the rules keep unchanged. A path
    /// ends at a list or a map.
    pub(crate) paths: Vec<Vec<String>>,
    /// The first evaded rule: the JSON pointer of its schema, its position, and its source.
    pub(crate) rule: EvadedRule,
    /// The values of the field before the removal and after it is set anew.
    pub(crate) values: [Value; 2],
    /// The value of the field in between; `None` if the field is removed.
    pub(crate) value_between: Option<Value>,
    /// The rule that forbids the removal.
    pub(crate) remedy: String,
}

/// The removed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemovalKind {
    /// A field.
    Field,
    /// A field whose removal the rule permits explicitly.
    PermittedField,
    /// An entry of a list or map.
    Entry,
}

/// A rule that updates evade.
#[derive(Clone, Debug)]
pub(crate) struct EvadedRule {
    pub(crate) pointer: String,
    pub(crate) index: usize,
    pub(crate) source: String,
    pub(crate) message: Option<String>,
}

/// The evasions of the transition rules of a schema.
pub(crate) struct Evasions<'s> {
    search: EvasionSearch<'s>,
    by_owner: BTreeMap<NodeId, Vec<Evasion>>,
    owners: BTreeMap<String, NodeId>,
    cost_left: Cell<u64>,
}

/// The evasions by removing fields of an object, or entries of its fields.
#[derive(Clone, Copy)]
pub(crate) struct ObjectEvasions<'a, 's> {
    all: &'a Evasions<'s>,
    owner: Option<NodeId>,
}

impl<'s> Evasions<'s> {
    /// Returns the evasions of the transition rules of a schema. `rules` returns the CEL rules of a
    /// subschema.
    pub(crate) fn of_schema(
        root: &'s Map<String, Value>,
        rules: &dyn Fn(&'s Map<String, Value>) -> Vec<SchemaRule<'s>>,
    ) -> Self {
        let tree = SchemaTree::new(root);
        let mut schemas_left = TRANSITION_SCHEMAS;
        let mut rules_left = TRANSITION_RULES;
        let mut rules_by_node: BTreeMap<NodeId, Vec<TransitionRule<'s>>> = BTreeMap::new();
        for (id, node) in tree.nodes() {
            for rule in rules(node.schema) {
                if rule.ast.references_variable("oldSelf") && rules_left > 0 {
                    rules_left -= 1;
                    let rule = TransitionRule::compile(node.schema, &rule, &mut schemas_left);
                    rules_by_node.entry(id).or_default().extend(rule);
                }
            }
        }
        let search = EvasionSearch {
            tree,
            rules_by_node,
        };
        let mut cost_left = TRANSITION_RULE_COST;
        let by_owner = search.run(&mut cost_left);
        let owners = by_owner.keys();
        let owners = owners.map(|owner| (search.tree.path(*owner).to_string(), *owner));
        Self {
            owners: owners.collect(),
            search,
            by_owner,
            cost_left: Cell::new(cost_left),
        }
    }

    /// Returns the evasions of the object at a JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> ObjectEvasions<'_, 's> {
        ObjectEvasions {
            all: self,
            owner: self.owners.get(pointer).copied(),
        }
    }
}

impl<'a> ObjectEvasions<'a, '_> {
    pub(crate) fn list(self) -> &'a [Evasion] {
        let evasions = self.owner.and_then(|owner| self.all.by_owner.get(&owner));
        evasions.map_or(&[], Vec::as_slice)
    }

    /// Returns true if the transition rules accept the updates from each object to the next.
    /// `field` is the removed field.
    pub(crate) fn accepts(self, field: &str, objects: &[Value; 3]) -> bool {
        let Some(owner) = self.owner else {
            return false;
        };
        let search = &self.all.search;
        let mut cost_left = self.all.cost_left.get();
        let is_accepted = !search.is_refused(owner, owner, field, objects, &mut cost_left)
            && search.keeps_other_fields(owner, field, objects, &mut cost_left);
        self.all.cost_left.set(cost_left);
        is_accepted
    }
}

struct EvasionSearch<'s> {
    tree: SchemaTree<'s>,
    rules_by_node: BTreeMap<NodeId, Vec<TransitionRule<'s>>>,
}

/// A value that a rule keeps unchanged.
struct ImmutableValue {
    /// The schema with the rule.
    rule_node: NodeId,
    rule: EvadedRule,
    /// The schema of the value.
    node: NodeId,
    /// Two values between which the rule forbids a change.
    values: [Value; 2],
    /// False if the rule refuses the second value without an old value.
    allows_new_value: bool,
}

impl<'s> EvasionSearch<'s> {
    /// Returns the evasions by the objects whose fields are removed.
    fn run(&self, cost_left: &mut u64) -> BTreeMap<NodeId, Vec<Evasion>> {
        let mut found = BTreeMap::new();
        for node in self.rules_by_node.keys() {
            for value in &self.immutable_values(*node, cost_left) {
                self.add_evasions(value, &mut found, cost_left);
            }
        }
        found
    }

    /// Returns the values that the rules of a schema keep unchanged.
    fn immutable_values(&self, rule_node: NodeId, cost_left: &mut u64) -> Vec<ImmutableValue> {
        let mut immutable_values = Vec::new();
        let Some(schema) = self.tree.node(rule_node).map(|node| node.schema) else {
            return immutable_values;
        };
        for rule in self.rules_by_node.get(&rule_node).into_iter().flatten() {
            for path in rule.compared_paths(schema) {
                let Some(node) = self.descendant(rule_node, &path) else {
                    continue;
                };
                let pairs = self.tree.node(node);
                let pairs = pairs.map(|node| different_values(node.schema));
                let mut pairs = pairs.into_iter().flatten();
                let values = pairs.find(|values| {
                    let [first, second] = values
                        .clone()
                        .map(|value| self.tree.value_around(rule_node, node, value));
                    rule.evaluate(Some(&first), &first, cost_left) == RuleResult::True
                        && rule.evaluate(Some(&first), &second, cost_left) == RuleResult::False
                        && rule.evaluate(Some(&second), &first, cost_left) == RuleResult::False
                });
                if let Some(values) = values {
                    immutable_values.push(ImmutableValue {
                        rule_node,
                        rule: EvadedRule {
                            pointer: self.tree.path(rule_node).to_string(),
                            index: rule.index,
                            source: rule.expression.to_owned(),
                            message: rule.message.map(str::to_owned),
                        },
                        node,
                        allows_new_value: rule.allows_new_value(
                            &self.tree.value_around(rule_node, node, values[1].clone()),
                            cost_left,
                        ),
                        values,
                    });
                }
            }
        }
        immutable_values
    }

    /// Returns the node at a path of property names below a node.
    fn descendant(&self, id: NodeId, path: &[&str]) -> Option<NodeId> {
        let mut current = id;
        for name in path {
            current = self.tree.child(current, SchemaStep::Property(name))?;
        }
        Some(current)
    }

    /// Adds the removals by which updates evade the rule of an immutable value.
    fn add_evasions(
        &self,
        value: &ImmutableValue,
        found: &mut BTreeMap<NodeId, Vec<Evasion>>,
        cost_left: &mut u64,
    ) {
        let mut is_innermost = true;
        let entries = [SchemaStep::Items, SchemaStep::AdditionalProperties];
        let entries = entries.map(|step| self.tree.child(value.node, step));
        let entries = entries.into_iter().flatten();
        let removals = entries
            .filter(|entry| self.tree.may_be_empty(*entry))
            .chain(self.tree.ancestors(value.node))
            .filter(|removed| *removed != value.node || self.tree.is_removable(*removed));
        let removals: Vec<NodeId> = removals.collect();
        for removed in removals {
            let is_entry_of_value = self.tree.parent(removed) == Some(value.node);
            if !is_entry_of_value && !self.tree.is_removable(removed) {
                continue;
            }
            let Some(evasion) = self.evasion(value, removed, is_innermost, cost_left) else {
                continue;
            };
            is_innermost = false;
            let (owner, evasion) = evasion;
            let known = found.entry(owner).or_default();
            let same_removal = known.iter_mut().find(|known| {
                known.field == evasion.field
                    && (known.kind == RemovalKind::Entry) == (evasion.kind == RemovalKind::Entry)
            });
            match same_removal {
                Some(known) => known.merge(evasion),
                None => known.push(evasion),
            }
        }
    }

    /// Returns the evasion by removing a value, and the object whose field is removed or whose
    /// field loses an entry.
    fn evasion(
        &self,
        value: &ImmutableValue,
        removed: NodeId,
        is_innermost: bool,
        cost_left: &mut u64,
    ) -> Option<(NodeId, Evasion)> {
        let (parent, step) = self.tree.node(removed)?.parent?;
        self.charge(value, parent, cost_left);
        let is_field = matches!(step, SchemaStep::Property(_));
        let (field_node, owner, field) =
            self.nearest_field(if is_field { removed } else { parent })?;
        let [first, second] = &value.values;
        let values = [first, second]
            .map(|leaf| self.tree.value_around(field_node, value.node, leaf.clone()));
        let value_between = match step {
            // A null is removed for CEL, even if the schema requires the field.
            SchemaStep::Property(_) => self.tree.is_required(removed).then_some(Value::Null),
            SchemaStep::Items => Some(self.tree.value_around(field_node, parent, json!([]))),
            SchemaStep::AdditionalProperties => {
                Some(self.tree.value_around(field_node, parent, json!({})))
            }
        };
        let [first, second] = &values;
        let objects = [Some(first), value_between.as_ref(), Some(second)]
            .map(|value| self.object_with(owner, field, value));
        let is_inside_rule =
            self.tree.ancestors(removed).contains(&value.rule_node) && removed != value.rule_node;
        // A rule with `optionalOldSelf` also applies to the value that is set anew.
        let is_refused_anew = !is_inside_rule && !value.allows_new_value;
        let changed = if is_field { owner } else { parent };
        if is_refused_anew || self.is_refused(owner, changed, field, &objects, cost_left) {
            return None;
        }
        let steps = self.tree.steps_between(owner, value.node);
        let names = steps.iter().map_while(|step| match step {
            SchemaStep::Property(name) => Some((*name).to_owned()),
            _ => None,
        });
        let evasion = Evasion {
            field: field.to_owned(),
            kind: match step {
                SchemaStep::Property(_) if is_inside_rule => RemovalKind::PermittedField,
                SchemaStep::Property(_) => RemovalKind::Field,
                _ => RemovalKind::Entry,
            },
            is_innermost,
            is_whole_part: owner == 0 && matches!(field, "spec" | "status"),
            paths: vec![names.collect()],
            rule: value.rule.clone(),
            values,
            value_between,
            remedy: self.remedy(parent, step),
        };
        Some((owner, evasion))
    }

    /// Subtracts the work for the examples of a removal below a node from `cost_left`.
    fn charge(&self, value: &ImmutableValue, parent: NodeId, cost_left: &mut u64) {
        let ancestors = self.tree.ancestors(parent);
        let rules = ancestors.iter().filter_map(|id| self.rules_by_node.get(id));
        let rule_count: u64 = rules.map(|rules| rules.len() as u64).sum();
        let example_size = self.tree.example_size(value.node);
        let work = example_size.saturating_mul(rule_count.saturating_add(1));
        *cost_left = cost_left.saturating_sub(work);
    }

    /// Returns the nearest node at or above a node that is a property, with the object of the
    /// property and its name.
    fn nearest_field(&self, id: NodeId) -> Option<(NodeId, NodeId, &'s str)> {
        let mut current = id;
        loop {
            match self.tree.node(current)?.parent? {
                (owner, SchemaStep::Property(name)) => return Some((current, owner, name)),
                (outer, _) => current = outer,
            }
        }
    }

    /// Returns a small object of a node with this value of a field, or without the field.
    fn object_with(&self, owner: NodeId, field: &str, value: Option<&Value>) -> Value {
        let mut object = self.tree.small_object(owner);
        object.remove(field);
        object.extend(value.map(|value| (field.to_owned(), value.clone())));
        Value::Object(object)
    }

    /// Returns true if a transition rule refuses the removal or the new value. `objects` are the
    /// objects before, between and after the updates.
    fn is_refused(
        &self,
        owner: NodeId,
        innermost: NodeId,
        field: &str,
        objects: &[Value; 3],
        cost_left: &mut u64,
    ) -> bool {
        let [first, between, second] = objects;
        let cel_field = cel_name(field);
        for node in self.tree.ancestors(innermost) {
            for rule in self.rules_by_node.get(&node).into_iter().flatten() {
                let values = [first, between, second].map(|object| {
                    if self.tree.ancestors(owner).contains(&node) {
                        Some(self.tree.value_around(node, owner, object.clone()))
                    } else {
                        // The list or map of the removed entry, below the object.
                        let steps = self.tree.steps_between(owner, node);
                        value_at(object, &steps)
                    }
                });
                let [Some(first), Some(between), Some(second)] = values else {
                    continue;
                };
                let is_unrelated = rule.evaluate(Some(&first), &first, cost_left)
                    != RuleResult::True
                    && !rule.reads(&cel_field);
                let accepts = |old: &Value, new: &Value, cost_left: &mut u64| {
                    rule.evaluate(Some(old), new, cost_left) == RuleResult::True
                };
                let is_accepted = is_unrelated
                    || accepts(&first, &between, cost_left)
                        && accepts(&between, &second, cost_left);
                if !is_accepted {
                    return true;
                }
            }
        }
        *cost_left == 0
    }

    /// Returns true if the transition rules of the other fields of an object accept the updates.
    fn keeps_other_fields(
        &self,
        owner: NodeId,
        field: &str,
        objects: &[Value; 3],
        cost_left: &mut u64,
    ) -> bool {
        let updates = objects.iter().zip(objects.iter().skip(1));
        for (old, new) in updates {
            for (name, new_value) in new.as_object().into_iter().flatten() {
                let rules = self
                    .tree
                    .child(owner, SchemaStep::Property(name))
                    .and_then(|child| self.rules_by_node.get(&child));
                let old_value = old.get(name).filter(|old| *old != new_value);
                let Some(old_value) = old_value.filter(|_| name != field) else {
                    continue;
                };
                let accepts = rules.into_iter().flatten().all(|rule| {
                    rule.evaluate(Some(old_value), new_value, cost_left) == RuleResult::True
                });
                if !accepts {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the rule for the parent of a removed value.
    fn remedy(&self, parent: NodeId, step: SchemaStep<'_>) -> String {
        let parent = self.tree.node(parent).map(|node| node.schema);
        let keys = parent.and_then(|parent| parent.get("x-kubernetes-list-map-keys")?.as_array());
        match (step, keys) {
            (SchemaStep::Property(name), _) => {
                let name = cel_name(name);
                format!("!has(oldSelf.{name}) || has(self.{name})")
            }
            (SchemaStep::AdditionalProperties, _) => "oldSelf.all(key, key in self)".to_owned(),
            (SchemaStep::Items, None) => "oldSelf.all(old, old in self)".to_owned(),
            (SchemaStep::Items, Some(keys)) => {
                let keys = keys.iter().filter_map(Value::as_str).map(|key| {
                    let key = cel_name(key);
                    format!("new.{key} == old.{key}")
                });
                let keys: Vec<String> = keys.collect();
                format!("oldSelf.all(old, self.exists(new, {}))", keys.join(" && "))
            }
        }
    }
}

impl Evasion {
    fn merge(&mut self, other: Self) {
        for path in other.paths {
            if !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        let is_stronger = other.is_innermost
            && other.kind == RemovalKind::Field
            && !(self.is_innermost && self.kind == RemovalKind::Field);
        if is_stronger {
            self.kind = other.kind;
            self.is_innermost = true;
            self.rule = other.rule;
            self.values = other.values;
            self.value_between = other.value_between;
        }
    }
}

/// Returns the first value at steps below a value.
fn value_at(value: &Value, steps: &[SchemaStep<'_>]) -> Option<Value> {
    let value = steps.iter().try_fold(value, |value, step| match step {
        SchemaStep::Property(name) => value.get(*name),
        SchemaStep::Items => value.get(0),
        SchemaStep::AdditionalProperties => value.as_object()?.values().next(),
    });
    value.cloned()
}

/// Returns the name by which CEL selects a field.
fn cel_name(name: &str) -> String {
    escape_identifier(name).unwrap_or_else(|| name.to_owned())
}
