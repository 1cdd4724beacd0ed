//! `unionctl check --jsonl`: answers a request on each line, for programs in any language.

use k8s_crd_validation::{
    DuplicateKey, FieldValidation, ServerSettings, StructuralSchema, normalize_numbers,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::args::CheckArgs;
use super::current_schema::{self, CurrentSchema, UseLine};
use super::schema_only::{self, DefaultedFields, TypeMetaMode};
use crate::error::{CommandError, InputError};
use crate::input::{Documents, InputReader};
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::check_reply::{CheckReply, ObjectRequest};
use crate::judge::crds::Crds;
use crate::judge::schema_cache::{CompiledSchema, SchemaCache};
use crate::judge::server_settings::CompilingServer;
use crate::judge::unions_reply::{FieldError, field_errors};
use crate::judge::unknown_field::UnknownFieldReply;
use crate::judge::{schema, server_settings};
use crate::output::print::{self, CommandStatus};

/// A line of the input.
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

/// The answer to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum CheckJsonlReply {
    Object(CheckReply),
    /// The answer to `use`.
    SchemaSet {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        errors: Vec<FieldError>,
    },
    /// The answer to the op `crd`, in the form of the other answers.
    Crd {
        errors: Vec<FieldError>,
        ratcheted: [(); 0],
        warnings: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unknown_fields: Vec<UnknownFieldReply>,
    },
}

/// Answers every line that is not blank.
pub(super) fn run(args: &CheckArgs) -> Result<CommandStatus, CommandError> {
    let mut used = None;
    let settings = args.line_settings();
    let server = CompilingServer::from_settings(&settings);
    if let Some(path) = &args.crd {
        let mut inputs = InputReader::without_stdin("--jsonl");
        let crds = Crds::read_file(&mut inputs, "--crd", path, None)?;
        let of_flag = CurrentSchema::from_crd(crds.single_crd()?, args.version.as_deref(), server);
        if let Some(problem) = of_flag.problem(server) {
            return Err(CommandError::new(crds.file, problem));
        }
        let file = &crds.file;
        let errors = of_flag.errors.iter();
        let notes: Vec<String> = errors
            .map(|error| format!("{file}: {}", error.line()))
            .collect();
        print::notes(&notes);
        used = Some(of_flag);
    }
    let mut cases = CheckJsonlSession {
        settings,
        current_schema: used,
        ..CheckJsonlSession::default()
    };
    request_loop::serve(|line| cases.answer(line))
}

/// The settings of all lines, and the state that earlier lines set.
#[derive(Default)]
pub(crate) struct CheckJsonlSession {
    settings: ServerSettings,
    current_schema: Option<CurrentSchema>,
    /// The compiled schemas, by their source, the presence of a status subresource, the kind of
    /// objects, and the server.
    cache: SchemaCache<StructuralSchema, (bool, TypeMetaMode, CompilingServer)>,
}

impl CheckJsonlSession {
    /// Returns the answer to the line with this number, as it is printed; `None` to a blank line.
    pub(crate) fn answer_line(&mut self, number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(number, line, |line| self.answer(line))
    }

    fn answer(&mut self, line: &JsonlLine<'_>) -> Result<CheckJsonlReply, InputError> {
        let case: CheckRequestLine<'_> = line.parse_line(FORM)?;
        let flaw = |text: &str| Err(line.input_error(None, text));
        match (&case.use_line, case.op) {
            (Some(used), None) if case.is_empty() => self.answer_use(line, used),
            (Some(_), _) => flaw("`use` cannot be combined with other keys"),
            (None, Some(CheckOperation::Crd)) => {
                validate_crd(line, &case, &self.settings_of(&case))
            }
            (None, Some(op)) => self.answer_request(line, &case, op),
            (None, None) => {
                flaw("missing `op`: expected create, update, status or crd, or a line with `use`")
            }
        }
    }

