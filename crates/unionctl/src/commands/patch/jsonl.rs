//! `unionctl patch --jsonl`: answers a request on each line, for programs in any language.

use std::rc::Rc;

use k8s_strategic_merge_patch::{Compiler, OnConflict, PatchSchema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::SchemaError;

use super::args::PatchSchemaArgs;
use super::request::{Answer, Request};
use crate::input::Inputs;
use crate::jsonl::line::Line;
use crate::jsonl::lines;
use crate::judge::cache::{Cache, Compiled};
use crate::judge::schema;
use crate::output::output::{self, Verdict};
use crate::problem::{Flaw, Problem};

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<'l> {
    op: Option<Op>,
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    original: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    modified: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    current: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    patch: Option<&'l RawValue>,
    #[serde(borrow)]
    patches: Option<Vec<&'l RawValue>>,
    overwrite: Option<bool>,
    unchanged: Option<Vec<String>>,
    #[serde(borrow, rename = "use")]
    used: Option<Use<'l>>,
}

/// The value of `use`: a schema for later lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Use<'l> {
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow)]
    crd: Option<&'l RawValue>,
    version: Option<String>,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"op": ..., "schema": ..., "original": ..., "modified": ...}"#;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Op {
    Diff,
    Apply,
    ThreeWay,
    Compose,
    Sort,
}

impl Op {
    /// Returns the keys that an op accepts in addition to `op` and `schema`.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Diff => &["original", "modified", "unchanged"],
            Self::Apply => &["original", "patch"],
            Self::ThreeWay => &["original", "modified", "current", "overwrite", "unchanged"],
            Self::Compose => &["patches"],
            Self::Sort => &["original"],
        }
    }
}

/// The reply to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Answer(Answer),
    /// The reply to `use`.
    Used {},
}

/// Answers every line that is not blank.
pub(super) fn run(args: &PatchSchemaArgs) -> Result<Verdict, Problem> {
    let compiler = args.compiler();
    let mut used = None;
    if args.source.is_given() {
        let source = args
            .source
            .read(&mut Inputs::without_stdin("--jsonl"), None)?;
        used = Some(Rc::new(Ok(source.patches(&compiler)?)));
        output::notes(&source.notes);
    }
    let mut cases = Cases {
        compiler,
        used,
        cache: Cache::default(),
    };
    lines::serve(|line| cases.answer(line))
}

/// The settings of all lines, and the state that earlier lines set.
struct Cases {
    compiler: Compiler,
    /// The schema for lines that do not have a schema.
    used: Option<Compiled<PatchSchema>>,
    cache: Cache<PatchSchema>,
}

impl Cases {
    fn answer(&mut self, line: &Line<'_>) -> Result<Reply, Flaw> {
        let case: Case<'_> = line.parse(FORM)?;
        match (&case.used, case.op) {
            (Some(used), None) if case.schema.is_none() && case.keys().is_empty() => {
                self.answer_use(line, used)
            }
            (Some(_), _) => Err(line.flaw(None, "`use` cannot be combined with other keys")),
            (None, Some(op)) => self.answer_request(line, &case, op),
            (None, None) => Err(line.flaw(
                None,
                "missing `op`: expected diff, apply, three_way, compose or sort, or a line with `use`",
            )),
        }
    }

    fn answer_use(&mut self, line: &Line<'_>, used: &Use<'_>) -> Result<Reply, Flaw> {
        let flaw = |text: &str| Err(line.flaw(None, text));
        let schema = match (used.crd, used.schema) {
            (Some(crd), None) => {
                let document = line.value("crd", crd)?;
                let compiled = self.compiler.crd(&document, used.version.as_deref());
                compiled.map_err(|error| line.flaw(Some(crd), &problem("crd", &error)))?
            }
            (None, Some(schema)) if used.version.is_none() => self
                .compile(line, schema)?
                .map_err(|problem| line.flaw(Some(schema), &problem))?,
            (None, Some(_)) => return flaw("use: `version` is supported only with `crd`"),
            _ => return flaw("use: expected either `crd` or `schema`"),
        };
        self.used = Some(Rc::new(Ok(schema)));
        Ok(Reply::Used {})
    }

