//! Builds the crate with all mutants, and its tests.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::mutant::Mutant;
use crate::subject::Subject;
use crate::switch::{Switched, switch};

/// The code that the crate gets, to select a mutant when it runs. The code also records the mutants
/// that a test reaches.
const SWITCH: &str = r#"
#[allow(warnings, clippy::all, clippy::pedantic, reason = "the lints of the crate are for its own code")]
mod mutant_switch {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: OnceLock<usize> = OnceLock::new();
    static RECORD: OnceLock<Option<String>> = OnceLock::new();
    static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    pub(crate) fn on(number: usize) -> bool {
        let chosen = *CHOSEN.get_or_init(|| std::env::var("MUTANT").ok().and_then(|chosen| chosen.parse().ok()).unwrap_or(usize::MAX));
        if chosen == usize::MAX && !REACHED[number].load(Ordering::Relaxed) {
            record(number);
        }
        chosen == number
    }
    #[cold]
    fn record(number: usize) {
        REACHED[number].store(true, Ordering::Relaxed);
        if let Some(file) = RECORD.get_or_init(|| std::env::var("MUTANTS_REACHED").ok()) {
            use std::io::Write as _;
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
            file.write_all(format!("{number}\n").as_bytes()).unwrap();
        }
    }
}
"#;

/// The original texts of files, by their paths.
pub(crate) type Files<'a> = BTreeMap<&'a str, String>;

pub(crate) fn read_files<'a>(
    tree: &Path,
    subject: &Subject,
    mutants: &'a [Mutant],
) -> Result<Files<'a>, Box<dyn Error>> {
    let mut files = Files::new();
    for file in mutants
        .iter()
        .map(|mutant| mutant.file.as_str())
        .chain([subject.root])
    {
        if !files.contains_key(file) {
            files.insert(file, fs::read_to_string(tree.join(file))?);
        }
    }
    Ok(files)
}

/// The numbers of the mutants that do not have a switch.
#[derive(Debug, Default)]
pub(crate) struct Rejected {
    pub(crate) all: BTreeSet<usize>,
    /// Mutants that can compile without the switch.
    pub(crate) uncertain: BTreeSet<usize>,
}

/// Writes the switches into the tree. Rejects the mutants that do not compile.
pub(crate) fn write_switches(
    tree: &Path,
    subject: &Subject,
    mutants: &[Mutant],
    files: &Files<'_>,
) -> Result<Rejected, Box<dyn Error>> {
    let mut rejected = Rejected::default();
    loop {
        let mut switched = BTreeMap::<&str, Switched>::new();
        for (file, text) in files {
            let here = mutants
                .iter()
                .enumerate()
                .filter(|(number, mutant)| mutant.file == *file && !rejected.all.contains(number));
            let here: Vec<(usize, &Mutant)> = here.collect();
            let mut omitted = Vec::new();
            let mut result = switch(text, &here, &mut omitted)?;
            rejected.uncertain.extend(&omitted);
            rejected.all.extend(&omitted);
            if *file == subject.root {
                result
                    .text
                    .push_str(&SWITCH.replace("COUNT", &mutants.len().to_string()));
            }
            fs::write(tree.join(file), &result.text)?;
            switched.insert(file, result);
        }
        let before = rejected.all.len();
        let errors = errors(tree, subject)?;
        let mut unplaced = Vec::new();
        for (message, places) in &errors {
            let found = places.iter().find_map(|(file, offset)| {
                let parts = &switched.get(file.as_str())?.parts;
                let around = parts.iter().filter(|(part, _)| part.contains(offset));
                let nearest = || {
                    // An error about a name in a pattern, with the switch behind the pattern.
                    let behind = parts.iter().filter(|(part, _)| part.start >= *offset);
                    behind.min_by_key(|(part, _)| part.start)
                };
                let found = around.min_by_key(|(part, _)| part.len());
                let (_, mutants) = found.or_else(nearest)?;
                Some(mutants)
            });
            match found {
                Some(found) => {
                    let is_uncertain = |number: &&usize| {
                        mutants[**number].genre != "FnValue" || message.contains("[E0015]")
                    };
                    rejected.uncertain.extend(found.iter().filter(is_uncertain));
                    rejected.all.extend(found);
                }
                None => unplaced.push(message),
            }
        }
        if errors.is_empty() {
            return Ok(rejected);
        }
        if before == rejected.all.len() {
            let unplaced: String = unplaced.into_iter().map(String::as_str).collect();
            return Err(format!("errors that are not at mutants:\n{unplaced}").into());
        }
    }
}

