//! The match count of a value and a schema. If all branches fail, the errors of the branch with the
//! highest count are reported (`MatchCount` in `pkg/validation/validate` of
//! `k8s.io/kube-openapi`). The constants in the sums are the counts of kube-openapi's validators.

use serde_json::Value;

use super::validation::Validation;
use crate::schema::{Node, NodeId};

impl Validation<'_> {
    /// Returns the first branch with the highest count, and the count.
    pub(super) fn best_branch(&self, branches: &[NodeId], value: &Value) -> Option<(NodeId, u64)> {
        let mut best = None;
        for id in branches {
            let count = self.match_count(*id, value);
            if best.is_none_or(|(_, best_count)| count > best_count) {
                best = Some((*id, count));
            }
        }
        best
    }

    fn match_count(&self, id: NodeId, value: &Value) -> u64 {
        let node = self.schema.node(id);
        let type_count = if self.has_type_rules(node) {
            1 + u64::from(self.type_mismatch(node, value).is_none())
        } else {
            0
        };
        if value.is_null() {
            return u64::from(self.type_mismatch(node, value).is_none());
        }
        let value_count = match value {
            // A known format counts as a group of rules.
            Value::String(_) => {
                let format = self.format(node);
                let is_checked = format.is_some_and(|format| format.is_checked(self.formats));
                1 + u64::from(is_checked)
            }
            Value::Number(_) => 2,
            Value::Array(elements) => {
                2 + node.items.map_or(0, |items| {
                    elements
                        .iter()
                        .map(|element| self.match_count(items, element))
                        .sum()
                })
            }
            Value::Object(object) => {
                1 + object
                    .iter()
                    .filter_map(|(key, value)| Some(self.match_count(node.child(key)?, value)))
                    .sum::<u64>()
            }
            Value::Null | Value::Bool(_) => 0,
        };
        // The schema counts one, and the enum counts one even if the schema has no enum.
        1 + type_count + self.combinator_match_count(node, value) + value_count + 1
    }

    fn combinator_match_count(&self, node: &Node, value: &Value) -> u64 {
        let is_valid = |id: &&NodeId| self.is_branch_valid(**id, value);
        let best_count = |branches: &[NodeId]| {
            self.best_branch(branches, value)
                .map_or(0, |(_, count)| count)
        };
        let first_valid_count = |branches: &[NodeId]| {
            let first = branches.iter().find(is_valid);
            first.map(|id| self.match_count(*id, value))
        };
        let any_of = first_valid_count(&node.any_of).unwrap_or_else(|| best_count(&node.any_of));
        let one_of = match node.one_of.iter().filter(is_valid).count() {
            0 => best_count(&node.one_of),
            1 => first_valid_count(&node.one_of).unwrap_or(0),
            _ => 0,
        };
        let all_of: u64 = node
            .all_of
            .iter()
            .map(|id| self.match_count(*id, value))
            .sum();
        2 + any_of + one_of + all_of
    }
}
