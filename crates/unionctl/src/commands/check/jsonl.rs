//! `unionctl check --jsonl`: answers a request on each line, for programs in any language.

use k8s_crd_validation::{ServerSettings, StructuralSchema, Version, as_stored, crd};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::args::CheckArgs;
use super::bare::{self, Filled, Kind};
use super::used::{self, Use, Used};
use crate::input::Inputs;
use crate::jsonl::line::Line;
use crate::jsonl::lines;
use crate::judge::answer::{Finding, findings};
use crate::judge::cache::{Cache, Compiled};
use crate::judge::crds::Crds;
use crate::judge::judgement::{Judgement, Request};
use crate::judge::{schema, server};
use crate::output::output::{self, Verdict};
use crate::problem::{Flaw, Problem};

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<'l> {
    op: Option<Op>,
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow)]
    crd: Option<&'l RawValue>,
    status_subresource: Option<bool>,
    #[serde(borrow)]
    old: Option<&'l RawValue>,
    #[serde(borrow)]
    new: Option<&'l RawValue>,
    settings: Option<server::OfLine>,
    #[serde(borrow, rename = "use")]
    used: Option<Use<'l>>,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"op": ..., "schema": ..., "old": ..., "new": ...}"#;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Op {
    Create,
    Update,
    Status,
    Crd,
}

/// The answer to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Judgement(Judgement),
    /// The answer to `use`.
    Used {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        errors: Vec<Finding>,
    },
    /// The answer to the op `crd`, in the form of the other answers.
    Linted {
        errors: Vec<Finding>,
        ratcheted: [(); 0],
        warnings: Vec<String>,
    },
}

/// Answers every line that is not blank.
pub(super) fn run(args: &CheckArgs) -> Result<Verdict, Problem> {
    let mut used = None;
    let settings = args.server.settings();
    if let Some(path) = &args.crd {
        let mut inputs = Inputs::without_stdin("--jsonl");
        let crds = Crds::read(&mut inputs, "--crd", path, None)?;
        let of_flag = Used::of_crd(crds.only()?, args.version.as_deref(), settings.version);
        if let Err(problem) = &*of_flag.schema {
            return Err(Problem::new(crds.file, problem.as_str()));
        }
        let file = &crds.file;
        let errors = of_flag.errors.iter();
        let notes: Vec<String> = errors
            .map(|error| format!("{file}: {}", error.line()))
            .collect();
        output::notes(&notes);
        used = Some(of_flag);
    }
    let mut cases = Cases {
        settings,
        used,
        ..Cases::default()
    };
    lines::serve(|line| cases.answer(line))
}

/// The settings of all lines, and the state that earlier lines set.
#[derive(Default)]
pub(crate) struct Cases {
    settings: ServerSettings,
    used: Option<Used>,
    /// The compiled schemas, by their source, the presence of a status subresource, and the kind of
    /// objects.
    cache: Cache<StructuralSchema, (bool, Kind)>,
}

impl Cases {
    /// Returns the answer to the line with this number, as it is printed; `None` to a blank line.
    pub(crate) fn line(&mut self, number: usize, line: &str) -> Option<String> {
        lines::printed(number, line, |line| self.answer(line))
    }

    fn answer(&mut self, line: &Line<'_>) -> Result<Answer, Flaw> {
        let case: Case<'_> = line.parse(FORM)?;
        let flaw = |text: &str| Err(line.flaw(None, text));
        match (&case.used, case.op) {
            (Some(used), None) if case.is_empty() => self.answer_use(line, used),
            (Some(_), _) => flaw("`use` cannot be combined with other keys"),
            (None, Some(Op::Crd)) => lint(line, &case, self.settings_of(&case).version),
            (None, Some(op)) => self.answer_request(line, &case, op),
            (None, None) => {
                flaw("missing `op`: expected create, update, status or crd, or a line with `use`")
            }
        }
    }

    fn answer_use(&mut self, line: &Line<'_>, used: &Use<'_>) -> Result<Answer, Flaw> {
        let flaw = |text: &str| Err(line.flaw(None, text));
        let of_line = match (used.crd, used.schema) {
            (Some(crd), None) if used.status_subresource.is_none() => Used::of_crd(
                &line.value("crd", crd)?,
                used.version.as_deref(),
                self.settings.version,
            ),
            (None, Some(schema)) if used.version.is_none() => {
                let has_status = used.status_subresource.unwrap_or_default();
                Used::of_schema(&schema_of(line, schema)?, has_status, self.settings.version)
            }
            (Some(_), None) => {
                return flaw(
                    "use: `status_subresource` is supported only with `schema`; a CRD declares its subresources",
                );
            }
            (None, Some(_)) => return flaw("use: `version` is supported only with `crd`"),
            _ => return flaw("use: expected either `crd` or `schema`"),
        };
        let errors = of_line.errors.clone();
        self.used = Some(of_line);
        Ok(Answer::Used { errors })
    }

    /// Returns the settings of a line, with the settings of the flags as defaults.
    fn settings_of(&self, case: &Case<'_>) -> ServerSettings {
        let settings = self.settings.clone();
        match &case.settings {
            Some(of_line) => of_line.over(settings),
            None => settings,
        }
    }

