//! `unionctl unions`: normalizes and validates the unions of an object, or of a line of cases each; lists the unions of a schema.

pub(crate) mod jsonl;
pub(crate) mod listing;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::input::{Documents, Inputs, object};
use crate::judge::answer::{Answer, Change, Finding};
use crate::judge::schema::{self, Source};
use crate::judge::settings;
use crate::output::output::{
    self, BAD, CHANGED, Format, GOOD, Output, PLAIN, TOLERATED, Text, Verdict,
};
use crate::problem::Problem;

/// Normalize and validate the unions of an object: what changed, what is wrong, what is tolerated.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
pub(crate) struct UnionsArgs {
    #[command(flatten)]
    pub(crate) schema: schema::SchemaArgs,

    /// The stored object; without it, the request is a create.
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    old: Option<PathBuf>,

    /// The object that a client sends.
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["jsonl", "list", "form"],
        conflicts_with = "jsonl"
    )]
    new: Option<PathBuf>,

    /// Read cases from stdin, one on each line, and answer each at once.
    #[arg(long)]
    jsonl: bool,

    #[command(flatten)]
    pub(crate) listing: listing::ListingArgs,

    #[command(flatten)]
    pub(crate) settings: settings::SettingsArgs,
}

/// The forms in which it is used.
pub(crate) const FORMS: [&str; 4] = [
    "(--schema <FILE> [--name <NAME>] |\n            --crd <FILE> [--version <VERSION>]) [--old <FILE>] --new <FILE>",
    "--jsonl < CASES",
    "(--schema <FILE> | --crd <FILE>)\n            (--list [--strict] | --as <FORM>)",
    "--list --jsonl < SCHEMAS",
];

const LONG_ABOUT: &str = "\
Normalize and validate the unions of an object: what changed, what is wrong, what is tolerated.

With --jsonl, each line of stdin is a case:
  {\"schema\": ..., \"old\": ... or null, \"new\": ..., \"settings\": {\"ratchet\": ..., \"restore_unaware\": ..., \"unions\": true}}
The flags apply where a line leaves a setting out. The answer is a line
  {\"object\": ..., \"changes\": [...], \"errors\": [...], \"ratcheted\": [...]}
or, if the case cannot be read, {\"error\": ...}. The exit code is then 0, whatever the answers say.
With \"foreign\": true, a schema that does not declare unions is judged by those of its rules, as without --jsonl.

With --list, the unions that the rules of a schema declare are listed, for all CRDs of the file: by CEL, oneOf, counts of \
properties. Their holes and mistakes are listed too. Unions of the annotation or of `x-kubernetes-unions` take \
precedence. With --jsonl, each line is {\"schema\": ..., \"at\": \"a JSON pointer below it\"}, and the answer is what the rules of \
that object declare.";

const EXAMPLES: &str = "\
Examples:
  unionctl unions --crd crd.yaml --old stored.yaml --new switched.yaml
  unionctl unions --crd pipeline_crd.yaml --list";

pub(crate) fn run(args: &UnionsArgs, output: Output) -> Result<Verdict, Problem> {
    if args.listing.is_asked_for() {
        return if args.jsonl {
            output.format()?;
            listing::jsonl()
        } else {
            listing::run(&args.listing, &args.schema, output)
        };
    }
    let format = output.format()?;
    let Some(new) = &args.new else {
        return jsonl::run(args);
    };
    let (answer, notes) = answer(args, new)?;
    output::notes(&notes);
    match format {
        Format::Json => output::json(&[&answer])?,
        Format::Text => text(&answer).print()?,
    }
    Ok(answer.verdict())
}

/// The answer, and what is to be said beside.
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

/// The object of a file that the schema is for.
fn object_of<'d>(
    documents: &'d Documents,
    source: &Source,
    notes: &mut Vec<String>,
) -> Result<&'d Value, Problem> {
    let object = documents.one("the object", |value| source.is_for(value))?;
    notes.extend(documents.note_on_choice(object));
    if !object.is_object() && !object.is_array() {
        let found = object::what_is(object);
        let problem = format!("it is {found}; give an object");
        return Err(Problem::new(documents.file.as_str(), problem));
    }
    source.check_type(&documents.file, object)?;
    Ok(object)
}

fn text(answer: &Answer) -> Text {
    let mut text = Text::default();
    text.section("object", PLAIN, output::yaml(&answer.object).lines());
    text.section("changed", CHANGED, answer.changes.iter().map(Change::line));
    text.section("wrong", BAD, answer.errors.iter().map(Finding::line));
    let ratcheted = answer.ratcheted.iter().map(Finding::line);
    text.section("tolerated", TOLERATED, ratcheted);
    match answer.verdict() {
        Verdict::Fine => text.line("fine", GOOD),
        Verdict::Refused => text.line("refused", BAD),
    }
    text
}
