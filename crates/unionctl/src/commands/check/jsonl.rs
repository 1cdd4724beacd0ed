//! `unionctl check --jsonl`: replies to a request on each line, for programs in any language.

use k8s_crd_validation::{DuplicateKey, FieldValidation, ServerSettings, normalize_numbers};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::args::CheckArgs;
use super::current_schema::{self, CurrentSchema, LineSchema, StrictDiagnostics, UseLine};
use super::schema_only::{self, DefaultedFields, TypeMetaMode};
use crate::error::{CommandError, InputError};
use crate::input::{Documents, InputReader};
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::crds::Crds;
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::judge::schema_cache::{CompiledSchema, SchemaCache};
use crate::judge::server_settings::CompilingServer;
use crate::judge::{schema, server_settings};
use crate::output::print::{self, CommandStatus};

/// A line of the input: a request, or `use`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequestLine<'l> {
    op: Option<CheckOperation>,
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow)]
    crd: Option<&'l RawValue>,
    status_subresource: Option<bool>,
    #[serde(borrow)]
    old: Option<&'l RawValue>,
    #[serde(borrow)]
    new: Option<&'l RawValue>,
    settings: Option<server_settings::LineServerSettings>,
    #[serde(borrow, rename = "use")]
    use_line: Option<UseLine<'l>>,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"op": ..., "schema": ..., "old": ..., "new": ...}"#;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum CheckOperation {
    Create,
    Update,
    Status,
    Crd,
}

/// The reply to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum CheckJsonlReply {
    Object {
        #[serde(flatten)]
        reply: CheckReply,
        /// The unknown fields of the schema on the line. The server has stored the schema, so they
        /// are neither errors nor warnings of the request.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        schema_unknown_fields: Vec<UnknownFieldReply>,
    },
    /// The reply to `use`.
    SchemaSet {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        errors: Vec<FieldError>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unknown_fields: Vec<UnknownFieldReply>,
    },
    /// The reply to the op `crd`, with the same keys as the other replies.
    Crd {
        errors: Vec<FieldError>,
        ratcheted: [(); 0],
        warnings: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unknown_fields: Vec<UnknownFieldReply>,
    },
}

/// Replies to each line that is not blank.
pub(super) fn run(args: &CheckArgs) -> Result<CommandStatus, CommandError> {
    let mut current_schema = None;
    let settings = args.line_settings();
    let server = CompilingServer::from_settings(&settings);
    if let Some(path) = &args.crd {
        let mut inputs = InputReader::without_stdin("--jsonl");
        let crds = Crds::read_file(&mut inputs, "--crd", path, None)?.with_settings(&settings);
        let flag_schema =
            CurrentSchema::from_crd(crds.single_crd()?, args.version.as_deref(), server);
        if let Some(message) = flag_schema.problem(server) {
            return Err(CommandError::new(crds.file, message));
        }
        let file = &crds.file;
        let errors = flag_schema.errors.iter();
        let mut notes: Vec<String> = errors
            .map(|error| format!("{file}: {}", error.line()))
            .collect();
        notes.extend(crds.notes_on_unknown_fields());
        print::notes(&notes);
        current_schema = Some(flag_schema);
    }
    let mut session = CheckJsonlSession {
        settings,
        current_schema,
        ..CheckJsonlSession::default()
    };
    request_loop::serve(|line| session.reply_to(line))
}

/// The settings of a compilation: the presence of a status subresource, the kind of the objects,
/// the server, and true if unknown fields of the schema are reported.
type LineSchemaSettings = (bool, TypeMetaMode, CompilingServer, bool);

/// The settings of all lines, and the state that earlier lines set.
#[derive(Default)]
pub(crate) struct CheckJsonlSession {
    settings: ServerSettings,
    current_schema: Option<CurrentSchema>,
    /// The compiled schemas, by source and settings.
    cache: SchemaCache<LineSchema, LineSchemaSettings>,
}

