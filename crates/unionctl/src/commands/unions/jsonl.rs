//! `unionctl unions --jsonl`: replies to the request on each line at once and in order, so that a
//! program can use the process as a server.

use crd_unions::AnalyzedObject;
use k8s_crd_validation::StructuralSchema;
use k8s_yaml::Document;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::Settings;

use super::args::UnionsArgs;
use crate::error::{CommandError, InputError};
use crate::input::{InexactNumbers, InputReader};
use crate::jsonl::line::JsonlLine;
use crate::jsonl::request_loop;
use crate::judge::inferred_unions::InferredUnions;
use crate::judge::reply::unions_reply::UnionsReply;
use crate::judge::server_errors::add_server_errors;
use crate::judge::{schema, union_settings};
use crate::output::print::{self, CommandStatus};

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnionsRequestLine<'l> {
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow)]
    old: Option<&'l RawValue>,
    #[serde(borrow)]
    new: Option<&'l RawValue>,
    settings: Option<union_settings::LineUnionSettings>,
    /// True if unions are inferred from the rules of a schema that does not declare unions in the
    /// form of this project.
    #[serde(default, rename = "foreign")]
    infers_unions: bool,
}

/// The expected form of a line, for messages.
const EXPECTED_LINE: &str = r#"{"schema": ..., "old": ..., "new": ...}"#;

/// Replies to each line that is not blank.
pub(crate) fn run(args: &UnionsArgs) -> Result<CommandStatus, CommandError> {
    let mut session = UnionsJsonlSession::new(args)?;
    request_loop::serve(|line| session.reply_to(line))
}

/// The settings of all lines, and the last schema.
#[derive(Default)]
pub(crate) struct UnionsJsonlSession {
    /// The unions of the schema that a flag sets, for lines without a schema.
    flag_unions: Option<SchemaUnions>,
    settings: Settings,
    /// The last schema, because consecutive lines often have the same schema.
    cached: Option<CachedUnions>,
}

struct CachedUnions {
    schema: String,
    infers_unions: bool,
    unions: Result<SchemaUnions, String>,
}

/// The unions of a schema.
struct SchemaUnions {
    unions: Unions,
    /// Notes on the unions, with the errors in unions that are skipped.
    notes: Vec<String>,
    /// The unions that the rules imply, if they are used in place of `unions`.
    inferred: Option<InferredUnions>,
    /// The rules of the schema, for the errors of an API server. `None` unless unions are inferred.
    rules: Option<(StructuralSchema, Vec<AnalyzedObject>)>,
}

impl SchemaUnions {
    fn unions(&self) -> &Unions {
        let inferred = self.inferred.as_ref();
        inferred.map_or(&self.unions, |inferred| &inferred.unions)
    }
}

impl UnionsJsonlSession {
    fn new(args: &UnionsArgs) -> Result<Self, CommandError> {
        let mut flag_unions = None;
        if args.schema.is_given() {
            let source =
                args.schema
                    .load(&mut InputReader::without_stdin("--jsonl"), None, None)?;
            let (unions, union_errors) = source.unions()?;
            print::notes(&source.notes);
            print::notes(&union_errors);
            if unions.is_empty() && union_errors.is_empty() {
                print::notes(&[source.note_on_missing_unions()]);
            }
            flag_unions = Some(SchemaUnions {
                unions,
                notes: Vec::new(),
                inferred: None,
                rules: None,
            });
        }
        Ok(Self {
            flag_unions,
            settings: args.settings.settings(),
            cached: None,
        })
    }

