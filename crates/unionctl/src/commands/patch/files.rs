//! Patches of documents in files.

use k8s_strategic_merge_patch::OnConflict;
use std::path::Path;

use k8s_crd_validation::as_stored;
use serde_json::Value;

use super::args::{Op, PatchSchemaArgs, ThreeWayArgs};
use super::last_applied;
use super::request::{Answer, Request};
use crate::input::{Documents, Form, Inputs, object};
use crate::judge::schema::Source;
use crate::output::output::{self, Format, Verdict};
use crate::problem::Problem;

pub(super) fn run(op: &Op, format: Format) -> Result<Verdict, Problem> {
    let mut files = Files::default();
    let (schema, unchanged): (_, &[String]) = match op {
        Op::Diff(args) => (&args.schema, &args.unchanged.unchanged),
        Op::ThreeWay(args) => (&args.schema, &args.unchanged.unchanged),
        Op::Apply(args) => (&args.schema, &[]),
        Op::Compose(args) => (&args.schema, &[]),
    };
    let request = match op {
        Op::Diff(args) => Request::Diff {
            original: files.optional("--original", args.original.as_deref())?,
            modified: files.object("--modified", &args.modified)?,
        },
        Op::Apply(args) => Request::Apply {
            original: files.object("--original", &args.original)?,
            patch: files.patch(&args.patch)?,
        },
        Op::ThreeWay(args) => files.three_way(args)?,
        Op::Compose(args) => Request::Compose {
            patches: args
                .patch
                .iter()
                .map(|path| files.patch(path))
                .collect::<Result<_, _>>()?,
        },
    };
    let source = files.schema(schema)?;
    let schema = source.patches(&schema.compiler())?;
    output::notes(&files.notes);
    print(&request.answer(&schema, unchanged), format)
}

fn print(answer: &Answer, format: Format) -> Result<Verdict, Problem> {
    match answer {
        Answer::Patch(document) | Answer::Result(document) => {
            let form = match format {
                Format::Text => Form::Yaml,
                Format::Json => Form::Json,
            };
            output::documents(std::slice::from_ref(document), form)?;
            Ok(Verdict::Fine)
        }
        Answer::Error(refusal) => {
            for (place, text) in refusal.lines() {
                output::error(&Problem::new(place.as_str(), text.as_str()));
            }
            if format == Format::Json {
                output::json(&[answer])?;
            }
            Ok(Verdict::Refused)
        }
    }
}

/// The input of the command.
#[derive(Default)]
struct Files {
    inputs: Inputs,
    /// The objects with their files. Patches are left out, because they do not have a type.
    objects: Vec<(String, Value)>,
    notes: Vec<String>,
}

impl Files {
    fn optional(&mut self, flag: &'static str, path: Option<&Path>) -> Result<Value, Problem> {
        path.map_or(Ok(Value::Null), |path| self.object(flag, path))
    }

    fn three_way(&mut self, args: &ThreeWayArgs) -> Result<Request, Problem> {
        let mut original = self.optional("--original", args.original.as_deref())?;
        let mut modified = self.object("--modified", &args.modified)?;
        let current = self.object("--current", &args.current)?;
        if args.last_applied {
            let file = args.current.display().to_string();
            last_applied::write(&args.modified.display().to_string(), &mut modified)?;
            match last_applied::read(&file, &current)? {
                Some(mut applied) => {
                    as_stored(&mut applied);
                    original = applied;
                }
                None => self.notes.push(format!(
                    "{file}: the last-applied annotation is missing, so the patch removes no fields, as with kubectl; \
                     pass the last applied object to --original"
                )),
            }
        }
        Ok(Request::ThreeWay {
            original,
            modified,
            current,
            on_conflict: if args.refuse_conflicts {
                OnConflict::Fail
            } else {
                OnConflict::Overwrite
            },
        })
    }

    fn object(&mut self, flag: &'static str, path: &Path) -> Result<Value, Problem> {
        let documents = self.inputs.read(flag, path)?;
        let object = self.only(&documents, "the object")?;
        self.objects.push((documents.file, object.clone()));
        Ok(object)
    }

    fn patch(&mut self, path: &Path) -> Result<Value, Problem> {
        let documents = self.inputs.read("--patch", path)?;
        self.only(&documents, "the patch")
    }

    fn only(&mut self, documents: &Documents, wanted: &str) -> Result<Value, Problem> {
        let value = documents.one(wanted, |_| false)?;
        if !value.is_object() {
            let found = object::what_is(value);
            let problem = format!("expected an object, found {found}");
            return Err(Problem::new(documents.file.as_str(), problem));
        }
        self.notes.extend(documents.notes.iter().cloned());
        // kubectl sends numbers as Go writes them: `1.0` in a file is the `1` of the live object.
        let mut value = value.clone();
        as_stored(&mut value);
        Ok(value)
    }

    /// Reads the schema, and checks that it is for the objects.
    fn schema(&mut self, args: &PatchSchemaArgs) -> Result<Source, Problem> {
        let object = self.objects.last().map(|(_, object)| object);
        let source = args.source.read(&mut self.inputs, object)?;
        self.notes.extend(source.notes.iter().cloned());
        for (file, object) in &self.objects {
            source.check_type(file, object)?;
        }
        Ok(source)
    }
}