impl CheckJsonlSession {
    /// Returns the reply to a line as JSON; `None` if the line is blank. `number` is the line
    /// number for messages.
    pub(crate) fn answer_line(&mut self, number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(number, line, |line| self.reply_to(line))
    }

    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<CheckJsonlReply, InputError> {
        let request_line: CheckRequestLine<'_> = line.parse_line(FORM)?;
        let input_error = |message: &str| Err(line.input_error(None, message));
        match (&request_line.use_line, request_line.op) {
            (Some(use_line), None) if request_line.is_empty() => self.set_schema(line, use_line),
            (Some(_), _) => input_error("`use` cannot be combined with other keys"),
            (None, Some(CheckOperation::Crd)) => {
                validate_crd(line, &request_line, &self.settings_of(&request_line))
            }
            (None, Some(op)) => self.reply_to_request(line, &request_line, op),
            (None, None) => input_error(
                "missing `op`: expected create, update, status or crd, or a line with `use`",
            ),
        }
    }

    fn set_schema(
        &mut self,
        line: &JsonlLine<'_>,
        use_line: &UseLine<'_>,
    ) -> Result<CheckJsonlReply, InputError> {
        let input_error = |message: &str| Err(line.input_error(None, message));
        let server = CompilingServer::from_settings(&self.settings);
        let (current, strict) = match (use_line.crd, use_line.schema) {
            (Some(crd), None) if use_line.status_subresource.is_none() => {
                let (crd, keys) = parse_with_duplicates(line, "crd", crd)?;
                let current = CurrentSchema::from_crd(&crd, use_line.version.as_deref(), server);
                (
                    current,
                    StrictDiagnostics::of_crd(&crd, &keys, &self.settings),
                )
            }
            (None, Some(schema)) if use_line.version.is_none() => {
                let has_status = use_line.status_subresource.unwrap_or_default();
                let (schema, keys) = parse_schema_with_duplicates(line, schema)?;
                let current = CurrentSchema::from_schema(&schema, has_status, server);
                let crd = schema_only::wrap_in_crd(&schema, has_status);
                (
                    current,
                    StrictDiagnostics::of_crd(&crd, &keys, &self.settings),
                )
            }
            (Some(_), None) => {
                return input_error(
                    "use: `status_subresource` is supported only with `schema`; a CRD declares its subresources",
                );
            }
            (None, Some(_)) => return input_error("use: `version` is supported only with `crd`"),
            _ => return input_error("use: expected either `crd` or `schema`"),
        };
        let mut errors = strict.errors;
        if errors.is_empty() {
            errors.clone_from(&current.errors);
        }
        self.current_schema = Some(current);
        Ok(CheckJsonlReply::SchemaSet {
            errors,
            warnings: strict.warnings,
            unknown_fields: strict.unknown_fields,
        })
    }

    /// Returns the settings of a line. Settings that the line omits have the values of the flags.
    fn settings_of(&self, request_line: &CheckRequestLine<'_>) -> ServerSettings {
        let settings = self.settings.clone();
        match &request_line.settings {
            Some(line_schema) => line_schema.apply_to(settings),
            None => settings,
        }
    }