    fn answer_request(&mut self, line: &Line<'_>, case: &Case<'_>, op: Op) -> Result<Answer, Flaw> {
        let flaw = |text: &str| line.flaw(None, text);
        let Some(new) = case.new else {
            return Err(flaw("missing `new`: the object that a client sends"));
        };
        let mut new = resource(line, "new", new)?;
        let mut old = match (op, case.old) {
            (Op::Create, Some(_)) => {
                return Err(flaw(
                    "a create has no `old`; remove it, or use \"op\": \"update\"",
                ));
            }
            (Op::Create, None) => None,
            (_, Some(old)) => {
                let mut old = resource(line, "old", old)?;
                as_stored(&mut old);
                Some(old)
            }
            (_, None) => return Err(flaw("missing `old`: the stored object")),
        };
        let (schema, is_bare) = self.schema(line, case, op, &new)?;
        let schema = match &*schema {
            Ok(schema) => schema,
            Err(problem) => return Err(line.flaw(case.schema, &format!("schema: {problem}"))),
        };
        let settings = self.settings_of(case);
        let mut filled = Filled::default();
        if is_bare {
            filled = bare::fill(&mut new);
            if let Some(old) = &mut old {
                let of_old = bare::fill(old);
                if op == Op::Status {
                    filled = filled.with_metadata_of(&of_old);
                }
            }
        }
        let request = match &old {
            Some(old) if op == Op::Status => Request::Status(old),
            Some(old) => Request::Update(old),
            None => Request::Create,
        };
        let mut judgement = Judgement::of(schema, request, new, &settings);
        filled.take_out(&mut judgement.object);
        Ok(Answer::Judgement(judgement))
    }

    /// Returns the schema of a line, and true if it is not part of a CRD.
    fn schema(
        &mut self,
        line: &Line<'_>,
        case: &Case<'_>,
        op: Op,
        new: &Value,
    ) -> Result<(Compiled<StructuralSchema>, bool), Flaw> {
        if let Some(text) = case.schema {
            let has_status = op == Op::Status || case.status_subresource.unwrap_or_default();
            let with = (has_status, Kind::of(new));
            let compile = || Ok(used::stored(&schema_of(line, text)?, with.0, with.1));
            return Ok((self.cache.get(text.get(), with, compile)?, true));
        }
        if case.status_subresource.is_some() {
            let problem = "`status_subresource` requires `schema` on the same line";
            return Err(line.flaw(None, problem));
        }
        match &self.used {
            Some(used) => Ok(used.schema(new)),
            None => Err(line.flaw(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --crd",
            )),
        }
    }
}

impl Case<'_> {
    /// Returns true if the line has only `use` and `op`.
    const fn is_empty(&self) -> bool {
        self.schema.is_none()
            && self.crd.is_none()
            && self.status_subresource.is_none()
            && self.old.is_none()
            && self.new.is_none()
            && self.settings.is_none()
    }
}

/// Returns the verdict of a server on a CRD, or on a CRD with this schema.
fn lint(line: &Line<'_>, case: &Case<'_>, server: Version) -> Result<Answer, Flaw> {
    let flaw = |text: &str| line.flaw(None, text);
    if case.new.is_some() {
        return Err(flaw("`new` is not supported with \"op\": \"crd\""));
    }
    let has_status = case.status_subresource;
    let outcome = match (case.crd, case.schema) {
        (Some(_), _) if has_status.is_some() => {
            return Err(flaw(
                "`status_subresource` is supported only with `schema`; a CRD declares its subresources",
            ));
        }
        (Some(text), None) => {
            let new = line.value("crd", text)?;
            let old = case.old.map(|old| line.value("old", old)).transpose()?;
            match &old {
                Some(old) => crd::Review::new().version(server).update(&new, old),
                None => crd::Review::new().version(server).create(&new),
            }
        }
        (None, Some(_)) if case.old.is_some() => {
            return Err(flaw("`old` requires `crd`; both must be CRDs"));
        }
        (None, Some(text)) => {
            let schema = schema_of(line, text)?;
            crd::Review::new()
                .version(server)
                .create(&bare::crd_of(&schema, has_status.unwrap_or_default()))
        }
        (Some(_), Some(_)) => {
            return Err(flaw("`crd` cannot be combined with `schema`; remove one"));
        }
        (None, None) => {
            return Err(flaw("missing `crd` or `schema`"));
        }
    };
    Ok(Answer::Linted {
        errors: findings(outcome.errors()),
        ratcheted: [],
        warnings: outcome.warnings().to_vec(),
    })
}

/// Reads an object of a line. A list may have unions, but is not a resource.
fn resource(line: &Line<'_>, key: &str, text: &RawValue) -> Result<Value, Flaw> {
    let value = line.object(key, text)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(line.flaw(
            Some(text),
            &format!("`{key}` must be an object, not a list"),
        ))
    }
}

fn schema_of(line: &Line<'_>, text: &RawValue) -> Result<Value, Flaw> {
    let schema = line.value("schema", text)?;
    match schema::refuse_other_documents(&schema) {
        Ok(()) => Ok(schema),
        Err(problem) => Err(line.flaw(Some(text), &format!("schema: {problem}"))),
    }
}
