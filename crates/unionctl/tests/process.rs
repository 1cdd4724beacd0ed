//! Finds the tool, and runs it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Where the samples are.
pub(crate) fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
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

/// A folder for one test, which is not there yet.
pub(crate) fn folder(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("unionctl")
        .join(name);
    let _ = fs::remove_dir_all(&path);
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
    program(env!("CARGO_BIN_EXE_unionctl"), args)
}

/// The same as kubectl calls it: `kubectl union unions -h` runs `kubectl-union unions -h`.
pub(crate) fn kubectl_union(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    program(env!("CARGO_BIN_EXE_kubectl-union"), args)
}

fn program(path: &str, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(path);
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
pub(crate) fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran {
        code: output.status.code().expect("no signal ended it"),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    };
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}
