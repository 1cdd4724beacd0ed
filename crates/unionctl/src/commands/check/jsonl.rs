//! `unionctl check --jsonl`: replies to the request on each line of stdin.

use k8s_crd_validation::{DuplicateKey, FieldValidation, ServerSettings, normalize_numbers};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::args::CheckArgs;
use super::current_schema::{
    self, CurrentSchema, LineSchema, SchemaForObject, StrictDiagnostics, UseLine,
};
use super::schema_only::{self, DefaultedFields, TypeMetaMode};
use crate::error::{CommandError, InputError};
use crate::input::{Documents, InputReader};
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::crds::Crds;
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::UnknownFieldReply;
use crate::judge::schema_cache::SchemaCache;
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
const EXPECTED_LINE: &str = r#"{"op": ..., "schema": ..., "old": ..., "new": ...}"#;

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
        #[serde(skip_serializing_if = "Vec::is_empty")]
        hints: Vec<ErrorHint>,
        /// The unknown fields of the schema on the line. The schema counts as stored, so its
        /// unknown fields are neither errors nor warnings of the request.
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
        hints: Vec<ErrorHint>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unknown_fields: Vec<UnknownFieldReply>,
    },
}

/// A hint about an error. The errors of a line have only the parts that a server reports, because
/// programs compare them with the errors of a server.
#[derive(Serialize)]
struct ErrorHint {
    /// The index of the error.
    error: usize,
    text: String,
}

