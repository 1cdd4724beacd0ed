//! `allOf`, `anyOf`, `oneOf` and `not`. Errors inside their branches are not tolerated separately,
//! because they belong to the value that the branches validate.

use serde_json::Value;

use super::errors::dotted_path::DottedPath;
use super::errors::origin::ErrorOrigin;
use super::errors::sink::ErrorSink;
use super::errors::violation_without_field;
use super::flow::Flow;
use super::validation::Validation;
use crate::schema::{Node, NodeId};
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::Path;

impl Validation<'_> {
    pub(super) fn check_combinators<S: ErrorSink>(
        &self,
        node: &Node,
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        let holds = |id: &NodeId| self.is_branch_valid(*id, value);
        if !node.any_of.is_empty() && !node.any_of.iter().any(holds) {
            self.report_best(&node.any_of, value, path, sink)?;
            sink.report(ErrorOrigin::of_keyword("anyOf"), || {
                combinator_violation(path, "must validate at least one schema (anyOf)")
            })?;
        }
        if !node.one_of.is_empty() {
            // If errors are not collected, two valid branches are enough to fail.
            let max_count = if S::COLLECTS { usize::MAX } else { 2 };
            match node.one_of.iter().filter(|id| holds(id)).take(max_count).count() {
                1 => {}
                0 => {
                    self.report_best(&node.one_of, value, path, sink)?;
                    let rule = "must validate one and only one schema (oneOf). Found none valid";
                    sink.report(ErrorOrigin::of_keyword("oneOf"), || combinator_violation(path, rule))?;
                }
                valid_count => sink.report(ErrorOrigin::of_keyword("oneOf"), || {
                    let rule = format!(
                        "must validate one and only one schema (oneOf). Found {valid_count} valid alternatives"
                    );
                    combinator_violation(path, &rule)
                })?,
            }
        }
        if !node.all_of.is_empty() {
            // Each branch is checked once, because two checks on every level would be exponential.
            let mut valid_count = 0;
            for id in &node.all_of {
                let error_count_before = sink.len();
                self.report_branch(*id, value, path, sink)?;
                valid_count += usize::from(sink.len() == error_count_before);
            }
            if valid_count < node.all_of.len() {
                let suffix = if valid_count == 0 {
                    ". None validated"
                } else {
                    ""
                };
                let rule = || format!("must validate all the schemas (allOf){suffix}");
                sink.report(ErrorOrigin::of_keyword("allOf"), || {
                    combinator_violation(path, &rule())
                })?;
            }
        }
        match node.not {
            Some(not) if self.is_branch_valid(not, value) => sink
                .report(ErrorOrigin::of_keyword("not"), || {
                    combinator_violation(path, "must not validate the schema (not)")
                }),
            _ => Flow::Continue(()),
        }
    }

    /// Returns true if the value is valid for a branch.
    pub(super) fn is_branch_valid(&self, id: NodeId, value: &Value) -> bool {
        self.is_valid(id, value)
    }

    /// Reports the errors of a branch.
    fn report_branch<S: ErrorSink>(
        &self,
        id: NodeId,
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if !S::COLLECTS {
            return if self.is_branch_valid(id, value) {
                Flow::Continue(())
            } else {
                Flow::Break(())
            };
        }
        let start = sink.len();
        let flow = self.check(id, value, None, path, sink);
        sink.mark_branch(start);
        flow
    }

    /// Reports the errors of the branch that matches best.
    fn report_best<S: ErrorSink>(
        &self,
        branches: &[NodeId],
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if !S::COLLECTS {
            // Errors are not collected, and the best branch takes long to find.
            return Flow::Break(());
        }
        match self.best_branch(branches, value) {
            Some((best, _)) => self.report_branch(best, value, path, sink),
            None => Flow::Continue(()),
        }
    }
}

/// Returns the error `"spec.a" must validate ...`, with the path quoted as Go quotes strings.
fn combinator_violation(path: &Path<'_>, rule: &str) -> union_runtime::Violation {
    let detail = format!(
        "{} {rule}",
        GoQuoted(&DottedPath::from_path(path).to_string())
    );
    violation_without_field(path, detail, rule)
}
