//! Runs the tests of a crate on each mutant of the crate: see `tests/mutants/README.md`.

mod build;
mod judge;
mod mutant;
mod search;
mod subject;
mod survivors;
mod switch;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use build::Files;
use judge::Verdict;
use mutant::Mutant;
use search::Cases;
use subject::{SUBJECTS, Subject};

/// The arguments of the command line.
struct Arguments {
    /// The copy of the repository, in which the mutants are written.
    tree: PathBuf,
    subject: &'static Subject,
    /// K and N of `--part K/N`. The hash of the name decides about the part of a mutant, so a part
    /// is random, but has the same mutants in each run.
    part: Option<(u64, u64)>,
    /// The maximum processor time of a test.
    longest: Duration,
    /// A text in the names of the mutants to run.
    only: Option<String>,
    /// True to run only the mutants that survived the last run.
    again: bool,
    /// True to leave out mutants that need a build of their own.
    without_builds: bool,
    /// A file of cases, to search for cases that distinguish the surviving mutants.
    cases: Option<PathBuf>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = read_arguments()?;
    let (tree, subject) = (&arguments.tree, arguments.subject);
    let cases = arguments.cases.as_ref();
    let cases = cases.map(|file| Cases::open(subject, file));
    let cases = cases.transpose()?;
    let mutants = mutant::list(tree, subject)?;
    let files = build::read_files(tree, subject, &mutants)?;
    let rejected = build::write_switches(tree, subject, &mutants, &files)?;
    let programs = build::tests(tree, subject)?.ok_or("the tests do not compile")?;
    let tests = judge::measure(
        &programs,
        &tree.with_extension("reached"),
        arguments.longest,
    )?;
    eprintln!("{} mutants, {} tests", mutants.len(), tests.len());

    let path = Path::new("tests/mutants/survivors").join(format!("{}.txt", subject.package));
    let log_path = tree.with_extension("tsv");
    let last_log = fs::read_to_string(&log_path).unwrap_or_default();
    let mut results = Results {
        reasons: survivors::read(&path)?,
        log: fs::File::create(&log_path)?,
        figures: BTreeMap::new(),
        is_failed: false,
    };
    let (mut alive, mut own_builds) = (Vec::new(), Vec::new());
    for (number, mutant) in choose(&mutants, &arguments, &last_log) {
        if rejected.uncertain.contains(&number) {
            own_builds.push(mutant);
        } else if rejected.all.contains(&number) {
            results.add(mutant, None)?;
        } else {
            let verdict = judge::judge(number, &tests)?;
            if matches!(verdict, Verdict::Survived | Verdict::NotReached) {
                alive.push((number, mutant));
            }
            results.add(mutant, Some(verdict))?;
        }
    }
    if let Some(cases) = cases {
        let count = cases.search(tree, &alive)?;
        println!(
            "{}: a case distinguishes {count} of {} survivors",
            subject.package,
            alive.len()
        );
        results.is_failed |= count > 0;
    }
    let test_duration = tests.iter().map(|test| test.duration).sum();
    for mutant in own_builds {
        if arguments.without_builds {
            results.count("not run");
        } else {
            results.add(
                mutant,
                own_build(tree, subject, &files, mutant, test_duration)?,
            )?;
        }
    }
    if arguments.part.is_none() && arguments.only.is_none() && !arguments.again {
        for name in results.reasons.keys() {
            results.is_failed = true;
            println!(
                "{} has a mutant that does not exist:\n{name}",
                path.display()
            );
        }
    }
    let figures = results
        .figures
        .iter()
        .map(|(name, count)| format!("{count} {name}"));
    let figures: Vec<String> = figures.collect();
    println!("{}: {}", subject.package, figures.join(", "));
    Ok(if results.is_failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns the mutants that the arguments choose, with their numbers. `last_log` is the log of the
/// last run.
fn choose<'m>(
    mutants: &'m [Mutant],
    arguments: &Arguments,
    last_log: &str,
) -> Vec<(usize, &'m Mutant)> {
    let mut chosen: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
    chosen.retain(|(_, mutant)| is_chosen(mutant, arguments));
    if arguments.again {
        let survivors = last_log.lines().filter(|line| line.starts_with("survived"));
        let survivors: BTreeSet<&str> = survivors
            .filter_map(|line| line.split('\t').nth(1))
            .collect();
        chosen.retain(|(_, mutant)| survivors.contains(mutant.name.as_str()));
    }
    // In a random order, the results of an interrupted run are a sample.
    chosen.sort_by_key(|(_, mutant)| hash(mutant));
    chosen
}

/// The results so far.
struct Results {
    /// The reasons of `survivors` that are not used yet.
    reasons: BTreeMap<String, String>,
    log: fs::File,
    figures: BTreeMap<&'static str, usize>,
    is_failed: bool,
}

impl Results {
    fn count(&mut self, figure: &'static str) {
        *self.figures.entry(figure).or_default() += 1;
    }

