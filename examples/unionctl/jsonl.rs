//! `unionctl unions --jsonl`: a case a line, an answer a line, in order and at once, so that a program can drive it.

use std::io::{self, BufWriter, ErrorKind, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use union_runtime::Settings;
use union_runtime::engine::Unions;

use crate::answer::Answer;
use crate::input::{self, Inputs};
use crate::lines::Lines;
use crate::object;
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

/// What is answered.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Answer(Answer),
    Error { error: String },
}

/// Answers every line that is not blank. What is refused stands in the answers, so that all is fine once stdin ends.
pub(crate) fn run(args: &UnionsArgs) -> Result<Verdict, Problem> {
    let mut cases = Cases::new(args)?;
    let mut lines = Lines::new(io::stdin().lock());
    let mut stdout = BufWriter::new(io::stdout().lock());
    while let Some(line) = lines.next()? {
        let reply = match line.and_then(|line| cases.answer(line)) {
            Ok(None) => continue,
            Ok(Some(answer)) => Reply::Answer(answer),
            Err(flaw) => Reply::Error {
                error: Flaw {
                    line: lines.number(),
                    ..flaw
                }
                .of_file("stdin")
                .to_string(),
            },
        };
        match write(&mut stdout, &reply) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => output::settle(written)?,
        }
    }
    Ok(Verdict::Fine)
}

/// Writes a line, and holds nothing back.
fn write(stdout: &mut impl Write, reply: &Reply) -> io::Result<()> {
    serde_json::to_writer(&mut *stdout, reply)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
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
    unions: Result<Unions, String>,
}

impl Cases {
    fn new(args: &UnionsArgs) -> Result<Self, Problem> {
        let mut given = None;
        if args.schema.is_given() {
            let source = args
                .schema
                .read(&mut Inputs::without_stdin("--jsonl"), None)?;
            let unions = source.unions()?;
            output::notes(&source.notes);
            if unions.is_empty() {
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

    /// The answer to a line; `None` to a blank one.
    fn answer(&mut self, line: &[u8]) -> Result<Option<Answer>, Flaw> {
        let line = Line(input::text(line)?);
        if line.0.trim_ascii().is_empty() {
            return Ok(None);
        }
        let case = line.case()?;
        let Some(new_text) = case.new else {
            return Err(line.flaw(None, "it has no `new`; give the object that a client sends"));
        };
        let new = line.object("new", new_text)?;
        let old = match case.old {
            Some(old) => Some(line.object("old", old)?),
            None => None,
        };
        let settings = case.settings.unwrap_or_default().over(self.settings);
        let unions = self.unions(&line, case.schema)?;
        let mut notes = notes_on("new", new_text, &new);
        let mut answer = Answer::of(unions, new, old.as_ref(), settings);
        if let (true, Some(text), Some(old)) = (answer.restores(), case.old, &old) {
            notes.extend(notes_on("old", text, old));
        }
        answer.notes = notes;
        Ok(Some(answer))
    }

    fn unions(&mut self, line: &Line<'_>, schema: Option<&RawValue>) -> Result<&Unions, Flaw> {
        let Some(schema) = schema else {
            return self.given.as_ref().ok_or_else(|| {
                line.flaw(
                    None,
                    "it has no `schema`; write one, or give one for all lines by --schema or --crd",
                )
            });
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
        unions
            .as_ref()
            .map_err(|problem| line.flaw(Some(schema), problem))
    }
}

/// What is to be said of a part of a line.
fn notes_on(key: &str, text: &RawValue, value: &Value) -> Vec<String> {
    let changed = input::changed_numbers(text.get(), std::slice::from_ref(value)).into_iter();
    changed
        .map(|number| format!("{key}: {}", number.text))
        .collect()
}

fn compile(schema: &Value) -> Result<Unions, String> {
    schema::refuse_other_documents(schema).map_err(|problem| format!("schema: {problem}"))?;
    Unions::of_schema(schema).map_err(|error| {
        format!(
            "{}: {}",
            schema::place_in("schema", &error),
            error.problem()
        )
    })
}

/// The text of a line, and where its parts are.
struct Line<'l>(&'l str);

impl<'l> Line<'l> {
    fn case(&self) -> Result<Case<'l>, Flaw> {
        if !self.0.trim_ascii_start().starts_with('{') {
            // A list of the values in order would do for serde.
            return Err(self.flaw(
                None,
                "it is no object; write {\"schema\": ..., \"old\": ..., \"new\": ...}",
            ));
        }
        serde_json::from_str(self.0).map_err(|error| input::flaw_of_json(&error))
    }

    /// A part that is to be judged.
    fn object(&self, key: &str, part: &RawValue) -> Result<Value, Flaw> {
        let value = self.value(key, part)?;
        if value.is_object() || value.is_array() {
            return Ok(value);
        }
        let found = object::what_is(&value);
        Err(self.flaw(Some(part), &format!("{key}: it is {found}; give an object")))
    }

    fn value(&self, key: &str, part: &RawValue) -> Result<Value, Flaw> {
        input::read_json(part.get()).map_err(|flaw| Flaw {
            column: self.offset(part) + flaw.column,
            text: format!("{key}: {}", flaw.text),
            ..flaw
        })
    }

    fn flaw(&self, part: Option<&RawValue>, text: &str) -> Flaw {
        Flaw {
            line: 1,
            column: part.map_or(0, |part| self.offset(part)) + 1,
            text: text.to_owned(),
        }
    }

    /// Where a part of the line starts in it, in bytes.
    fn offset(&self, part: &RawValue) -> usize {
        let (part, line) = (part.get().as_ptr().addr(), self.0.as_ptr().addr());
        part.saturating_sub(line)
    }
}
