//! `unionctl unions --jsonl`: answers the case of each line in order and at once, so that a program
//! can drive it.

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
use crate::judge::unions_reply::UnionsReply;
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
    /// True if the rules of a schema may declare its unions, for a schema that does not declare
    /// unions in our form.
    #[serde(default)]
    foreign: bool,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"schema": ..., "old": ..., "new": ...}"#;

/// Answers every line that is not blank.
pub(crate) fn run(args: &UnionsArgs) -> Result<CommandStatus, CommandError> {
    let mut cases = UnionsJsonlSession::new(args)?;
    request_loop::serve(|line| cases.answer(line))
}

/// The settings of all lines, and the last schema.
#[derive(Default)]
pub(crate) struct UnionsJsonlSession {
    /// The unions of the schema that a flag sets, for lines that do not have a schema.
    flag_unions: Option<SchemaUnions>,
    settings: Settings,
    /// The last schema: consecutive lines often have the same schema.
    last: Option<CachedUnions>,
}

struct CachedUnions {
    schema: String,
    foreign: bool,
    unions: Result<SchemaUnions, String>,
}

/// The unions of a schema.
struct SchemaUnions {
    unions: Unions,
    /// Notes, which include the errors in unions that are left out.
    notes: Vec<String>,
    /// The unions of the rules, if the schema is judged by them.
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
        let mut given = None;
        if args.schema.is_given() {
            let source = args
                .schema
                .load(&mut InputReader::without_stdin("--jsonl"), None)?;
            let (unions, problems) = source.unions()?;
            print::notes(&source.notes);
            print::notes(&problems);
            if unions.is_empty() && problems.is_empty() {
                print::notes(&[source.note_on_missing_unions()]);
            }
            given = Some(SchemaUnions {
                unions,
                notes: Vec::new(),
                inferred: None,
            });
        }
        Ok(Self {
            flag_unions: given,
            settings: args.settings.settings(),
            last: None,
        })
    }

    /// Returns the answer to the line with this number, as it is printed; `None` to a blank line.
    pub(crate) fn answer_line(&mut self, number: usize, line: &str) -> Option<String> {
        request_loop::reply_to_line(number, line, |line| self.answer(line))
    }

    fn answer(&mut self, line: &JsonlLine<'_>) -> Result<UnionsReply, InputError> {
        let case: UnionsRequestLine<'_> = line.parse_line(FORM)?;
        let Some(new_text) = case.new else {
            return Err(line.input_error(None, "missing `new`: the object that a client sends"));
        };
        let (new, new_document) = line.parse_object_and_document("new", new_text)?;
        let old = case
            .old
            .map(|old| line.parse_object_and_document("old", old));
        let (old, old_document) = old.transpose()?.unzip();
        let settings = case.settings.unwrap_or_default().apply_to(self.settings);
        let read = self.read(line, case.schema, case.foreign)?;
        let mut notes = read.notes.clone();
        notes.extend(inexact_number_notes("new", &new_document));
        let mut answer = UnionsReply::admit(read.unions(), new, old.as_ref(), settings);
        if let Some(foreign) = &read.inferred {
            notes.extend(foreign.rejection_notes(&answer.changes));
        }
        if let Some(document) = old_document.filter(|_| answer.has_restored()) {
            notes.extend(inexact_number_notes("old", &document));
        }
        answer.notes = notes;
        Ok(answer)
    }

    /// Returns the unions of the schema for a line.
    fn read(
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
        let last = self.last.take();
        let is_it = |last: &CachedUnions| last.foreign == foreign && last.schema == schema.get();
        let last = match last.filter(is_it) {
            Some(last) => last,
            None => CachedUnions {
                unions: compile_unions(&line.parse_value("schema", schema)?, foreign),
                foreign,
                schema: schema.get().to_owned(),
            },
        };
        let read = &self.last.insert(last).unions;
        read.as_ref()
            .map_err(|problem| line.input_error(Some(schema), problem))
    }
}

/// Returns the notes on the numbers in a part of a line.
fn inexact_number_notes(key: &str, part: &Document) -> impl Iterator<Item = String> {
    let mut numbers = InexactNumbers::default();
    numbers.add(part);
    let notes = numbers.into_notes().into_iter();
    notes.map(move |note| format!("{key}: {}", note.message))
}

fn compile_unions(schema: &Value, foreign: bool) -> Result<SchemaUnions, String> {
    schema::require_schema(schema).map_err(|problem| format!("schema: {problem}"))?;
    let wrong = |error: SchemaError| {
        format!(
            "{}: {}",
            schema::error_location("schema", &error),
            error.message()
        )
    };
    let unions = Unions::compiler()
        .lenient()
        .compile(SchemaSource::Schema(schema))
        .map_err(wrong)?;
    let mut read = SchemaUnions {
        notes: schema::notes_on_invalid_unions("schema", unions.errors()),
        unions,
        inferred: None,
    };
    if foreign && read.unions.is_empty() && read.notes.is_empty() {
        let places = crd_unions::analyze_schema(schema);
        let found = InferredUnions::compile("schema", &places, SchemaSource::Schema(schema));
        read.inferred = found.map_err(wrong)?;
        let notes = read.inferred.iter().flat_map(|foreign| &foreign.notes);
        read.notes = notes.cloned().collect();
    }
    Ok(read)
}
