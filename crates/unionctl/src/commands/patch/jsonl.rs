//! `unionctl patch --jsonl`: replies to a request on each line, for programs in any language.

use std::rc::Rc;

use k8s_strategic_merge_patch::{Compiler, OnConflict, PatchSchema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::SchemaError;

use super::args::PatchSchemaArgs;
use super::request::{PatchReply, PatchRequest};
use crate::error::{CommandError, InputError};
use crate::input::InputReader;
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::schema;
use crate::judge::schema_cache::{CompiledSchema, SchemaCache};
use crate::output::print::{self, CommandStatus};

/// A line of the input: a request, or `use`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatchRequestLine<'l> {
    op: Option<PatchOperation>,
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
    use_line: Option<PatchUseLine<'l>>,
}

/// The value of `use`: a schema for later lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatchUseLine<'l> {
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
enum PatchOperation {
    Diff,
    Apply,
    ThreeWay,
    Compose,
    Sort,
}

impl PatchOperation {
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
enum PatchJsonlReply {
    Outcome(PatchReply),
    /// The reply to `use`.
    SchemaSet {},
}

/// Replies to each line that is not blank.
pub(super) fn run(args: &PatchSchemaArgs) -> Result<CommandStatus, CommandError> {
    let compiler = args.compiler();
    let mut current_schema = None;
    if args.source.is_given() {
        let source = args
            .source
            .load(&mut InputReader::without_stdin("--jsonl"), None)?;
        current_schema = Some(Rc::new(Ok(source.patch_schema(&compiler)?)));
        print::notes(&source.notes);
    }
    let mut session = PatchJsonlSession {
        compiler,
        current_schema,
        cache: SchemaCache::default(),
    };
    request_loop::serve(|line| session.reply_to(line))
}

/// The settings of all lines, and the state that earlier lines set.
struct PatchJsonlSession {
    compiler: Compiler,
    /// The schema that `use` or a flag sets, for lines without a schema.
    current_schema: Option<CompiledSchema<PatchSchema>>,
    cache: SchemaCache<PatchSchema>,
}

impl PatchJsonlSession {
    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<PatchJsonlReply, InputError> {
        let request_line: PatchRequestLine<'_> = line.parse_line(FORM)?;
        match (&request_line.use_line, request_line.op) {
            (Some(use_line), None) if request_line.schema.is_none() && request_line.keys().is_empty() => {
                self.set_schema(line, use_line)
            }
            (Some(_), _) => Err(line.input_error(None, "`use` cannot be combined with other keys")),
            (None, Some(op)) => self.reply_to_request(line, &request_line, op),
            (None, None) => Err(line.input_error(
                None,
                "missing `op`: expected diff, apply, three_way, compose or sort, or a line with `use`",
            )),
        }
    }

    fn set_schema(
        &mut self,
        line: &JsonlLine<'_>,
        use_line: &PatchUseLine<'_>,
    ) -> Result<PatchJsonlReply, InputError> {
        let input_error = |message: &str| Err(line.input_error(None, message));
        let schema = match (use_line.crd, use_line.schema) {
            (Some(crd), None) => {
                let document = line.parse_value("crd", crd)?;
                let compiled = self.compiler.crd(&document, use_line.version.as_deref());
                compiled
                    .map_err(|error| line.input_error(Some(crd), &schema_error("crd", &error)))?
            }
            (None, Some(schema)) if use_line.version.is_none() => self
                .compile(line, schema)?
                .map_err(|problem| line.input_error(Some(schema), &problem))?,
            (None, Some(_)) => return input_error("use: `version` is supported only with `crd`"),
            _ => return input_error("use: expected either `crd` or `schema`"),
        };
        self.current_schema = Some(Rc::new(Ok(schema)));
        Ok(PatchJsonlReply::SchemaSet {})
    }