    fn reply_to_request(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &CheckRequestLine<'_>,
        op: CheckOperation,
    ) -> Result<CheckJsonlReply, InputError> {
        let input_error = |message: &str| line.input_error(None, message);
        let Some(new) = request_line.new else {
            return Err(input_error("missing `new`: the object that a client sends"));
        };
        let (mut new, keys) = parse_sent(line, "new", new)?;
        let mut old = match (op, request_line.old) {
            (CheckOperation::Create, Some(_)) => {
                return Err(input_error(
                    "a create has no `old`; remove it, or use \"op\": \"update\"",
                ));
            }
            (CheckOperation::Create, None) => None,
            (_, Some(old)) => {
                let mut old = parse_resource(line, "old", old)?;
                normalize_numbers(&mut old);
                Some(old)
            }
            (_, None) => return Err(input_error("missing `old`: the stored object")),
        };
        let (schema, has_no_crd) = self.schema(line, request_line, op, &new)?;
        let LineSchema {
            schema,
            unknown_fields,
        } = match &*schema {
            Ok(schema) => schema,
            Err(message) => {
                return Err(line.input_error(request_line.schema, &format!("schema: {message}")));
            }
        };
        let settings = self.settings_of(request_line);
        let mut added = DefaultedFields::default();
        if has_no_crd {
            added = schema_only::default_fields(&mut new);
            if let Some(old) = &mut old {
                let old_added = schema_only::default_fields(old);
                if op == CheckOperation::Status {
                    added = added.with_metadata_of(&old_added);
                }
            }
        }
        let request = match &old {
            Some(old) if op == CheckOperation::Status => ObjectRequest::UpdateStatus(old),
            Some(old) => ObjectRequest::Update(old),
            None => ObjectRequest::Create,
        };
        let mut reply = CheckReply::validate_value(schema, request, new, &keys, &settings);
        added.remove_from(&mut reply.object);
        Ok(CheckJsonlReply::Object {
            reply,
            schema_unknown_fields: unknown_fields.clone(),
        })
    }

    /// Returns the schema for a line, and true if the schema is not part of a CRD.
    fn schema(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &CheckRequestLine<'_>,
        op: CheckOperation,
        new: &Value,
    ) -> Result<(CompiledSchema<LineSchema>, bool), InputError> {
        let settings = self.settings_of(request_line);
        let server = CompilingServer::from_settings(&settings);
        if let Some(schema) = request_line.schema {
            let has_status =
                op == CheckOperation::Status || request_line.status_subresource.unwrap_or_default();
            let mode = TypeMetaMode::for_object(new);
            let is_reported = settings.field_validation != FieldValidation::Ignore;
            let compile = || {
                let schema = parse_schema(line, schema)?;
                let compiled = current_schema::compile_stored(&schema, has_status, mode, server);
                Ok(compiled.map(|compiled| LineSchema {
                    schema: compiled,
                    unknown_fields: if is_reported {
                        schema_only::unknown_fields(&schema, server.review())
                    } else {
                        Vec::new()
                    },
                }))
            };
            let cache_key = (has_status, mode, server, is_reported);
            return Ok((self.cache.get(schema.get(), cache_key, compile)?, true));
        }
        if request_line.status_subresource.is_some() {
            let message = "`status_subresource` requires `schema` on the same line";
            return Err(line.input_error(None, message));
        }
        match &self.current_schema {
            Some(current) => Ok(current.schema_for(new, server)),
            None => Err(line.input_error(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --crd",
            )),
        }
    }
}

impl CheckRequestLine<'_> {
    /// Returns true if the line has no keys except `use` and `op`.
    const fn is_empty(&self) -> bool {
        self.schema.is_none()
            && self.crd.is_none()
            && self.status_subresource.is_none()
            && self.old.is_none()
            && self.new.is_none()
            && self.settings.is_none()
    }
}

