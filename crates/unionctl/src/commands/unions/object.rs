//! Normalizes and validates the unions of an object in a file.

use std::path::Path;

use serde_json::Value;

use super::args::UnionsArgs;
use crate::input::{Documents, Inputs, object};
use crate::judge::answer::{Answer, Change, Finding};
use crate::judge::schema::Source;
use crate::output::output::{self, BAD, CHANGED, Format, GOOD, PLAIN, TOLERATED, Text, Verdict};
use crate::problem::Problem;

pub(super) fn run(args: &UnionsArgs, new: &Path, format: Format) -> Result<Verdict, Problem> {
    let (answer, notes) = answer(args, new)?;
    output::notes(&notes);
    match format {
        Format::Json => output::json(&[&answer])?,
        Format::Text => text(&answer).print()?,
    }
    Ok(answer.verdict())
}

/// Returns the answer, and notes on it.
fn answer(args: &UnionsArgs, new: &Path) -> Result<(Answer, Vec<String>), Problem> {
    let mut inputs = Inputs::default();
    let new = inputs.read("--new", new)?;
    let old = match &args.old {
        Some(old) => Some(inputs.read("--old", old)?),
        None => None,
    };
    let source = args.schema.read(&mut inputs, new.only())?;
    let (unions, problems) = source.unions()?;
    let mut notes = source.notes.clone();
    let says_none = unions.is_empty() && problems.is_empty();
    notes.extend(problems);
    let foreign = if says_none { source.foreign()? } else { None };
    match &foreign {
        Some(foreign) => notes.extend_from_slice(&foreign.notes),
        None if says_none => notes.push(source.note_on_none()),
        None => {}
    }
    let object = object_of(&new, &source, &mut notes)?.clone();
    let old_object = match &old {
        Some(old) => Some(object_of(old, &source, &mut notes)?),
        None => None,
    };
    notes.extend(new.notes);
    let unions = foreign.as_ref().map_or(&unions, |foreign| &foreign.unions);
    let answer = Answer::of(unions, object, old_object, args.settings.settings());
    if let Some(foreign) = &foreign {
        notes.extend(foreign.refused(&answer.changes));
    }
    if let Some(old) = old.filter(|_| answer.restores()) {
        notes.extend(old.notes);
    }
    Ok((answer, notes))
}

/// Returns the object of a file that the schema is for.
fn object_of<'d>(
    documents: &'d Documents,
    source: &Source,
    notes: &mut Vec<String>,
) -> Result<&'d Value, Problem> {
    let object = documents.one("the object", |value| source.is_for(value))?;
    notes.extend(documents.note_on_choice(object));
    if !object.is_object() && !object.is_array() {
        let found = object::what_is(object);
        let problem = format!("expected an object, found {found}");
        return Err(Problem::new(documents.file.as_str(), problem));
    }
    source.check_type(&documents.file, object)?;
    Ok(object)
}

fn text(answer: &Answer) -> Text {
    let mut text = Text::default();
    text.section("object", PLAIN, output::yaml(&answer.object).lines());
    text.section("changed", CHANGED, answer.changes.iter().map(Change::line));
    text.section("errors", BAD, answer.errors.iter().map(Finding::line));
    let ratcheted = answer.ratcheted.iter().map(Finding::line);
    text.section("tolerated", TOLERATED, ratcheted);
    if answer.errors.is_empty() && answer.ratcheted.is_empty() {
        text.line("no errors", PLAIN);
    }
    match answer.verdict() {
        Verdict::Fine => text.line("accepted", GOOD),
        Verdict::Refused => text.line("rejected", BAD),
    }
    text
}