type CompileError = (String, Vec<(String, usize)>);

/// Returns the errors of the compiler with their places: first the primary places, then the others.
pub(crate) fn errors(tree: &Path, subject: &Subject) -> Result<Vec<CompileError>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command
        .current_dir(tree)
        .args(["check", "--message-format=json", "--quiet"]);
    command.args(["-p", subject.package, "--lib"]);
    // Switches cause warnings, which are not results.
    let output = command.stderr(Stdio::null()).output()?;
    let mut errors = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message = &serde_json::from_str::<Value>(line)?["message"];
        let spans = message["spans"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        if message["level"] != "error" || spans.is_empty() {
            continue;
        }
        let mut places = Vec::new();
        for is_primary in [true, false] {
            for span in spans.iter().filter(|span| span["is_primary"] == is_primary) {
                let file = span["file_name"].as_str().unwrap_or_default().to_owned();
                let offset = span["byte_start"].as_u64().unwrap_or_default();
                places.push((file, usize::try_from(offset)?));
            }
        }
        errors.push((
            message["rendered"].as_str().unwrap_or_default().to_owned(),
            places,
        ));
    }
    if errors.is_empty() && !output.status.success() {
        return Err("cargo check failed without an error at a place".into());
    }
    Ok(errors)
}

/// A program that cargo built.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The folder of its package, where cargo runs it.
    pub(crate) folder: PathBuf,
    /// The folder of rustc's libraries.
    pub(crate) libraries: PathBuf,
}

/// Returns the test programs, or `None` if they do not compile.
pub(crate) fn tests(
    tree: &Path,
    subject: &Subject,
) -> Result<Option<Vec<Program>>, Box<dyn Error>> {
    let mut programs = Vec::new();
    for arguments in subject.tests {
        match build(tree, &[&["test", "--no-run"], *arguments].concat())? {
            Some(built) => programs.extend(built),
            None => return Ok(None),
        }
    }
    Ok(Some(programs))
}

/// Returns the program that answers cases: see `tests/reference/recorded/main.rs`.
pub(crate) fn recorder(tree: &Path) -> Result<Program, Box<dyn Error>> {
    let features = "union-tests/programs";
    let arguments = [
        "build",
        "--features",
        features,
        "--example",
        "recorded_reference",
    ];
    let built = build(tree, &arguments)?.and_then(|programs| programs.into_iter().next());
    built.ok_or_else(|| "recorded_reference does not compile".into())
}

/// Runs cargo, and returns the programs that it built, or `None` if they do not compile.
fn build(tree: &Path, arguments: &[&str]) -> Result<Option<Vec<Program>>, Box<dyn Error>> {
    let printed = Command::new("rustc")
        .args(["--print", "target-libdir"])
        .output()?;
    let libraries = PathBuf::from(String::from_utf8(printed.stdout)?.trim_end());
    let mut command = Command::new("cargo");
    command.current_dir(tree).args(arguments);
    command.args(["--message-format=json", "--quiet"]);
    let output = command.stderr(Stdio::null()).output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line)?;
        let (Some(path), Some(manifest)) = (
            message["executable"].as_str(),
            message["manifest_path"].as_str(),
        ) else {
            continue;
        };
        let folder = Path::new(manifest)
            .parent()
            .ok_or("a manifest without a folder")?;
        programs.push(Program {
            path: path.into(),
            folder: folder.to_owned(),
            libraries: libraries.clone(),
        });
    }
    Ok(Some(programs))
}
