//! The answer of a server to a request, in a form that can be compared.

use k8s_crd_validation::{RULES_NOT_CHECKED, Report, Violation, ViolationKind};
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
    rejected: Vec<Problem>,
    tolerated: Vec<Problem>,
    /// The warnings that are not tolerated errors.
    pub(crate) warnings: Vec<String>,
    /// The object that the server stores; `None` for CRDs.
    pub(crate) stored: Option<Value>,
}

/// An error, with the parts that identify the error in several answers. The whole message does not
/// identify an error, because an update of the status may print another path.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: ViolationKind,
    pub(crate) path: FieldPath,
    value: Option<String>,
    pub(crate) rule: String,
    pub(crate) text: String,
}

impl Problem {
    fn new(violation: &Violation) -> Self {
        Self {
            kind: violation.kind(),
            path: violation.path().clone(),
            value: violation.value().map(str::to_owned),
            rule: violation.rule().to_owned(),
            text: violation.to_string(),
        }
    }

    /// Returns the error with its path in the object. Servers before
    /// [`StatusPaths`](k8s_crd_validation::Feature::StatusPaths) report errors of an update of the
    /// status with a path in the status.
    fn with_path_of_status(mut self, object: &Value) -> Self {
        let is_root_field = |step: PathStep<'_>| step.find(object).is_some();
        if self
            .path
            .steps()
            .next()
            .is_some_and(|step| !is_root_field(step))
        {
            let status = FieldPath::root().step(PathStep::Field("status"));
            self.path = self.path.steps().fold(status, FieldPath::step);
        }
        self
    }

    /// Returns true if both are the same error, with the same value and the same rule.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.path == other.path
            && self.value == other.value
            && self.rule == other.rule
    }
}

impl Answer {
    /// Returns the answer with the errors and warnings of a report. `stored` is the object that the
    /// server stores if the report has no errors.
    pub(crate) fn new(request: Request, report: &Report, stored: Option<Value>) -> Self {
        let problems = |violations: &[Violation]| -> Vec<Problem> {
            let violations = violations.iter();
            let is_problem = |violation: &&Violation| violation.rule() != RULES_NOT_CHECKED;
            let problems = violations.filter(is_problem).map(Problem::new);
            problems
                .map(|problem| match &stored {
                    Some(object) if request.is_of_status() => problem.with_path_of_status(object),
                    _ => problem,
                })
                .collect()
        };
        let mut rejected = problems(report.errors());
        rejected.extend(problems(&report.parts().repeated));
        let warned = problems(&report.parts().warned);
        let is_of_error = |warning: &&String| warned.iter().any(|error| error.text == **warning);
        let warnings = report.warnings().iter();
        let warnings = warnings.filter(|warning| !is_of_error(warning)).cloned();
        let warnings = warnings.collect();
        let mut tolerated = problems(report.tolerated());
        tolerated.extend(warned);
        let mut errors = report.errors().iter();
        Self {
            request,
            is_accepted: report.is_accepted(),
            skips_rules: errors.any(|error| error.rule() == RULES_NOT_CHECKED),
            rejected,
            tolerated,
            warnings,
            stored,
        }
    }

    /// Returns all errors, including tolerated errors.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.rejected.iter().chain(&self.tolerated)
    }

    /// Returns the message of an error in this answer; `None` if the answer does not have the
    /// error.
    pub(crate) fn text(&self, problem: &Problem) -> Option<&str> {
        let mut problems = self.problems();
        let own_problem = problems.find(|own_problem| own_problem.is_same(problem));
        own_problem.map(|own_problem| &*own_problem.text)
    }

    /// Returns the outcome of an error; `None` is an error that the version does not have.
    pub(crate) fn outcome(&self, problem: Option<&Problem>) -> Outcome {
        let Some(problem) = problem else {
            return Outcome::Absent;
        };
        let has = |problems: &[Problem]| problems.iter().any(|other| other.is_same(problem));
        if has(&self.rejected) {
            Outcome::Rejected
        } else if has(&self.tolerated) {
            Outcome::Tolerated
        } else if self.skips_rules {
            Outcome::NotEvaluated
        } else {
            Outcome::Absent
        }
    }
}

/// Returns the CEL rule in the message of a failed rule or of a rule that does not compile.
pub(crate) fn rule_source(message: &str) -> Option<&str> {
    let source_line = message.lines().find_map(|line| line.strip_prefix(" | "));
    source_line.or_else(|| Some(message.split_once("failed rule: ")?.1))
}
