//! Records answers of Kubernetes' code: see `tests/reference/recorded/run`.
//!
//! `recorded_reference SUBJECT PROGRAM [--agreed]` reads JSON lines with a `question`, and in most
//! lines with `use`, the definition that the question is about. It writes each line with the answer
//! of PROGRAM. With `--agreed`, it omits a line if our answer differs, as the known differences do.
//! A line without a definition has the definition of the line before. It also reads the lines that
//! the other drivers print, whose definitions have lines of their own.
//!
//! `recorded_reference SUBJECT ours [--differing]` writes each line with the answer of our crates.
//! With `--differing`, it writes only the lines that have another answer.
//!
//! `recorded_reference --group` reads such lines, sorts them by their definitions, and omits
//! repeated definitions.
//!
//! SUBJECT is `requests`, `expressions` or `patches`.

#[path = "../expression_cases/declared.rs"]
mod declared;
#[path = "../../../crates/k8s-strategic-merge-patch/tests/replay.rs"]
mod patches;
#[path = "../crd_cases/reference.rs"]
mod reference;
#[path = "../../../crates/k8s-cel/tests/support/replay.rs"]
mod replay;
#[path = "../../../crates/k8s-crd-validation/tests/requests/replay.rs"]
mod requests;
mod whole_numbers;

use std::error::Error;
use std::io::{self, BufRead as _, BufWriter, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use reference::Reference;
use replay::Replay;
use serde_json::{Map, Value, json};

/// The kind of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Requests for custom resources, their schemas, and whole CRDs.
    Requests,
    Expressions,
    Patches,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (subject, program, options) = match arguments.as_slice() {
        [option] if option == "--group" => return group(),
        [subject, program, options @ ..] => (subject, program, options),
        _ => return Err("give a subject and a program, or --group".into()),
    };
    let subject = match subject.as_str() {
        "requests" => Subject::Requests,
        "expressions" => Subject::Expressions,
        "patches" => Subject::Patches,
        subject => return Err(format!("unknown subject {subject}").into()),
    };
    let crates = Crates {
        subject,
        replay: Replay::default(),
    };
    let has_option = |name: &str| options.iter().any(|option| option == name);
    if program == "ours" {
        return replay(crates, has_option("--differing"));
    }
    let mut recorder = Recorder {
        crates,
        reference: Reference::start(program)?,
        used: Value::Null,
        is_rejected: false,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut written, mut omitted) = (0, 0);
    for case in read_cases()? {
        let Some(answer) = recorder.ask(&case)? else {
            continue;
        };
        if has_option("--agreed") && recorder.crates.answer(&case) != answer {
            omitted += 1;
            continue;
        }
        let case = Case { answer, ..case };
        writeln!(out, "{}", case.line(None))?;
        written += 1;
    }
    out.flush()?;
    eprintln!("{subject:?}: {written} cases, {omitted} differ and are omitted");
    Ok(())
}

/// Prints cases with the answers of our crates. With `is_differing`, omits the cases that have
/// these answers already.
fn replay(mut crates: Crates, is_differing: bool) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for case in read_cases()? {
        // A mutant of a crate can panic.
        let answer = catch_unwind(AssertUnwindSafe(|| crates.answer(&case)));
        let answer = answer.unwrap_or_else(|_| "panicked".into());
        if !is_differing || answer != case.answer {
            writeln!(out, "{}", Case { answer, ..case }.line(None))?;
        }
    }
    Ok(())
}

/// A question, and the answer if there is one.
#[derive(Clone, Debug, Default)]
struct Case {
    /// The name of a case that was written by hand.
    name: Option<Value>,
    definition: Value,
    question: Value,
    answer: Value,
}

impl Case {
    /// Returns the line of the case, without its definition if the line before has this definition.
    fn line(&self, before: Option<&Value>) -> Value {
        let mut line = Map::new();
        line.extend(self.name.clone().map(|name| ("name".to_owned(), name)));
        let is_new = before != Some(&self.definition);
        let definition = Some(&self.definition).filter(|_| is_new);
        let parts = [
            ("use", definition),
            ("question", Some(&self.question)),
            ("answer", Some(&self.answer)),
        ];
        for (key, value) in parts {
            if let Some(value) = value.filter(|value| !value.is_null()) {
                line.insert(key.to_owned(), value.clone());
            }
        }
        line.into()
    }
}

