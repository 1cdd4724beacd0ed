//! Functions that run the program, and the files of tests.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// Returns the folder of the crate.
pub(crate) fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the path of a sample.
pub(crate) fn sample(name: &str) -> String {
    let path = crate_folder().join("samples").join(name);
    path.display().to_string()
}

/// Writes a file for one test, and returns its path.
pub(crate) fn write_file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unionctl");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// Returns the path of a folder for one test. The folder does not exist.
pub(crate) fn absent_folder(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("unionctl")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    path.display().to_string()
}

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl ProgramOutput {
    /// Returns the error message. Asserts that the exit code is 2, that stdout is empty, and that
    /// stderr has one line.
    #[track_caller]
    pub(crate) fn error_message(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        let message = self.stderr.strip_prefix("error: ").map(str::trim_end);
        message.expect("a line that begins with `error:`")
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Returns a command for the program, without the color settings of the environment.
pub(crate) fn unionctl(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    program(env!("CARGO_BIN_EXE_unionctl"), args)
}

/// Returns a command for the program as a plugin, as kubectl runs it: `kubectl union unions -h`
/// runs `kubectl-union unions -h`.
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

/// Runs the program without input.
#[track_caller]
pub(crate) fn run(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> ProgramOutput {
    program_output(&unionctl(args).output().unwrap())
}

/// Runs the program with this content of stdin.
#[track_caller]
pub(crate) fn run_with_stdin(
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    stdin: impl Into<Vec<u8>>,
) -> ProgramOutput {
    let mut command = unionctl(args);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let content = stdin.into();
    // The program may exit before it has read all of its input, so write errors are ignored.
    let writer = thread::spawn(move || drop(input.write_all(&content)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    program_output(&output)
}

/// Converts the output of a process, and asserts that the program did not panic.
#[track_caller]
pub(crate) fn program_output(output: &Output) -> ProgramOutput {
    let to_string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let program_output = ProgramOutput {
        code: output.status.code().expect("an exit code"),
        stdout: to_string(&output.stdout),
        stderr: to_string(&output.stderr),
    };
    assert!(
        !program_output.stderr.contains("panicked"),
        "{}",
        program_output.stderr
    );
    program_output
}