    /// Returns the reply to a line as JSON; `None` if the line is blank.
    pub(crate) fn reply_to_line(&mut self, line_number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(line_number, line, |line| self.reply_to(line))
    }

    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<UnionsReply, InputError> {
        let request_line: UnionsRequestLine<'_> = line.parse_line(EXPECTED_LINE)?;
        let Some(new_raw) = request_line.new else {
            return Err(line.input_error(None, "missing `new`: the object that a client sends"));
        };
        let (new_object, new_document) = line.parse_object_and_document("new", new_raw)?;
        let parsed_old = request_line
            .old
            .map(|raw_value| line.parse_object_and_document("old", raw_value));
        let (old_object, old_document) = parsed_old.transpose()?.unzip();
        let settings = request_line
            .settings
            .unwrap_or_default()
            .apply_to(self.settings);
        let schema_unions =
            self.schema_unions(line, request_line.schema, request_line.infers_unions)?;
        let mut notes = schema_unions.notes.clone();
        notes.extend(inexact_number_notes("new", &new_document));
        let mut reply = UnionsReply::admit(
            schema_unions.unions(),
            new_object,
            old_object.as_ref(),
            settings,
        );
        if let Some((structural_schema, objects)) = &schema_unions.rules {
            add_server_errors(&mut reply, structural_schema, objects, old_object.as_ref());
        }
        if let Some(inferred) = &schema_unions.inferred {
            notes.extend(inferred.rejection_notes(&reply.changes));
        }
        if let Some(document) = old_document.filter(|_| reply.has_restored_member()) {
            notes.extend(inexact_number_notes("old", &document));
        }
        reply.notes = notes;
        Ok(reply)
    }

    /// Returns the unions of the schema on the line, or else of the schema that a flag sets.
    fn schema_unions(
        &mut self,
        line: &JsonlLine<'_>,
        schema: Option<&RawValue>,
        infers_unions: bool,
    ) -> Result<&SchemaUnions, InputError> {
        let Some(schema) = schema else {
            return self.flag_unions.as_ref().ok_or_else(|| {
                line.input_error(
                    None,
                    "missing `schema`; add `schema`, or pass --schema or --crd for all lines",
                )
            });
        };
        let cached = self.cached.take();
        let is_same_schema = |cached: &CachedUnions| {
            cached.infers_unions == infers_unions && cached.schema == schema.get()
        };
        let cached = match cached.filter(is_same_schema) {
            Some(cached) => cached,
            None => CachedUnions {
                unions: compile_unions(&line.parse_value("schema", schema)?, infers_unions),
                infers_unions,
                schema: schema.get().to_owned(),
            },
        };
        let schema_unions = &self.cached.insert(cached).unions;
        schema_unions
            .as_ref()
            .map_err(|message| line.input_error(Some(schema), message))
    }
}

/// Returns notes on the numbers of a document that lose precision. `key` is the key of the document
/// on the line.
fn inexact_number_notes(key: &str, document: &Document) -> impl Iterator<Item = String> {
    let mut numbers = InexactNumbers::default();
    numbers.add(document);
    let notes = numbers.into_notes().into_iter();
    notes.map(move |note| format!("{key}: {}", note.message))
}

fn compile_unions(schema: &Value, infers_unions: bool) -> Result<SchemaUnions, String> {
    schema::require_schema(schema).map_err(|message| format!("schema: {message}"))?;
    let error_message = |error: SchemaError| {
        format!(
            "{}: {}",
            schema::error_location("schema", &error),
            error.message()
        )
    };
    let unions = Unions::compiler()
        .lenient()
        .compile(SchemaSource::Schema(schema))
        .map_err(error_message)?;
    let mut schema_unions = SchemaUnions {
        notes: schema::notes_on_invalid_unions("schema", unions.errors()),
        unions,
        inferred: None,
        rules: None,
    };
    if infers_unions && schema_unions.unions.is_empty() && schema_unions.notes.is_empty() {
        let objects = crd_unions::analyze_schema(schema);
        let inferred = InferredUnions::compile("schema", &objects, SchemaSource::Schema(schema));
        schema_unions.inferred = inferred.map_err(error_message)?;
        let structural_schema = StructuralSchema::compiler().stored().schema(schema).ok();
        schema_unions.rules = structural_schema
            .filter(|_| schema_unions.inferred.is_some())
            .map(|structural_schema| (structural_schema, objects));
        let notes = schema_unions
            .inferred
            .iter()
            .flat_map(|inferred| &inferred.notes);
        schema_unions.notes = notes.cloned().collect();
    }
    Ok(schema_unions)
}