fn read_cases() -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    let mut definition = Value::Null;
    for line in io::stdin().lock().lines() {
        let mut line: Map<String, Value> = serde_json::from_str(&line?)?;
        if let Some(next) = line.remove("use") {
            definition = next;
        }
        let case = Case {
            name: line.remove("name"),
            definition: definition.clone(),
            answer: line.remove("answer").unwrap_or_default(),
            question: match line.remove("question") {
                Some(question) => question,
                None if line.contains_key("op") => line.into(),
                None => Value::Null,
            },
        };
        cases.push(case);
    }
    Ok(cases)
}

/// Prints cases with equal definitions one after the other.
fn group() -> Result<(), Box<dyn Error>> {
    let mut cases = read_cases()?;
    cases.sort_by_cached_key(|case| (case.definition.to_string(), case.question.to_string()));
    let mut before = None;
    let mut out = BufWriter::new(io::stdout().lock());
    for case in &cases {
        writeln!(out, "{}", case.line(before))?;
        before = Some(&case.definition);
    }
    Ok(out.flush()?)
}

/// Our crates.
struct Crates {
    subject: Subject,
    replay: Replay,
}

impl Crates {
    fn answer(&mut self, case: &Case) -> Value {
        let (definition, question) = (&case.definition, &case.question);
        match self.subject {
            Subject::Requests => requests::answer(definition, question),
            Subject::Expressions => self.replay.answer(definition, question),
            Subject::Patches => patches::answer(definition, question),
        }
    }
}

struct Recorder {
    crates: Crates,
    reference: Reference,
    /// The definition that the program uses.
    used: Value,
    is_rejected: bool,
}

impl Recorder {
    /// Returns the answer of the program, without the parts that vary. Returns `None` if the
    /// program has rejected the definition of the question.
    fn ask(&mut self, case: &Case) -> Result<Option<Value>, Box<dyn Error>> {
        let (definition, mut question) = (case.definition.clone(), case.question.clone());
        if self.crates.subject == Subject::Expressions {
            self.declare(&definition)?;
            question["in"] = definition.to_string().into();
            return Ok(Some(expression_answer(&self.reference.ask(&question)?)));
        }
        if !definition.is_null() && (question.is_null() || definition != self.used) {
            let answer = self.reference.ask(&json!({ "use": definition }))?;
            self.used = definition;
            self.is_rejected = !answer["errors"].is_null();
            if question.is_null() {
                return Ok(Some(requests::normalized(&answer, &question)));
            }
        }
        if self.is_rejected {
            return Ok(None);
        }
        if self.crates.subject == Subject::Patches {
            let answers = self.reference.ask(&question)?;
            let operation = question["only"].as_str().unwrap_or_default();
            return Ok(Some(answers[operation][0].clone()));
        }
        if question["op"] != "crd" {
            question["field_validation"] = "Warn".into();
        }
        let answer = self.reference.ask(&question)?;
        Ok(Some(requests::normalized(&answer, &question)))
    }

    /// Declares the schema of expressions by the text of its definition.
    fn declare(&mut self, definition: &Value) -> Result<(), Box<dyn Error>> {
        if self.used == *definition {
            return Ok(());
        }
        self.used = definition.clone();
        let (schema, _) = self.crates.replay.declared(definition);
        let version = definition["version"].as_str().map(str::to_owned);
        self.reference.ask(&json!({
            "declare": definition.to_string(),
            "schema": schema,
            "version": version.unwrap_or_else(|| k8s_cel::KubeVersion::LATEST.to_string()),
            "optionalOldSelf": definition["optionalOldSelf"] == true,
        }))?;
        Ok(())
    }
}

/// Returns an answer about an expression without the results that are empty.
fn expression_answer(answer: &Value) -> Value {
    let compile = &answer["compile"];
    if compile.as_str().is_some_and(|text| !text.is_empty()) {
        return json!({ "compile": compile });
    }
    let number = |name: &str| answer[name].as_u64().unwrap_or_default();
    let mut found = json!({
        "type": answer["type"],
        "estimate": number("estimate"),
        "cost": number("cost"),
    });
    for name in ["value", "error", "panic"] {
        if answer[name].as_str().is_some_and(|text| !text.is_empty()) {
            found[name] = answer[name].clone();
        }
    }
    found
}
