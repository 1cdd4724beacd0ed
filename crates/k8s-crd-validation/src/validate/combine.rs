//! `allOf`, `anyOf`, `oneOf` and `not`. Errors inside their branches are not tolerated separately,
//! because they belong to the value that the branches validate.

use serde_json::Value;

use super::errors::dotted::Dotted;
use super::errors::sink::Sink;
use super::errors::unplaced;
use super::flow::Flow;
use super::validation::Validation;
use crate::schema::{Node, NodeId};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;

impl Validation<'_> {
    pub(super) fn check_combinators<S: Sink>(
        &self,
        node: &Node,
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        let holds = |id: &NodeId| self.holds(*id, value);
        if !node.any_of.is_empty() && !node.any_of.iter().any(holds) {
            self.report_best(&node.any_of, value, path, sink)?;
            sink.report(|| summary(path, "must validate at least one schema (anyOf)"))?;
        }
        if !node.one_of.is_empty() {
            // If errors are not collected, two valid branches are enough to fail.
            let enough = if S::COLLECTS { usize::MAX } else { 2 };
            match node.one_of.iter().filter(|id| holds(id)).take(enough).count() {
                1 => {}
                0 => {
                    self.report_best(&node.one_of, value, path, sink)?;
                    let found = "must validate one and only one schema (oneOf). Found none valid";
                    sink.report(|| summary(path, found))?;
                }
                several => sink.report(|| {
                    let found = format!(
                        "must validate one and only one schema (oneOf). Found {several} valid alternatives"
                    );
                    summary(path, &found)
                })?,
            }
        }
        if !node.all_of.is_empty() {
            // Each branch is checked once, because two checks on every level would be exponential.
            let mut valid = 0;
            for id in &node.all_of {
                let before = sink.len();
                self.report_branch(*id, value, path, sink)?;
                valid += usize::from(sink.len() == before);
            }
            if valid < node.all_of.len() {
                let all = if valid == 0 { ". None validated" } else { "" };
                let rule = || format!("must validate all the schemas (allOf){all}");
                sink.report(|| summary(path, &rule()))?;
            }
        }
        match node.not {
            Some(not) if self.holds(not, value) => {
                sink.report(|| summary(path, "must not validate the schema (not)"))
            }
            _ => Flow::Continue(()),
        }
    }

    /// Returns true if the value is valid for a branch.
    pub(super) fn holds(&self, id: NodeId, value: &Value) -> bool {
        self.is_valid(id, value)
    }

    /// Reports the errors of a branch.
    fn report_branch<S: Sink>(
        &self,
        id: NodeId,
        value: &Value,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if !S::COLLECTS {
            return if self.holds(id, value) {
                Flow::Continue(())
            } else {
                Flow::Break(())
            };
        }
        self.check(id, value, None, path, sink)
    }

    /// Reports the errors of the branch that matches best.
    fn report_best<S: Sink>(
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
        match self.best(branches, value) {
            Some((best, _)) => self.report_branch(best, value, path, sink),
            None => Flow::Continue(()),
        }
    }
}

/// Returns the error `"spec.a" must validate ...`, with the path quoted as Go quotes strings.
fn summary(path: &Path<'_>, rule: &str) -> union_runtime::Violation {
    let detail = format!("{} {rule}", Quoted(&Dotted::of(path).to_string()));
    unplaced(path, detail, rule)
}
