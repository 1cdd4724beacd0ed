//! Runs tests on mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::build::Program;

/// The result of running tests on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The name of the test that failed.
    Caught(String),
    /// The name of a test that exceeded its limit of processor time.
    TimedOut(String),
    Survived,
    /// No test runs the changed code.
    NotReached,
}

/// A test with its processor time and the numbers of the mutants that it reaches.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) program: Program,
    pub(crate) name: String,
    pub(crate) duration: Duration,
    pub(crate) reached: BTreeSet<usize>,
}

/// A test below this duration shares a process with other tests, because the start of a process
/// takes longer than the test.
const SHORT: Duration = Duration::from_millis(60);

/// Runs each test alone, without a mutant, to measure the processor time of the test and to find
/// the mutants that the test reaches. Omits the tests that fail.
pub(crate) fn measure(
    programs: &[Program],
    record: &Path,
    longest: Duration,
) -> Result<Vec<Test>, Box<dyn Error>> {
    let mut tests = Vec::new();
    for program in programs {
        let listed = command(program, longest)
            .args(["--list", "--format", "terse"])
            .output()?;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let Some(name) = line.strip_suffix(": test") else {
                continue;
            };
            let _ = fs::remove_file(record);
            let mut command = command(program, longest);
            command
                .args(["--exact", name])
                .env("MUTANTS_REACHED", record);
            let duration = match run(command)? {
                (Outcome::Passed, duration) => duration,
                (outcome, _) => {
                    eprintln!("omitted test {name}: {outcome:?}");
                    continue;
                }
            };
            let reached = fs::read_to_string(record).unwrap_or_default();
            let reached: BTreeSet<usize> = reached
                .lines()
                .filter_map(|line| line.parse().ok())
                .collect();
            let (program, name) = (program.clone(), name.to_owned());
            tests.push(Test {
                program,
                name,
                duration,
                reached,
            });
        }
    }
    tests.sort_by_key(|test| test.duration);
    Ok(tests)
}

/// Runs the tests that reach a mutant, the fastest first, until a test fails.
pub(crate) fn judge(number: usize, tests: &[Test]) -> Result<Verdict, Box<dyn Error>> {
    let reaching = || tests.iter().filter(|test| test.reached.contains(&number));
    if reaching().next().is_none() {
        return Ok(Verdict::NotReached);
    }
    let mut groups: Vec<Vec<&Test>> = Vec::new();
    let mut short = BTreeMap::<&Path, Vec<&Test>>::new();
    for test in reaching().filter(|test| test.duration < SHORT) {
        short.entry(&test.program.path).or_default().push(test);
    }
    groups.extend(short.into_values());
    groups.extend(
        reaching()
            .filter(|test| test.duration >= SHORT)
            .map(|test| vec![test]),
    );
    for group in groups {
        let sum: Duration = group.iter().map(|test| test.duration).sum();
        let mut command = command(&group[0].program, Duration::from_secs(5) + sum * 5);
        command
            .arg("--exact")
            .args(group.iter().map(|test| &test.name));
        command.env("MUTANT", number.to_string());
        match run(command)?.0 {
            Outcome::Passed => {}
            Outcome::Failed(test) => {
                let name = if test.is_empty() {
                    group[0].name.clone()
                } else {
                    test
                };
                return Ok(Verdict::Caught(name));
            }
            Outcome::TimedOut => return Ok(Verdict::TimedOut(group[0].name.clone())),
        }
    }
    Ok(Verdict::Survived)
}

/// Runs all test programs, which were built with one mutant.
pub(crate) fn judge_build(
    programs: &[Program],
    limit: Duration,
) -> Result<Verdict, Box<dyn Error>> {
    for program in programs {
        match run(command(program, limit))?.0 {
            Outcome::Passed => {}
            Outcome::Failed(test) => return Ok(Verdict::Caught(test)),
            Outcome::TimedOut => return Ok(Verdict::TimedOut(String::new())),
        }
    }
    Ok(Verdict::Survived)
}

/// Returns the command that runs a program with a limit of processor time, so that the results do
/// not depend on other processes.
pub(crate) fn command(program: &Program, limit: Duration) -> Command {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -t \"$0\"; exec \"$@\"",
        &limit.as_secs().max(1).to_string(),
    ]);
    command.arg(&program.path);
    command
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder);
    // The tests of a proc macro need the libraries of rustc.
    command.env("LD_LIBRARY_PATH", &program.libraries);
    command
        .env("CARGO", "cargo")
        .env("RUST_BACKTRACE", "0")
        .env("RUST_TEST_THREADS", "2");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

#[derive(Debug)]
enum Outcome {
    Passed,
    /// The name of the test, if the program printed the name.
    Failed(String),
    TimedOut,
}

/// Runs a program until the first test fails, and returns the processor time.
fn run(mut command: Command) -> Result<(Outcome, Duration), Box<dyn Error>> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().ok_or("a program without output")?;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let name = line
            .strip_prefix("test ")
            .and_then(|line| line.strip_suffix(" ... FAILED"));
        if let Some(name) = name {
            child.kill()?;
            child.wait()?;
            return Ok((Outcome::Failed(name.to_owned()), Duration::ZERO));
        }
    }
    // `/proc` has an ended process until `wait`.
    let time = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let status = child.wait()?;
    let outcome = match status.signal() {
        None if status.success() => Outcome::Passed,
        // The kernel stops a process at the limit with SIGKILL or SIGXCPU.
        Some(9 | 24) => Outcome::TimedOut,
        _ => Outcome::Failed(String::new()),
    };
    Ok((outcome, processor_time(&time)))
}

/// Returns the processor time in a file `stat` of `/proc`, in which a second has 100 ticks.
fn processor_time(stat: &str) -> Duration {
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let numbers = behind_name.split_whitespace().skip(11).take(2);
    let ticks: u64 = numbers
        .filter_map(|number| number.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}
