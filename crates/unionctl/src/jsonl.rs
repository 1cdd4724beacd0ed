//! `unionctl unions --jsonl`: a case a line, an answer a line, in order and at once, so that a program can drive it.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Settings;
use union_runtime::engine::Unions;

use crate::answer::Answer;
use crate::input::{self, Inputs};
use crate::line::Line;
use crate::lines;
use crate::output::{self, Verdict};
use crate::problem::{Flaw, Problem};
use crate::schema;
use crate::settings;
use crate::unions::UnionsArgs;

/// A line.
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
}

/// How a line is written.
const FORM: &str = r#"{"schema": ..., "old": ..., "new": ...}"#;

/// Answers every line that is not blank.
pub(crate) fn run(args: &UnionsArgs) -> Result<Verdict, Problem> {
    let mut cases = Cases::new(args)?;
    lines::serve(|line| cases.answer(line))
}

/// What holds for all lines, and what the last one left.
struct Cases {
    /// The unions of the schema that a flag gives, for lines that have none.
    given: Option<Unions>,
    settings: Settings,
    /// Lines often have the same schema one after the other.
    last: Option<Compiled>,
}

struct Compiled {
    schema: String,
    /// With what is wrong with unions that are left out.
    unions: Result<(Unions, Vec<String>), String>,
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
            given = Some(unions);
        }
        Ok(Self {
            given,
            settings: args.settings.settings(),
            last: None,
        })
    }

    fn answer(&mut self, line: &Line<'_>) -> Result<Answer, Flaw> {
        let case: Case<'_> = line.parse(FORM)?;
        let Some(new_text) = case.new else {
            return Err(line.flaw(None, "it has no `new`; give the object that a client sends"));
        };
        let new = line.object("new", new_text)?;
        let old = match case.old {
            Some(old) => Some(line.object("old", old)?),
            None => None,
        };
        let settings = case.settings.unwrap_or_default().over(self.settings);
        let (unions, problems) = self.unions(line, case.schema)?;
        let mut notes = problems.to_vec();
        notes.extend(notes_on("new", new_text, &new));
        let mut answer = Answer::of(unions, new, old.as_ref(), settings);
        if let (true, Some(text), Some(old)) = (answer.restores(), case.old, &old) {
            notes.extend(notes_on("old", text, old));
        }
        answer.notes = notes;
        Ok(answer)
    }

    /// The unions for a line, and what is to be said of its schema.
    fn unions(
        &mut self,
        line: &Line<'_>,
        schema: Option<&RawValue>,
    ) -> Result<(&Unions, &[String]), Flaw> {
        let Some(schema) = schema else {
            let Some(given) = &self.given else {
                return Err(line.flaw(
                    None,
                    "it has no `schema`; write one, or give one for all lines by --schema or --crd",
                ));
            };
            return Ok((given, &[]));
        };
        let last = self.last.take();
        let last = match last.filter(|last| last.schema == schema.get()) {
            Some(last) => last,
            None => Compiled {
                unions: compile(&line.value("schema", schema)?),
                schema: schema.get().to_owned(),
            },
        };
        let unions = &self.last.insert(last).unions;
        match unions {
            Ok((unions, problems)) => Ok((unions, problems)),
            Err(problem) => Err(line.flaw(Some(schema), problem)),
        }
    }
}

/// What is to be said of a part of a line.
fn notes_on(key: &str, text: &RawValue, value: &Value) -> Vec<String> {
    let changed = input::changed_numbers(text.get(), std::slice::from_ref(value)).into_iter();
    changed
        .map(|number| format!("{key}: {}", number.text))
        .collect()
}

fn compile(schema: &Value) -> Result<(Unions, Vec<String>), String> {
    schema::refuse_other_documents(schema).map_err(|problem| format!("schema: {problem}"))?;
    match Unions::compiler().sound().schema(schema) {
        Ok((unions, problems)) => Ok((unions, schema::not_judged("schema", &problems))),
        Err(error) => Err(format!(
            "{}: {}",
            schema::place_in("schema", &error),
            error.problem()
        )),
    }
}
