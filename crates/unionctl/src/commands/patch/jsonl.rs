//! `unionctl patch --jsonl`: replies to the request on each line of stdin.

use std::rc::Rc;

use k8s_strategic_merge_patch::{Compiler, OnConflict, PatchSchema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::{SchemaError, SchemaSource, Unions};

use super::args::PatchSchemaArgs;
use super::request::{PatchReply, PatchRequest};
use super::union_warnings::reply_with_warnings;
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
    #[serde(borrow, default, deserialize_with = "deserialize_present")]
    original: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "deserialize_present")]
    modified: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "deserialize_present")]
    current: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "deserialize_present")]
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
const EXPECTED_LINE: &str = r#"{"op": ..., "schema": ..., "original": ..., "modified": ...}"#;

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
    /// Returns the keys that lines with this op may have in addition to `op` and `schema`.
    const fn supported_keys(self) -> &'static [&'static str] {
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
    Outcome {
        #[serde(flatten)]
        reply: PatchReply,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        union_warnings: Vec<String>,
    },
    /// The reply to `use`.
    SchemaSet {},
}

/// Replies to each line that is not blank.
pub(super) fn run(args: &PatchSchemaArgs) -> Result<CommandStatus, CommandError> {
    args.source.cluster_args().reject_with_lines()?;
    let compiler = args.compiler();
    let mut current_schema = None;
    if args.source.is_given() {
        let schema = args
            .source
            .load(&mut InputReader::without_stdin("--jsonl"), None, None)?;
        let (unions, _) = schema.unions().unwrap_or_default();
        let patch = schema.patch_schema(&compiler)?;
        current_schema = Some(Rc::new(Ok(LineSchema { patch, unions })));
        print::notes(&schema.notes);
    }
    let mut session = PatchJsonlSession {
        compiler,
        current_schema,
        cache: SchemaCache::default(),
    };
    request_loop::serve(|line| session.reply_to(line))
}

/// A schema of a line, compiled for patches and for unions.
struct LineSchema {
    patch: PatchSchema,
    unions: Unions,
}

impl LineSchema {
    /// Returns the schema with the valid unions of the source.
    fn new(patch: PatchSchema, source: SchemaSource<'_>) -> Self {
        let unions = Unions::compiler().lenient().compile(source);
        Self {
            patch,
            unions: unions.unwrap_or_default(),
        }
    }

    fn reply(&self, request: PatchRequest, unchanged_fields: &[String]) -> PatchJsonlReply {
        let (reply, union_warnings) =
            reply_with_warnings(request, &self.patch, &self.unions, unchanged_fields);
        PatchJsonlReply::Outcome {
            reply,
            union_warnings,
        }
    }
}

/// The settings of all lines, and the state that earlier lines set.
struct PatchJsonlSession {
    compiler: Compiler,
    /// The schema that `use` or a flag sets, for lines without a schema.
    current_schema: Option<CompiledSchema<LineSchema>>,
    cache: SchemaCache<LineSchema>,
}

impl PatchJsonlSession {
    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<PatchJsonlReply, InputError> {
        let request_line: PatchRequestLine<'_> = line.parse_line(EXPECTED_LINE)?;
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
                let version = use_line.version.as_deref();
                let patch = self.compiler.crd(&document, version).map_err(|error| {
                    line.input_error(Some(crd), &schema_error_message("crd", &error))
                })?;
                LineSchema::new(patch, SchemaSource::Crd(&document, version))
            }
            (None, Some(schema)) if use_line.version.is_none() => self
                .compile(line, schema)?
                .map_err(|message| line.input_error(Some(schema), &message))?,
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
            .find(|key| !op.supported_keys().contains(key))
        {
            let keys = op.supported_keys().join(", ");
            let message = format!("`{key}` is not supported by this op; expected {keys}");
            return Err(line.input_error(None, &message));
        }
        let parse_document = |key: &str, raw_value: Option<&RawValue>| {
            let missing_key = || {
                let message =
                    format!("missing `{key}`: expected an object, or null for an empty one");
                line.input_error(None, &message)
            };
            line.parse_value(key, raw_value.ok_or_else(missing_key)?)
        };
        let request = match op {
            PatchOperation::Diff => PatchRequest::Diff {
                original: parse_document("original", request_line.original)?,
                modified: parse_document("modified", request_line.modified)?,
            },
            PatchOperation::Apply => PatchRequest::Apply {
                original: parse_document("original", request_line.original)?,
                patch: parse_document("patch", request_line.patch)?,
            },
            PatchOperation::ThreeWay => PatchRequest::ThreeWay {
                original: parse_document("original", request_line.original)?,
                modified: parse_document("modified", request_line.modified)?,
                current: parse_document("current", request_line.current)?,
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
                original: parse_document("original", request_line.original)?,
            },
        };
        let schema = self.schema(line, request_line)?;
        let unchanged_fields = request_line.unchanged.as_deref().unwrap_or_default();
        match &*schema {
            Ok(schema) => Ok(schema.reply(request, unchanged_fields)),
            Err(message) => Err(line.input_error(request_line.schema, message)),
        }
    }

    fn schema(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &PatchRequestLine<'_>,
    ) -> Result<CompiledSchema<LineSchema>, InputError> {
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
        raw_value: &RawValue,
    ) -> Result<Result<LineSchema, String>, InputError> {
        compile(self.compiler, line, raw_value)
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

/// Deserializes the value of a present key. Null is an empty document, not a missing key.
fn deserialize_present<'l, D: Deserializer<'l>>(
    deserializer: D,
) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Compiles a schema. The outer error is about the line, the inner error is about the schema.
fn compile(
    compiler: Compiler,
    line: &JsonlLine<'_>,
    raw_value: &RawValue,
) -> Result<Result<LineSchema, String>, InputError> {
    let document: Value = line.parse_value("schema", raw_value)?;
    if let Err(message) = schema::require_schema(&document) {
        return Ok(Err(format!("schema: {message}")));
    }
    let patch = compiler.schema(&document);
    let schema = patch.map(|patch| LineSchema::new(patch, SchemaSource::Schema(&document)));
    Ok(schema.map_err(|error| schema_error_message("schema", &error)))
}

fn schema_error_message(key: &str, error: &SchemaError) -> String {
    format!(
        "{}: {}",
        schema::error_location(key, error),
        error.message()
    )
}