    fn answer_request(&mut self, line: &Line<'_>, case: &Case<'_>, op: Op) -> Result<Reply, Flaw> {
        if let Some(key) = case.keys().iter().find(|key| !op.keys().contains(key)) {
            let keys = op.keys().join(", ");
            let text = format!("`{key}` is not supported by this op; expected {keys}");
            return Err(line.flaw(None, &text));
        }
        let document = |key: &str, text: Option<&RawValue>| {
            let missing = || {
                let text = format!("missing `{key}`: expected an object, or null for an empty one");
                line.flaw(None, &text)
            };
            line.value(key, text.ok_or_else(missing)?)
        };
        let request = match op {
            Op::Diff => Request::Diff {
                original: document("original", case.original)?,
                modified: document("modified", case.modified)?,
            },
            Op::Apply => Request::Apply {
                original: document("original", case.original)?,
                patch: document("patch", case.patch)?,
            },
            Op::ThreeWay => Request::ThreeWay {
                original: document("original", case.original)?,
                modified: document("modified", case.modified)?,
                current: document("current", case.current)?,
                on_conflict: match case.overwrite {
                    Some(true) => OnConflict::Overwrite,
                    Some(false) | None => OnConflict::Fail,
                },
            },
            Op::Compose => {
                let Some(patches) = &case.patches else {
                    return Err(line.flaw(None, "missing `patches`: expected a list of patches"));
                };
                let patches = patches.iter().map(|patch| line.value("patches", patch));
                Request::Compose {
                    patches: patches.collect::<Result<_, _>>()?,
                }
            }
            Op::Sort => Request::Sort {
                original: document("original", case.original)?,
            },
        };
        let schema = self.schema(line, case)?;
        let unchanged = case.unchanged.as_deref().unwrap_or_default();
        match &*schema {
            Ok(schema) => Ok(Reply::Answer(request.answer(schema, unchanged))),
            Err(problem) => Err(line.flaw(case.schema, problem)),
        }
    }

    fn schema(&mut self, line: &Line<'_>, case: &Case<'_>) -> Result<Compiled<PatchSchema>, Flaw> {
        if let Some(text) = case.schema {
            let compiler = self.compiler;
            return self
                .cache
                .get(text.get(), (), || compile(compiler, line, text));
        }
        self.used.clone().ok_or_else(|| {
            line.flaw(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --schema or --crd",
            )
        })
    }

    fn compile(
        &self,
        line: &Line<'_>,
        text: &RawValue,
    ) -> Result<Result<PatchSchema, String>, Flaw> {
        compile(self.compiler, line, text)
    }
}

impl Case<'_> {
    /// Returns the keys of the line except `op`, `schema` and `use`.
    fn keys(&self) -> Vec<&'static str> {
        let has = [
            ("original", self.original.is_some()),
            ("modified", self.modified.is_some()),
            ("current", self.current.is_some()),
            ("patch", self.patch.is_some()),
            ("patches", self.patches.is_some()),
            ("overwrite", self.overwrite.is_some()),
            ("unchanged", self.unchanged.is_some()),
        ];
        let has = has.into_iter().filter(|(_, has)| *has);
        has.map(|(key, _)| key).collect()
    }
}

/// Reads a key that is present: null is an empty document, and not a missing key.
fn present<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Compiles a schema. The outer error is a flaw of the line, the inner error a problem of the
/// schema.
fn compile(
    compiler: Compiler,
    line: &Line<'_>,
    text: &RawValue,
) -> Result<Result<PatchSchema, String>, Flaw> {
    let document: Value = line.value("schema", text)?;
    if let Err(problem) = schema::refuse_other_documents(&document) {
        return Ok(Err(format!("schema: {problem}")));
    }
    let read = compiler.schema(&document);
    Ok(read.map_err(|error| problem("schema", &error)))
}

fn problem(key: &str, error: &SchemaError) -> String {
    format!("{}: {}", schema::place_in(key, error), error.problem())
}