/// Removes the hints from the errors, and returns the hints.
fn take_hints(errors: &mut [FieldError]) -> Vec<ErrorHint> {
    let hints = errors
        .iter_mut()
        .enumerate()
        .flat_map(|(error, field_error)| {
            let texts = std::mem::take(&mut field_error.hints).into_iter();
            texts.map(move |text| ErrorHint { error, text })
        });
    hints.collect()
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
        if let Some(message) = flag_schema.compile_error(server) {
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

/// The settings with which the schema of a line is compiled.
#[derive(PartialEq)]
struct LineSchemaSettings {
    has_status: bool,
    type_meta: TypeMetaMode,
    server: CompilingServer,
    reports_unknown_fields: bool,
}

/// The settings of all lines, and the state that earlier lines set.
#[derive(Default)]
pub(crate) struct CheckJsonlSession {
    settings: ServerSettings,
    current_schema: Option<CurrentSchema>,
    /// The compiled schemas, by source and settings.
    cache: SchemaCache<LineSchema, LineSchemaSettings>,
}

impl CheckJsonlSession {
    /// Returns the reply to a line as JSON; `None` if the line is blank.
    pub(crate) fn reply_to_line(&mut self, line_number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(line_number, line, |line| self.reply_to(line))
    }

    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<CheckJsonlReply, InputError> {
        let request_line: CheckRequestLine<'_> = line.parse_line(EXPECTED_LINE)?;
        let input_error = |message: &str| Err(line.input_error(None, message));
        match (&request_line.use_line, request_line.op) {
            (Some(use_line), None) if request_line.has_only_use() => {
                self.set_schema(line, use_line)
            }
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
        let (current_schema, diagnostics) = match (use_line.crd, use_line.schema) {
            (Some(crd), None) if use_line.status_subresource.is_none() => {
                let (crd, duplicate_keys) = parse_with_duplicates(line, "crd", crd)?;
                (
                    CurrentSchema::from_crd(&crd, use_line.version.as_deref(), server),
                    StrictDiagnostics::for_crd(&crd, &duplicate_keys, &self.settings),
                )
            }
            (None, Some(schema)) if use_line.version.is_none() => {
                let has_status = use_line.status_subresource.unwrap_or_default();
                let (schema, duplicate_keys) = parse_schema_with_duplicates(line, schema)?;
                let crd = schema_only::wrap_in_crd(&schema, has_status);
                (
                    CurrentSchema::from_schema(&schema, has_status, server),
                    StrictDiagnostics::for_crd(&crd, &duplicate_keys, &self.settings),
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
        let mut errors = diagnostics.errors;
        if errors.is_empty() {
            errors.clone_from(&current_schema.errors);
        }
        self.current_schema = Some(current_schema);
        Ok(CheckJsonlReply::SchemaSet {
            errors,
            warnings: diagnostics.warnings,
            unknown_fields: diagnostics.unknown_fields,
        })
    }

    /// Returns the settings of a line. Settings that the line omits have the values of the flags.
    fn settings_of(&self, request_line: &CheckRequestLine<'_>) -> ServerSettings {
        let settings = self.settings.clone();
        match &request_line.settings {
            Some(line_settings) => line_settings.apply_to(settings),
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
        let (mut new_object, duplicate_keys) = parse_sent_object(line, "new", new)?;
        let mut old_object = match (op, request_line.old) {
            (CheckOperation::Create, Some(_)) => {
                return Err(input_error(
                    "a create has no `old`; remove it, or use \"op\": \"update\"",
                ));
            }
            (CheckOperation::Create, None) => None,
            (_, Some(old)) => {
                let mut old_object = parse_resource(line, "old", old)?;
                normalize_numbers(&mut old_object);
                Some(old_object)
            }
            (_, None) => return Err(input_error("missing `old`: the stored object")),
        };
        let SchemaForObject { schema, has_crd } =
            self.schema(line, request_line, op, &new_object)?;
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
        let mut defaulted_fields = DefaultedFields::default();
        if !has_crd {
            defaulted_fields = schema_only::default_fields(&mut new_object);
            if let Some(old_object) = &mut old_object {
                let old_defaulted_fields = schema_only::default_fields(old_object);
                if op == CheckOperation::Status {
                    defaulted_fields = defaulted_fields.with_metadata_of(&old_defaulted_fields);
                }
            }
        }
        let request = match &old_object {
            Some(old) if op == CheckOperation::Status => ObjectRequest::UpdateStatus(old),
            Some(old) => ObjectRequest::Update(old),
            None => ObjectRequest::Create,
        };
        let mut reply =
            CheckReply::validate_value(schema, request, new_object, &duplicate_keys, &settings);
        defaulted_fields.remove_from(&mut reply.object);
        Ok(CheckJsonlReply::Object {
            hints: take_hints(&mut reply.errors),
            reply,
            schema_unknown_fields: unknown_fields.clone(),
        })
    }

    /// Returns the schema on the line, or else the schema that an earlier line or a flag set.
    fn schema(
        &mut self,
        line: &JsonlLine<'_>,
        request_line: &CheckRequestLine<'_>,
        op: CheckOperation,
        new_object: &Value,
    ) -> Result<SchemaForObject, InputError> {
        let settings = self.settings_of(request_line);
        let server = CompilingServer::from_settings(&settings);
        if let Some(schema) = request_line.schema {
            let has_status =
                op == CheckOperation::Status || request_line.status_subresource.unwrap_or_default();
            let type_meta = TypeMetaMode::for_object(new_object);
            let reports_unknown_fields = settings.field_validation != FieldValidation::Ignore;
            let compile = || {
                let schema = parse_schema(line, schema)?;
                let compiled =
                    current_schema::compile_stored(&schema, has_status, type_meta, server);
                Ok(compiled.map(|compiled| LineSchema {
                    schema: compiled,
                    unknown_fields: if reports_unknown_fields {
                        schema_only::unknown_fields(&schema, server.review())
                    } else {
                        Vec::new()
                    },
                }))
            };
            let cache_key = LineSchemaSettings {
                has_status,
                type_meta,
                server,
                reports_unknown_fields,
            };
            return Ok(SchemaForObject {
                schema: self.cache.get(schema.get(), cache_key, compile)?,
                has_crd: false,
            });
        }
        if request_line.status_subresource.is_some() {
            let message = "`status_subresource` requires `schema` on the same line";
            return Err(line.input_error(None, message));
        }
        match &self.current_schema {
            Some(current_schema) => Ok(current_schema.schema_for(new_object, server)),
            None => Err(line.input_error(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --crd",
            )),
        }
    }
}

impl CheckRequestLine<'_> {
    /// Returns true if `use` and `op` are the only keys of the line.
    const fn has_only_use(&self) -> bool {
        self.schema.is_none()
            && self.crd.is_none()
            && self.status_subresource.is_none()
            && self.old.is_none()
            && self.new.is_none()
            && self.settings.is_none()
    }
}

/// Validates the CRD of the line, or a CRD around the schema of the line.
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
    let unknown_fields;
    let report = match (request_line.crd, request_line.schema) {
        (Some(_), _) if has_status.is_some() => {
            return Err(input_error(
                "`status_subresource` is supported only with `schema`; a CRD declares its subresources",
            ));
        }
        (Some(crd), None) => {
            let (new_crd, duplicate_keys) = parse_with_duplicates(line, "crd", crd)?;
            let review = review.duplicate_keys(&duplicate_keys);
            let old_crd = request_line
                .old
                .map(|old_crd| line.parse_value("old", old_crd))
                .transpose()?;
            unknown_fields = UnknownFieldReply::from_fields(&review.unknown_fields(&new_crd), None);
            match &old_crd {
                Some(old_crd) => review.update(&new_crd, old_crd),
                None => review.create(&new_crd),
            }
        }
        (None, Some(_)) if request_line.old.is_some() => {
            return Err(input_error("`old` requires `crd`; both must be CRDs"));
        }
        (None, Some(schema)) => {
            let (schema, duplicate_keys) = parse_schema_with_duplicates(line, schema)?;
            let review = review.duplicate_keys(&duplicate_keys);
            let new_crd = schema_only::wrap_in_crd(&schema, has_status.unwrap_or_default());
            unknown_fields = UnknownFieldReply::from_fields(&review.unknown_fields(&new_crd), None);
            review.create(&new_crd)
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
    let mut errors = field_errors(report.errors());
    Ok(CheckJsonlReply::Crd {
        hints: take_hints(&mut errors),
        errors,
        ratcheted: [],
        warnings: report.warnings().to_vec(),
        unknown_fields,
    })
}

/// Parses the object that a client sends, and returns its duplicate keys.
fn parse_sent_object(
    line: &JsonlLine<'_>,
    key: &str,
    raw_value: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match parse_resource(line, key, raw_value) {
        Ok(value) => Ok((value, Vec::new())),
        Err(input_error) => recover_from_duplicate_keys(raw_value)
            .filter(|(value, _)| value.is_object())
            .ok_or(input_error),
    }
}

fn parse_with_duplicates(
    line: &JsonlLine<'_>,
    key: &str,
    raw_value: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match line.parse_value(key, raw_value) {
        Ok(value) => Ok((value, Vec::new())),
        Err(input_error) => recover_from_duplicate_keys(raw_value).ok_or(input_error),
    }
}

/// Parses a value whose only errors are duplicate keys; `None` if it has other errors.
fn recover_from_duplicate_keys(raw_value: &RawValue) -> Option<(Value, Vec<DuplicateKey>)> {
    let documents = Documents::parse_with_sources("", raw_value.get().as_bytes()).ok()?;
    let object_in_file = documents.objects_in_file().next()?;
    let duplicates = documents.document_source(object_in_file)?.duplicates();
    let keys = duplicates
        .into_iter()
        .map(|duplicate| duplicate.key)
        .collect();
    Some((documents.values.into_iter().next()?, keys))
}

/// Parses an object of a line. Returns an error for a list, which `parse_object` accepts.
fn parse_resource(
    line: &JsonlLine<'_>,
    key: &str,
    raw_value: &RawValue,
) -> Result<Value, InputError> {
    let value = line.parse_object(key, raw_value)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(line.input_error(
            Some(raw_value),
            &format!("`{key}` must be an object, not a list"),
        ))
    }
}

/// Parses a stored schema, in which a duplicate key is an error.
fn parse_schema(line: &JsonlLine<'_>, raw_value: &RawValue) -> Result<Value, InputError> {
    require_schema(line, raw_value, line.parse_value("schema", raw_value)?)
}

/// Parses a schema that a client sends. Also returns its duplicate keys, with their paths in the
/// CRD of [`schema_only::wrap_in_crd`].
fn parse_schema_with_duplicates(
    line: &JsonlLine<'_>,
    raw_value: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    let (schema, duplicate_keys) = parse_with_duplicates(line, "schema", raw_value)?;
    let schema = require_schema(line, raw_value, schema)?;
    let duplicate_keys = duplicate_keys.into_iter().map(schema_only::path_in_crd);
    Ok((schema, duplicate_keys.collect()))
}

fn require_schema(
    line: &JsonlLine<'_>,
    raw_value: &RawValue,
    schema: Value,
) -> Result<Value, InputError> {
    match schema::require_schema(&schema) {
        Ok(()) => Ok(schema),
        Err(message) => Err(line.input_error(Some(raw_value), &format!("schema: {message}"))),
    }
}
