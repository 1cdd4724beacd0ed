//! `unionctl unions --jsonl`: answers the case of each line in order and at once, so that a program
//! can drive it.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_json::{SchemaError, Source, Unions};
use union_runtime::Settings;

use super::args::UnionsArgs;
use crate::input::{self, Inputs};
use crate::jsonl::line::Line;
use crate::jsonl::lines;
use crate::judge::answer::Answer;
use crate::judge::foreign::Foreign;
use crate::judge::{schema, settings};
use crate::output::output::{self, Verdict};
use crate::problem::{Flaw, Problem};

/// A line of the input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<'l> {
    #[serde(borrow)]
    schema: Option<&'l RawValue>,
    #[serde(borrow)]
    old: Option<&'l RawValue>,
    #[serde(borrow)]
    new: Option<&'l RawValue>,
    settings: Option<settings::OfLine>,
    /// True if the rules of a schema may declare its unions, for a schema that does not declare
    /// unions in our form.
    #[serde(default)]
    foreign: bool,
}

/// The expected form of a line, for messages.
const FORM: &str = r#"{"schema": ..., "old": ..., "new": ...}"#;

/// Answers every line that is not blank.
pub(crate) fn run(args: &UnionsArgs) -> Result<Verdict, Problem> {
    let mut cases = Cases::new(args)?;
    lines::serve(|line| cases.answer(line))
}

/// The settings of all lines, and the last schema.
#[derive(Default)]
pub(crate) struct Cases {
    /// The unions of the schema that a flag sets, for lines that do not have a schema.
    given: Option<Read>,
    settings: Settings,
    /// The last schema: consecutive lines often have the same schema.
    last: Option<Compiled>,
}

struct Compiled {
    schema: String,
    foreign: bool,
    read: Result<Read, String>,
}

/// The unions of a schema.
struct Read {
    unions: Unions,
    /// Notes, which include the errors in unions that are left out.
    notes: Vec<String>,
    /// The unions of the rules, if the schema is judged by them.
    foreign: Option<Foreign>,
}

impl Read {
    fn unions(&self) -> &Unions {
        let foreign = self.foreign.as_ref();
        foreign.map_or(&self.unions, |foreign| &foreign.unions)
    }
}

impl Cases {
    fn new(args: &UnionsArgs) -> Result<Self, Problem> {
        let mut given = None;
        if args.schema.is_given() {
            let source = args
                .schema
                .read(&mut Inputs::without_stdin("--jsonl"), None)?;
            let (unions, problems) = source.unions()?;
            output::notes(&source.notes);
            output::notes(&problems);
            if unions.is_empty() && problems.is_empty() {
                output::notes(&[source.note_on_none()]);
            }
            given = Some(Read {
                unions,
                notes: Vec::new(),
                foreign: None,
            });
        }
        Ok(Self {
            given,
            settings: args.settings.settings(),
            last: None,
        })
    }

    /// Returns the answer to the line with this number, as it is printed; `None` to a blank line.
    pub(crate) fn line(&mut self, number: usize, line: &str) -> Option<String> {
        lines::printed(number, line, |line| self.answer(line))
    }

    fn answer(&mut self, line: &Line<'_>) -> Result<Answer, Flaw> {
        let case: Case<'_> = line.parse(FORM)?;
        let Some(new_text) = case.new else {
            return Err(line.flaw(None, "missing `new`: the object that a client sends"));
        };
        let new = line.object("new", new_text)?;
        let old = match case.old {
            Some(old) => Some(line.object("old", old)?),
            None => None,
        };
        let settings = case.settings.unwrap_or_default().over(self.settings);
        let read = self.read(line, case.schema, case.foreign)?;
        let mut notes = read.notes.clone();
        notes.extend(notes_on("new", new_text, &new));
        let mut answer = Answer::of(read.unions(), new, old.as_ref(), settings);
        if let Some(foreign) = &read.foreign {
            notes.extend(foreign.refused(&answer.changes));
        }
        if let (true, Some(text), Some(old)) = (answer.restores(), case.old, &old) {
            notes.extend(notes_on("old", text, old));
        }
        answer.notes = notes;
        Ok(answer)
    }

    /// Returns the unions of the schema for a line.
    fn read(
        &mut self,
        line: &Line<'_>,
        schema: Option<&RawValue>,
        foreign: bool,
    ) -> Result<&Read, Flaw> {
        let Some(schema) = schema else {
            return self.given.as_ref().ok_or_else(|| {
                line.flaw(
                    None,
                    "missing `schema`; add `schema`, or pass --schema or --crd for all lines",
                )
            });
        };
        let last = self.last.take();
        let is_it = |last: &Compiled| last.foreign == foreign && last.schema == schema.get();
        let last = match last.filter(is_it) {
            Some(last) => last,
            None => Compiled {
                read: compile(&line.value("schema", schema)?, foreign),
                foreign,
                schema: schema.get().to_owned(),
            },
        };
        let read = &self.last.insert(last).read;
        read.as_ref()
            .map_err(|problem| line.flaw(Some(schema), problem))
    }
}

/// Returns the notes on a part of a line.
fn notes_on(key: &str, text: &RawValue, value: &Value) -> Vec<String> {
    let changed = input::changed_numbers(text.get(), std::slice::from_ref(value)).into_iter();
    changed
        .map(|number| format!("{key}: {}", number.text))
        .collect()
}

fn compile(schema: &Value, foreign: bool) -> Result<Read, String> {
    schema::refuse_other_documents(schema).map_err(|problem| format!("schema: {problem}"))?;
    let wrong = |error: SchemaError| {
        format!(
            "{}: {}",
            schema::place_in("schema", &error),
            error.problem()
        )
    };
    let unions = Unions::compiler()
        .lenient()
        .compile(Source::Schema(schema))
        .map_err(wrong)?;
    let mut read = Read {
        notes: schema::not_judged("schema", unions.problems()),
        unions,
        foreign: None,
    };
    if foreign && read.unions.is_empty() && read.notes.is_empty() {
        let places = crd_unions::read_schema(schema);
        let found = Foreign::of("schema", &places, Source::Schema(schema));
        read.foreign = found.map_err(wrong)?;
        let notes = read.foreign.iter().flat_map(|foreign| &foreign.notes);
        read.notes = notes.cloned().collect();
    }
    Ok(read)
}
