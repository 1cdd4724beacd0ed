//! Tests of the table `server_versions.json`: the same requests and CRDs, and the answers of
//! servers of two versions side by side.

use k8s_crd_validation::{KubeVersion, Report, ServerSettings, StatusHandling};
use k8s_crd_validation::{StructuralSchema, crd};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    about: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    op: Operation,
    #[serde(default)]
    schema: Value,
    old: Option<Value>,
    new: Value,
    /// The answer of both versions, if they give the same answer.
    both: Option<Answer>,
    #[serde(rename = "1.36")]
    of_1_36: Option<Answer>,
    #[serde(rename = "1.37")]
    of_1_37: Option<Answer>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Create,
    Update,
    Status,
    /// The create or the update of a CRD.
    Crd,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Answer {
    /// The errors, sorted.
    errors: Vec<String>,
    /// The warnings, in the order of the server.
    #[serde(default)]
    warnings: Vec<String>,
}

impl Answer {
    fn from_report(report: &Report) -> Self {
        let mut errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
        errors.sort_unstable();
        let warnings = report.warnings().to_vec();
        Self { errors, warnings }
    }
}

impl Case {
    /// Returns our answer as a server of a version.
    fn answer(&self, version: KubeVersion) -> Answer {
        if self.op == Operation::Crd {
            let review = crd::Review::new().version(version);
            return Answer::from_report(&match &self.old {
                Some(old) => review.update(&self.new, old),
                None => review.create(&self.new),
            });
        }
        let mut compiler = StructuralSchema::compiler().version(version).stored();
        if self.op == Operation::Status {
            compiler = compiler.status(StatusHandling::Subresource);
        }
        let schema = compiler
            .schema(&self.schema)
            .unwrap_or_else(|errors| panic!("{}: {errors}", self.name));
        let settings = ServerSettings::default().version(version);
        let mut new = self.new.clone();
        Answer::from_report(&match (self.op, &self.old) {
            (Operation::Update, Some(old)) => schema.update(&mut new, old, &settings),
            (Operation::Status, Some(old)) => schema.update_status(&mut new, old, &settings),
            _ => schema.create(&mut new, &settings),
        })
    }

    /// Returns the answer in the table.
    fn expected_answer(&self, version: &str) -> &Answer {
        let answer = match version {
            "1.36" => self.of_1_36.as_ref(),
            _ => self.of_1_37.as_ref(),
        };
        answer
            .or(self.both.as_ref())
            .unwrap_or_else(|| panic!("{}: no answer of {version}", self.name))
    }
}

#[test]
fn servers_of_two_versions_answer_as_in_the_table() {
    let table: Table = serde_json::from_str(include_str!("../cases/server_versions.json")).unwrap();
    assert!(table.about.ends_with('.'));
    let mut different = Vec::new();
    for case in &table.cases {
        for version in ["1.36", "1.37"] {
            let answer = case.answer(version.parse().unwrap());
            if answer != *case.expected_answer(version) {
                different.push(format!("{}, {version}: {answer:#?}", case.name));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
