//! `unionctl unions --jsonl`: replies to the request on each line at once and in order, so that a
//! program can use the process as a server.

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
    /// True if a schema that does not declare unions in this project's form is validated by the
    /// unions of its rules.
    #[serde(default)]
    foreign: bool,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"schema": ..., "old": ..., "new": ...}"#;

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
    foreign: bool,
    unions: Result<SchemaUnions, String>,
}

/// The unions of a schema.
struct SchemaUnions {
    unions: Unions,
    /// Notes on the unions, with the errors in unions that are skipped.
    notes: Vec<String>,
    /// The unions that the rules imply, if they are used in place of `unions`.
    inferred: Option<InferredUnions>,
}

impl SchemaUnions {
    fn unions(&self) -> &Unions {
        let foreign = self.inferred.as_ref();
        foreign.map_or(&self.unions, |foreign| &foreign.unions)
    }
}

impl UnionsJsonlSession {
    fn new(args: &UnionsArgs) -> Result<Self, CommandError> {
        let mut flag_unions = None;
        if args.schema.is_given() {
            let source = args
                .schema
                .load(&mut InputReader::without_stdin("--jsonl"), None)?;
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
            });
        }
        Ok(Self {
            flag_unions,
            settings: args.settings.settings(),
            cached: None,
        })
    }

    /// Returns the reply to a line as JSON; `None` if the line is blank. `number` is the line
    /// number for messages.
    pub(crate) fn answer_line(&mut self, number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(number, line, |line| self.reply_to(line))
    }

    fn reply_to(&mut self, line: &JsonlLine<'_>) -> Result<UnionsReply, InputError> {
        let request_line: UnionsRequestLine<'_> = line.parse_line(FORM)?;
        let Some(new_part) = request_line.new else {
            return Err(line.input_error(None, "missing `new`: the object that a client sends"));
        };
        let (new, new_document) = line.parse_object_and_document("new", new_part)?;
        let old = request_line
            .old
            .map(|old| line.parse_object_and_document("old", old));
        let (old, old_document) = old.transpose()?.unzip();
        let settings = request_line
            .settings
            .unwrap_or_default()
            .apply_to(self.settings);
        let schema_unions = self.schema_unions(line, request_line.schema, request_line.foreign)?;
        let mut notes = schema_unions.notes.clone();
        notes.extend(inexact_number_notes("new", &new_document));
        let mut reply = UnionsReply::admit(schema_unions.unions(), new, old.as_ref(), settings);
        if let Some(inferred) = &schema_unions.inferred {
            notes.extend(inferred.rejection_notes(&reply.changes));
        }
        if let Some(document) = old_document.filter(|_| reply.has_restored()) {
            notes.extend(inexact_number_notes("old", &document));
        }
        reply.notes = notes;
        Ok(reply)
    }

    /// Returns the unions for a line: of its own schema, or of the schema that a flag sets.
    fn schema_unions(
        &mut self,
        line: &JsonlLine<'_>,
        schema: Option<&RawValue>,
        foreign: bool,
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
        let is_same_schema =
            |cached: &CachedUnions| cached.foreign == foreign && cached.schema == schema.get();
        let cached = match cached.filter(is_same_schema) {
            Some(cached) => cached,
            None => CachedUnions {
                unions: compile_unions(&line.parse_value("schema", schema)?, foreign),
                foreign,
                schema: schema.get().to_owned(),
            },
        };
        let schema_unions = &self.cached.insert(cached).unions;
        schema_unions
            .as_ref()
            .map_err(|problem| line.input_error(Some(schema), problem))
    }
}

/// Returns notes on the numbers that lose precision in a part of a line.
fn inexact_number_notes(key: &str, part: &Document) -> impl Iterator<Item = String> {
    let mut numbers = InexactNumbers::default();
    numbers.add(part);
    let notes = numbers.into_notes().into_iter();
    notes.map(move |note| format!("{key}: {}", note.message))
}

fn compile_unions(schema: &Value, foreign: bool) -> Result<SchemaUnions, String> {
    schema::require_schema(schema).map_err(|problem| format!("schema: {problem}"))?;
    let message = |error: SchemaError| {
        format!(
            "{}: {}",
            schema::error_location("schema", &error),
            error.message()
        )
    };
    let unions = Unions::compiler()
        .lenient()
        .compile(SchemaSource::Schema(schema))
        .map_err(message)?;
    let mut schema_unions = SchemaUnions {
        notes: schema::notes_on_invalid_unions("schema", unions.errors()),
        unions,
        inferred: None,
    };
    if foreign && schema_unions.unions.is_empty() && schema_unions.notes.is_empty() {
        let objects = crd_unions::analyze_schema(schema);
        let found = InferredUnions::compile("schema", &objects, SchemaSource::Schema(schema));
        schema_unions.inferred = found.map_err(message)?;
        let notes = schema_unions
            .inferred
            .iter()
            .flat_map(|inferred| &inferred.notes);
        schema_unions.notes = notes.cloned().collect();
    }
    Ok(schema_unions)
}