    /// Adds the result of a mutant; `None` if the mutant does not compile.
    fn add(&mut self, mutant: &Mutant, verdict: Option<Verdict>) -> Result<(), Box<dyn Error>> {
        let reason = self.reasons.remove(&mutant.name);
        let (figure, note) = match (verdict, &reason) {
            (None, _) => ("unviable", String::new()),
            (Some(Verdict::Caught(test)), _) => ("caught", test),
            (Some(Verdict::TimedOut(test)), _) => ("timed out", test),
            (Some(verdict), Some(reason)) => {
                ("survived with a reason", format!("{verdict:?}: {reason}"))
            }
            (Some(verdict), None) => ("survived without a reason", format!("{verdict:?}")),
        };
        self.count("made");
        self.count(figure);
        let Mutant { name, line, .. } = mutant;
        writeln!(self.log, "{figure}\t{name}\t{line}\t{note}")?;
        let is_expected = match figure {
            "survived without a reason" => false,
            "survived with a reason" => true,
            _ => reason.is_none(),
        };
        if !is_expected {
            self.is_failed = true;
            let although = reason
                .map(|_| ", although survivors has a reason")
                .unwrap_or_default();
            println!("{figure}{although}, line {line}: {name}");
        }
        Ok(())
    }
}

/// Builds and tests a mutant that does not fit a switch. Returns `None` if the mutant does not
/// compile.
fn own_build(
    tree: &Path,
    subject: &Subject,
    files: &Files<'_>,
    mutant: &Mutant,
    test_duration: Duration,
) -> Result<Option<Verdict>, Box<dyn Error>> {
    for (file, text) in files {
        fs::write(tree.join(file), text)?;
    }
    fs::write(
        tree.join(&mutant.file),
        mutant.apply(&files[mutant.file.as_str()]),
    )?;
    if !build::errors(tree, subject)?.is_empty() {
        return Ok(None);
    }
    let Some(programs) = build::tests(tree, subject)? else {
        return Ok(None);
    };
    judge::judge_build(&programs, test_duration * 5).map(Some)
}

fn read_arguments() -> Result<Arguments, Box<dyn Error>> {
    const USAGE: &str = "give CRATE [--part K/N] [--longest SECONDS] [--only TEXT] [--again] [--without-builds] [--cases FILE]";
    let mut given = std::env::args().skip(1);
    let tree = given.next().ok_or(USAGE)?.into();
    let name = given.next().ok_or(USAGE)?;
    let subject = SUBJECTS.iter().find(|subject| subject.package == name);
    let Some(subject) = subject else {
        let names: Vec<&str> = SUBJECTS.iter().map(|subject| subject.package).collect();
        return Err(format!("CRATE is one of {}", names.join(", ")).into());
    };
    let longest = Duration::from_mins(10);
    let mut arguments = Arguments {
        tree,
        subject,
        part: None,
        longest,
        only: None,
        again: false,
        without_builds: false,
        cases: None,
    };
    while let Some(option) = given.next() {
        let mut value = || given.next().ok_or(USAGE);
        match option.as_str() {
            "--again" => arguments.again = true,
            "--without-builds" => arguments.without_builds = true,
            "--part" => {
                let value = value()?;
                let (part, parts) = value.split_once('/').ok_or(USAGE)?;
                arguments.part = Some((part.parse()?, parts.parse()?));
            }
            "--longest" => arguments.longest = Duration::from_secs_f64(value()?.parse()?),
            "--only" => arguments.only = Some(value()?),
            "--cases" => arguments.cases = Some(value()?.into()),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(arguments)
}

fn is_chosen(mutant: &Mutant, arguments: &Arguments) -> bool {
    let part = arguments.part;
    let is_in_part = part.is_none_or(|(part, parts)| hash(mutant) % parts == part % parts);
    is_in_part
        && arguments
            .only
            .as_ref()
            .is_none_or(|text| mutant.name.contains(text))
}

/// Returns the hash of the name (FNV-1a), which stays the same when other mutants come or go.
fn hash(mutant: &Mutant) -> u64 {
    mutant
        .name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
}