    fn reply_to_request(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &PatchRequestLine<'_>,
        op: PatchOperation,
    ) -> Result<PatchJsonlReply, InputError> {
        if let Some(key) = request_line
            .keys()
            .iter()
            .find(|key| !op.keys().contains(key))
        {
            let keys = op.keys().join(", ");
            let message = format!("`{key}` is not supported by this op; expected {keys}");
            return Err(line.input_error(None, &message));
        }
        let document = |key: &str, part: Option<&RawValue>| {
            let missing = || {
                let message =
                    format!("missing `{key}`: expected an object, or null for an empty one");
                line.input_error(None, &message)
            };
            line.parse_value(key, part.ok_or_else(missing)?)
        };
        let request = match op {
            PatchOperation::Diff => PatchRequest::Diff {
                original: document("original", request_line.original)?,
                modified: document("modified", request_line.modified)?,
            },
            PatchOperation::Apply => PatchRequest::Apply {
                original: document("original", request_line.original)?,
                patch: document("patch", request_line.patch)?,
            },
            PatchOperation::ThreeWay => PatchRequest::ThreeWay {
                original: document("original", request_line.original)?,
                modified: document("modified", request_line.modified)?,
                current: document("current", request_line.current)?,
                on_conflict: match request_line.overwrite {
                    Some(true) => OnConflict::Overwrite,
                    Some(false) | None => OnConflict::Fail,
                },
            },
            PatchOperation::Compose => {
                let Some(patches) = &request_line.patches else {
                    return Err(
                        line.input_error(None, "missing `patches`: expected a list of patches")
                    );
                };
                let patches = patches
                    .iter()
                    .map(|patch| line.parse_value("patches", patch));
                PatchRequest::Compose {
                    patches: patches.collect::<Result<_, _>>()?,
                }
            }
            PatchOperation::Sort => PatchRequest::Sort {
                original: document("original", request_line.original)?,
            },
        };
        let schema = self.schema(line, request_line)?;
        let unchanged = request_line.unchanged.as_deref().unwrap_or_default();
        match &*schema {
            Ok(schema) => Ok(PatchJsonlReply::Outcome(request.answer(schema, unchanged))),
            Err(problem) => Err(line.input_error(request_line.schema, problem)),
        }
    }

    fn schema(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &PatchRequestLine<'_>,
    ) -> Result<CompiledSchema<PatchSchema>, InputError> {
        if let Some(schema) = request_line.schema {
            let compiler = self.compiler;
            return self
                .cache
                .get(schema.get(), (), || compile(compiler, line, schema));
        }
        self.current_schema.clone().ok_or_else(|| {
            line.input_error(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --schema or --crd",
            )
        })
    }

    fn compile(
        &self,
        line: &JsonlLine<'_>,
        part: &RawValue,
    ) -> Result<Result<PatchSchema, String>, InputError> {
        compile(self.compiler, line, part)
    }
}

impl PatchRequestLine<'_> {
    /// Returns the keys of the line except `op`, `schema` and `use`.
    fn keys(&self) -> Vec<&'static str> {
        let keys = [
            ("original", self.original.is_some()),
            ("modified", self.modified.is_some()),
            ("current", self.current.is_some()),
            ("patch", self.patch.is_some()),
            ("patches", self.patches.is_some()),
            ("overwrite", self.overwrite.is_some()),
            ("unchanged", self.unchanged.is_some()),
        ];
        let keys = keys.into_iter().filter(|(_, is_present)| *is_present);
        keys.map(|(key, _)| key).collect()
    }
}

/// Deserializes a key that is present. Null is an empty document here, and not a missing key.
fn present<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Compiles a schema. The outer error is an error in the line, the inner error is an error in the
/// schema.
fn compile(
    compiler: Compiler,
    line: &JsonlLine<'_>,
    part: &RawValue,
) -> Result<Result<PatchSchema, String>, InputError> {
    let document: Value = line.parse_value("schema", part)?;
    if let Err(problem) = schema::require_schema(&document) {
        return Ok(Err(format!("schema: {problem}")));
    }
    let result = compiler.schema(&document);
    Ok(result.map_err(|error| schema_error("schema", &error)))
}

fn schema_error(key: &str, error: &SchemaError) -> String {
    format!(
        "{}: {}",
        schema::error_location(key, error),
        error.message()
    )
}
