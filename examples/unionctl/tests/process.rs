//! Finds the tool, and runs it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::SystemTime;

/// Where the sources and the samples are.
pub(crate) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("unionctl")
}

/// Where the sample is.
pub(crate) fn sample(name: &str) -> String {
    let path = source().join("samples").join(name);
    path.display().to_string()
}

/// Writes a file for one test.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unionctl");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Wrong use: nothing on stdout, code 2, and one line that says so.
    #[track_caller]
    pub(crate) fn problem(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        let problem = self.stderr.strip_prefix("error: ").map(str::trim_end);
        problem.expect("it says that it is an error")
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The tool, without what the machine says about colours.
pub(crate) fn unionctl(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(executable());
    command.args(args).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

#[track_caller]
pub(crate) fn run(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    ran(&unionctl(args).output().unwrap())
}

#[track_caller]
pub(crate) fn run_with(
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    stdin: impl Into<Vec<u8>>,
) -> Ran {
    let mut command = unionctl(args);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let content = stdin.into();
    // It may answer before it has read all, or stop reading.
    let writer = thread::spawn(move || drop(input.write_all(&content)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    ran(&output)
}

#[track_caller]
fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    };
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

/// Cargo builds examples with the tests of their package, but not if one test is chosen by name: then this does.
fn executable() -> &'static Path {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    EXECUTABLE.get_or_init(|| {
        let test = env::current_exe().unwrap();
        // target/debug/deps/this_test
        let profile = test.ancestors().nth(2).unwrap();
        let name = format!("unionctl{}", env::consts::EXE_SUFFIX);
        let executable = profile.join("examples").join(name);
        let built = modified(&executable);
        if built.is_none_or(|built| newest(&source()).is_some_and(|newest| newest > built)) {
            build(profile);
        }
        executable
    })
}

fn build(profile: &Path) {
    let name = match profile.file_name().and_then(OsStr::to_str) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "build",
        "--quiet",
        "--example",
        "unionctl",
        "--profile",
        name,
    ]);
    cargo.arg("--target-dir").arg(profile.parent().unwrap());
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(cargo.status().unwrap().success(), "the tool does not build");
}

/// When a file, or the newest source in a folder, was written.
fn newest(path: &Path) -> Option<SystemTime> {
    if path.is_dir() {
        let entries = fs::read_dir(path).ok()?;
        return entries
            .filter_map(|entry| newest(&entry.ok()?.path()))
            .max();
    }
    let is_source = path.extension() == Some(OsStr::new("rs"));
    let is_test = path.parent() == Some(&source().join("tests"));
    modified(path).filter(|_| is_source && !is_test)
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}