    fn answer_use(
        &mut self,
        line: &JsonlLine<'_>,
        used: &UseLine<'_>,
    ) -> Result<CheckJsonlReply, InputError> {
        let flaw = |text: &str| Err(line.input_error(None, text));
        let of_line = match (used.crd, used.schema) {
            (Some(crd), None) if used.status_subresource.is_none() => CurrentSchema::from_crd(
                &line.parse_value("crd", crd)?,
                used.version.as_deref(),
                CompilingServer::from_settings(&self.settings),
            ),
            (None, Some(schema)) if used.version.is_none() => {
                let has_status = used.status_subresource.unwrap_or_default();
                CurrentSchema::from_schema(
                    &parse_schema(line, schema)?,
                    has_status,
                    CompilingServer::from_settings(&self.settings),
                )
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
        self.current_schema = Some(of_line);
        Ok(CheckJsonlReply::SchemaSet { errors })
    }

    /// Returns the settings of a line, with the settings of the flags as defaults.
    fn settings_of(&self, case: &CheckRequestLine<'_>) -> ServerSettings {
        let settings = self.settings.clone();
        match &case.settings {
            Some(of_line) => of_line.apply_to(settings),
            None => settings,
        }
    }

    fn answer_request(
        &mut self,
        line: &JsonlLine<'_>,
        case: &CheckRequestLine<'_>,
        op: CheckOperation,
    ) -> Result<CheckJsonlReply, InputError> {
        let flaw = |text: &str| line.input_error(None, text);
        let Some(new) = case.new else {
            return Err(flaw("missing `new`: the object that a client sends"));
        };
        let (mut new, keys) = parse_sent(line, "new", new)?;
        let mut old = match (op, case.old) {
            (CheckOperation::Create, Some(_)) => {
                return Err(flaw(
                    "a create has no `old`; remove it, or use \"op\": \"update\"",
                ));
            }
            (CheckOperation::Create, None) => None,
            (_, Some(old)) => {
                let mut old = parse_resource(line, "old", old)?;
                normalize_numbers(&mut old);
                Some(old)
            }
            (_, None) => return Err(flaw("missing `old`: the stored object")),
        };
        let (schema, is_bare) = self.schema(line, case, op, &new)?;
        let schema = match &*schema {
            Ok(schema) => schema,
            Err(problem) => {
                return Err(line.input_error(case.schema, &format!("schema: {problem}")));
            }
        };
        let settings = self.settings_of(case);
        let mut filled = DefaultedFields::default();
        if is_bare {
            filled = schema_only::default_fields(&mut new);
            if let Some(old) = &mut old {
                let of_old = schema_only::default_fields(old);
                if op == CheckOperation::Status {
                    filled = filled.with_metadata_of(&of_old);
                }
            }
        }
        let request = match &old {
            Some(old) if op == CheckOperation::Status => ObjectRequest::UpdateStatus(old),
            Some(old) => ObjectRequest::Update(old),
            None => ObjectRequest::Create,
        };
        let mut judgement = CheckReply::validate_value(schema, request, new, &keys, &settings);
        filled.remove_from(&mut judgement.object);
        Ok(CheckJsonlReply::Object(judgement))
    }

    /// Returns the schema of a line, and true if it is not part of a CRD.
    fn schema(
        &mut self,
        line: &JsonlLine<'_>,
        case: &CheckRequestLine<'_>,
        op: CheckOperation,
        new: &Value,
    ) -> Result<(CompiledSchema<StructuralSchema>, bool), InputError> {
        let server = CompilingServer::from_settings(&self.settings_of(case));
        if let Some(text) = case.schema {
            let has_status =
                op == CheckOperation::Status || case.status_subresource.unwrap_or_default();
            let with = (has_status, TypeMetaMode::for_object(new), server);
            let compile = || {
                Ok(current_schema::compile_stored(
                    &parse_schema(line, text)?,
                    with.0,
                    with.1,
                    server,
                ))
            };
            return Ok((self.cache.get(text.get(), with, compile)?, true));
        }
        if case.status_subresource.is_some() {
            let problem = "`status_subresource` requires `schema` on the same line";
            return Err(line.input_error(None, problem));
        }
        match &self.current_schema {
            Some(used) => Ok(used.schema_for(new, server)),
            None => Err(line.input_error(
                None,
                "missing `schema`; add `schema`, send a line with `use` first, or pass --crd",
            )),
        }
    }
}

impl CheckRequestLine<'_> {
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
fn validate_crd(
    line: &JsonlLine<'_>,
    case: &CheckRequestLine<'_>,
    settings: &ServerSettings,
) -> Result<CheckJsonlReply, InputError> {
    let flaw = |text: &str| line.input_error(None, text);
    if case.new.is_some() {
        return Err(flaw("`new` is not supported with \"op\": \"crd\""));
    }
    let has_status = case.status_subresource;
    let review = CompilingServer::from_settings(settings)
        .review()
        .field_validation(settings.field_validation);
    let is_reported = settings.field_validation != FieldValidation::Ignore;
    let mut unknown = Vec::new();
    let outcome = match (case.crd, case.schema) {
        (Some(_), _) if has_status.is_some() => {
            return Err(flaw(
                "`status_subresource` is supported only with `schema`; a CRD declares its subresources",
            ));
        }
        (Some(text), None) => {
            let (new, keys) = parse_with_duplicates(line, "crd", text)?;
            let review = review.duplicate_keys(&keys);
            let old = case
                .old
                .map(|old| line.parse_value("old", old))
                .transpose()?;
            if is_reported {
                unknown = UnknownFieldReply::all(&review.unknown_fields(&new), None);
            }
            match &old {
                Some(old) => review.update(&new, old),
                None => review.create(&new),
            }
        }
        (None, Some(_)) if case.old.is_some() => {
            return Err(flaw("`old` requires `crd`; both must be CRDs"));
        }
        (None, Some(text)) => {
            let schema = parse_schema(line, text)?;
            let new = schema_only::wrap_in_crd(&schema, has_status.unwrap_or_default());
            if is_reported {
                unknown = UnknownFieldReply::all(&review.unknown_fields(&new), None);
            }
            review.create(&new)
        }
        (Some(_), Some(_)) => {
            return Err(flaw("`crd` cannot be combined with `schema`; remove one"));
        }
        (None, None) => {
            return Err(flaw("missing `crd` or `schema`"));
        }
    };
    Ok(CheckJsonlReply::Crd {
        errors: field_errors(outcome.errors()),
        ratcheted: [],
        warnings: outcome.warnings().to_vec(),
        unknown_fields: unknown,
    })
}

/// Reads the object that a client sends, and its duplicate keys.
fn parse_sent(
    line: &JsonlLine<'_>,
    key: &str,
    text: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match parse_resource(line, key, text) {
        Ok(value) => Ok((value, Vec::new())),
        Err(flaw) => with_duplicates(text)
            .filter(|(value, _)| value.is_object())
            .ok_or(flaw),
    }
}

fn parse_with_duplicates(
    line: &JsonlLine<'_>,
    key: &str,
    text: &RawValue,
) -> Result<(Value, Vec<DuplicateKey>), InputError> {
    match line.parse_value(key, text) {
        Ok(value) => Ok((value, Vec::new())),
        Err(flaw) => with_duplicates(text).ok_or(flaw),
    }
}

/// Reads a value that has duplicate keys and no other flaw.
fn with_duplicates(text: &RawValue) -> Option<(Value, Vec<DuplicateKey>)> {
    let documents = Documents::parse_with_sources("", text.get().as_bytes()).ok()?;
    let located = documents.located_objects().next()?;
    let duplicates = documents.document_source(located)?.duplicates();
    let keys = duplicates.into_iter().map(|found| found.key).collect();
    Some((documents.values.into_iter().next()?, keys))
}

/// Reads an object of a line. A list may have unions, but is not a resource.
fn parse_resource(line: &JsonlLine<'_>, key: &str, text: &RawValue) -> Result<Value, InputError> {
    let value = line.parse_object(key, text)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(line.input_error(
            Some(text),
            &format!("`{key}` must be an object, not a list"),
        ))
    }
}

fn parse_schema(line: &JsonlLine<'_>, text: &RawValue) -> Result<Value, InputError> {
    let schema = line.parse_value("schema", text)?;
    match schema::require_schema(&schema) {
        Ok(()) => Ok(schema),
        Err(problem) => Err(line.input_error(Some(text), &format!("schema: {problem}"))),
    }
}
