//! The mutants that cargo-mutants lists.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::subject::Subject;
use crate::switch::Lines;

/// A line and a column, both from one, as cargo-mutants counts them.
pub(crate) type Place = (usize, usize);

/// A change of the code.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// The file and the change, without line numbers, so that other edits of the file keep the
    /// name. An equal change of the same function has `#2` at its end.
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) file: String,
    /// The kind of the change, with the name that cargo-mutants uses, such as `FnValue`.
    pub(crate) genre: String,
    /// The type of the changed function's result, with `->`.
    pub(crate) return_type: String,
    pub(crate) start: Place,
    pub(crate) end: Place,
    pub(crate) replacement: String,
}

impl Mutant {
    /// Returns the text of the file with this change only.
    pub(crate) fn apply(&self, text: &str) -> String {
        let lines = Lines::new(text);
        let (start, end) = (lines.offset(self.start), lines.offset(self.end));
        format!("{}{}{}", &text[..start], self.replacement, &text[end..])
    }
}

/// Returns the mutants of a crate, as `.cargo/mutants.toml` selects them.
pub(crate) fn list(tree: &Path, subject: &Subject) -> Result<Vec<Mutant>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command
        .current_dir(tree)
        .args(["mutants", "--list", "--json"]);
    command.args(["--package", subject.package]);
    for files in subject.files {
        command.args(["--file", files]);
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let mut counts = BTreeMap::<String, usize>::new();
    let mut mutants = Vec::new();
    for entry in &listed {
        let mut mutant = read(entry).ok_or("cargo-mutants lists mutants in another form")?;
        let count = counts.entry(mutant.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            mutant.name = format!("{} #{count}", mutant.name);
        }
        mutants.push(mutant);
    }
    Ok(mutants)
}

/// Reads a mutant from an entry of the list; `None` if the entry has another form.
fn read(entry: &Value) -> Option<Mutant> {
    let place = |name: &str| -> Option<Place> {
        let place = &entry["span"][name];
        let number = |name: &str| usize::try_from(place[name].as_u64()?).ok();
        Some((number("line")?, number("column")?))
    };
    let text = |name: &str| Some(entry[name].as_str()?.to_owned());
    let (start, file) = (place("start")?, text("file")?);
    let name = text("name")?;
    let change = name.strip_prefix(&format!("{file}:{}:{}: ", start.0, start.1))?;
    Some(Mutant {
        name: format!("{file}: {change}"),
        line: start.0,
        genre: text("genre")?,
        return_type: entry["function"]["return_type"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        start,
        end: place("end")?,
        replacement: text("replacement")?,
        file,
    })
}