/// Validates a CRD, or a CRD that is built around the schema of the line.
fn validate_crd(
    line: &JsonlLine<'_>,
    request_line: &CheckRequestLine<'_>,
    settings: &ServerSettings,
) -> Result<CheckJsonlReply, InputError> {
    let input_error = |message: &str| line.input_error(None, message);
    if request_line.new.is_some() {
        return Err(input_error("`new` is not supported with \"op\": \"crd\""));
    }
    let has_status = request_line.status_subresource;
    let review = CompilingServer::from_settings(settings)
        .review()
        .field_validation(settings.field_validation);
    let unknown;
    let outcome = match (request_line.crd, request_line.schema) {
        (Some(_), _) if has_status.is_some() => {
            return Err(input_error(
                "`status_subresource` is supported only with `schema`; a CRD declares its subresources",
            ));
        }
        (Some(crd), None) => {
            let (new, keys) = parse_with_duplicates(line, "crd", crd)?;
            let review = review.duplicate_keys(&keys);
            let old = request_line
                .old
                .map(|old| line.parse_value("old", old))
                .transpose()?;
            unknown = UnknownFieldReply::all(&review.unknown_fields(&new), None);
            match &old {
                Some(old) => review.update(&new, old),
                None => review.create(&new),
            }
        }
        (None, Some(_)) if request_line.old.is_some() => {
            return Err(input_error("`old` requires `crd`; both must be CRDs"));
        }
        (None, Some(schema)) => {
            let (schema, keys) = parse_schema_with_duplicates(line, schema)?;
            let review = review.duplicate_keys(&keys);
            let new = schema_only::wrap_in_crd(&schema, has_status.unwrap_or_default());
            unknown = UnknownFieldReply::all(&review.unknown_fields(&new), None);
            review.create(&new)
        }
        (Some(_), Some(_)) => {
            return Err(input_error(
                "`crd` cannot be combined with `schema`; remove one",
            ));
        }
        (None, None) => {
            return Err(input_error("missing `crd` or `schema`"));
        }
    };
    Ok(CheckJsonlReply::Crd {
        errors: field_errors(outcome.errors()),
        ratcheted: [],
        warnings: outcome.warnings().to_vec(),
        unknown_fields: unknown,
    })
}

/// Parses the object that a client sends, and returns its duplicate keys.
fn parse_sent(
    line: &JsonlLine<'_>,
    key: &str,
    part: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match parse_resource(line, key, part) {
        Ok(value) => Ok((value, Vec::new())),
        Err(input_error) => with_duplicates(part)
            .filter(|(value, _)| value.is_object())
            .ok_or(input_error),
    }
}

fn parse_with_duplicates(
    line: &JsonlLine<'_>,
    key: &str,
    part: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match line.parse_value(key, part) {
        Ok(value) => Ok((value, Vec::new())),
        Err(input_error) => with_duplicates(part).ok_or(input_error),
    }
}

/// Parses a value whose only errors are duplicate keys.
fn with_duplicates(part: &RawValue) -> Option<(Value, Vec<DuplicateKey>)> {
    let documents = Documents::parse_with_sources("", part.get().as_bytes()).ok()?;
    let located = documents.located_objects().next()?;
    let duplicates = documents.document_source(located)?.duplicates();
    let keys = duplicates
        .into_iter()
        .map(|duplicate| duplicate.key)
        .collect();
    Some((documents.values.into_iter().next()?, keys))
}

/// Parses an object of a line. Lists are rejected, although `parse_object` accepts them: a list is
/// not a resource.
fn parse_resource(line: &JsonlLine<'_>, key: &str, part: &RawValue) -> Result<Value, InputError> {
    let value = line.parse_object(key, part)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(line.input_error(
            Some(part),
            &format!("`{key}` must be an object, not a list"),
        ))
    }
}

/// Parses a stored schema, in which a duplicate key is an error.
fn parse_schema(line: &JsonlLine<'_>, part: &RawValue) -> Result<Value, InputError> {
    require_schema(line, part, line.parse_value("schema", part)?)
}

/// Parses a schema that a client sends, and returns its duplicate keys, with their paths in the CRD
/// around the schema.
fn parse_schema_with_duplicates(
    line: &JsonlLine<'_>,
    part: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    let (schema, keys) = parse_with_duplicates(line, "schema", part)?;
    let schema = require_schema(line, part, schema)?;
    let keys = keys.into_iter().map(schema_only::in_crd);
    Ok((schema, keys.collect()))
}

fn require_schema(
    line: &JsonlLine<'_>,
    part: &RawValue,
    schema: Value,
) -> Result<Value, InputError> {
    match schema::require_schema(&schema) {
        Ok(()) => Ok(schema),
        Err(message) => Err(line.input_error(Some(part), &format!("schema: {message}"))),
    }
}
