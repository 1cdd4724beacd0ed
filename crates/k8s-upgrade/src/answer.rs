//! The answer of a server to a request, in a form that can be compared.

use std::collections::{HashMap, HashSet};

use k8s_crd_validation::{Report, Violation, is_rules_not_checked};
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::finding::{Outcome, Request};

/// The answer of a server to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) request: Request,
    pub(crate) is_accepted: bool,
    /// True if errors stop the evaluation of CEL rules.
    skips_rules: bool,
    /// The errors: the errors that reject the request, and then the tolerated errors.
    problems: Vec<Problem>,
    rejected_count: usize,
    /// The index of each error in `problems`.
    indexes: HashMap<ProblemId, usize>,
    /// The warnings that are not tolerated errors.
    pub(crate) warnings: Vec<String>,
    warning_set: HashSet<String>,
    /// The object that the server stores; `None` for CRDs.
    pub(crate) stored: Option<Value>,
}

/// An error.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) id: ProblemId,
    pub(crate) text: String,
}

/// The parts that identify an error in several answers. The whole message does not identify an
/// error, because an update of the status may print another path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProblemId {
    pub(crate) kind: &'static str,
    pub(crate) path: FieldPath,
    pub(crate) value: Option<String>,
    pub(crate) rule: String,
}

impl Problem {
    fn new(violation: &Violation) -> Self {
        let id = ProblemId {
            kind: violation.kind().reason(),
            path: violation.path().clone(),
            value: violation.value().map(str::to_owned),
            rule: violation.rule().to_owned(),
        };
        Self {
            id,
            text: violation.to_string(),
        }
    }

    /// Returns the error with its path in the object. Servers before
    /// [`StatusPaths`](k8s_crd_validation::Feature::StatusPaths) report errors of an update of the
    /// status with a path in the status.
    fn with_path_of_status(mut self, object: &Value) -> Self {
        let is_root_field = |step: PathStep<'_>| step.find(object).is_some();
        if self
            .id
            .path
            .steps()
            .next()
            .is_some_and(|step| !is_root_field(step))
        {
            let status = FieldPath::root().step(PathStep::Field("status"));
            self.id.path = self.id.path.steps().fold(status, FieldPath::step);
        }
        self
    }
}

impl Answer {
    /// Returns the answer with the errors and warnings of a report. `stored` is the object that the
    /// server stores if the report has no errors.
    pub(crate) fn new(request: Request, report: &Report, stored: Option<Value>) -> Self {
        let problems = |violations: &[Violation]| -> Vec<Problem> {
            let violations = violations.iter();
            let is_problem = |violation: &&Violation| !is_rules_not_checked(violation);
            let problems = violations.filter(is_problem).map(Problem::new);
            problems
                .map(|problem| match &stored {
                    Some(object) if request.is_of_status() => problem.with_path_of_status(object),
                    _ => problem,
                })
                .collect()
        };
        let mut all_problems = problems(report.errors());
        all_problems.extend(problems(&report.parts().repeated));
        let rejected_count = all_problems.len();
        let warned = problems(&report.parts().warned);
        let warned_texts: HashSet<&str> = warned.iter().map(|error| &*error.text).collect();
        let warnings = report.warnings().iter();
        let warnings = warnings.filter(|warning| !warned_texts.contains(&***warning));
        let warnings: Vec<String> = warnings.cloned().collect();
        all_problems.extend(problems(report.tolerated()));
        all_problems.extend(warned);
        let mut indexes = HashMap::new();
        for (index, problem) in all_problems.iter().enumerate() {
            indexes.entry(problem.id.clone()).or_insert(index);
        }
        let mut errors = report.errors().iter();
        Self {
            request,
            is_accepted: report.is_accepted(),
            skips_rules: errors.any(is_rules_not_checked),
            problems: all_problems,
            rejected_count,
            indexes,
            warning_set: warnings.iter().cloned().collect(),
            warnings,
            stored,
        }
    }

    /// Returns all errors, including tolerated errors.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter()
    }

    pub(crate) fn has_warning(&self, warning: &str) -> bool {
        self.warning_set.contains(warning)
    }

    /// Returns the message of an error in this answer; `None` if the answer does not have the
    /// error.
    pub(crate) fn text(&self, problem: &Problem) -> Option<&str> {
        let index = self.indexes.get(&problem.id)?;
        self.problems.get(*index).map(|problem| &*problem.text)
    }

    /// Returns the outcome of an error; `None` is an error that the version does not have.
    pub(crate) fn outcome(&self, problem: Option<&Problem>) -> Outcome {
        let Some(problem) = problem else {
            return Outcome::Absent;
        };
        match self.indexes.get(&problem.id) {
            Some(index) if *index < self.rejected_count => Outcome::Rejected,
            Some(_) => Outcome::Tolerated,
            None if self.skips_rules => Outcome::NotEvaluated,
            None => Outcome::Absent,
        }
    }
}

/// Returns the CEL rule in the message of a failed rule or of a rule that does not compile.
pub(crate) fn rule_source(message: &str) -> Option<&str> {
    let source_line = message.lines().find_map(|line| line.strip_prefix(" | "));
    source_line.or_else(|| Some(message.split_once("failed rule: ")?.1))
}
