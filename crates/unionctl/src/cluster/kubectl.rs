//! Runs kubectl. All calls read: `get --raw` sends a GET request, and `config view` returns the
//! namespace of the context.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::api_path::ApiPath;
use super::interrupt::Interrupt;
use crate::error::CommandError;
use crate::input::MAX_BYTES;
use crate::output::print;

/// The name of the program, which is searched on the `PATH`. Arguments are passed to it without a
/// shell.
const PROGRAM: &str = "kubectl";

/// The first words of an error that a server has sent, before its reason in parentheses.
const SERVER_ERROR: &str = "Error from server";

/// The maximum length of kubectl's errors in messages, in bytes.
const MAX_MESSAGE_BYTES: usize = 2000;

/// The maximum size of stderr. The pipe is then closed, so kubectl fails if it writes more.
const MAX_STDERR_BYTES: u64 = 1 << 20;

/// The reason why a part of the cluster cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The user may not read the part.
    Denied(String),
    /// The part does not exist, or is not served.
    NotFound(String),
    /// The server no longer has the snapshot of a list.
    Expired(String),
    /// The server failed, or the answer is not the expected JSON.
    Failed(String),
    /// The answer is larger than [`MAX_BYTES`].
    TooLarge,
    /// Nothing can be read: kubectl is missing or cannot reach the server, or the user has
    /// interrupted the command.
    Stops(CommandError),
}

impl ReadError {
    /// Returns the reason for messages.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Denied(message)
            | Self::NotFound(message)
            | Self::Expired(message)
            | Self::Failed(message) => message.clone(),
            Self::TooLarge => format!("an answer exceeds the limit of {} MiB", MAX_BYTES >> 20),
            Self::Stops(error) => error.to_string(),
        }
    }
}

/// kubectl, with the flags of all calls.
#[derive(Debug)]
pub(crate) struct Kubectl {
    flags: Vec<OsString>,
    interrupt: Arc<Interrupt>,
}

impl Kubectl {
    pub(super) fn new(flags: Vec<OsString>) -> Result<Self, CommandError> {
        let interrupt = Interrupt::listen()?;
        Ok(Self { flags, interrupt })
    }

    /// Returns the answer to a GET request.
    pub(super) fn get(&self, path: &ApiPath) -> Result<Vec<u8>, ReadError> {
        let path = format!("--raw={}", path.as_str());
        self.run(&["get", &path])
    }

    /// Returns the namespace of the context, which is empty if the context does not set it. The
    /// output has no other part of the kubeconfig file.
    pub(super) fn context_namespace(&self) -> Result<Vec<u8>, ReadError> {
        let output = "--output=jsonpath={.contexts[0].context.namespace}";
        self.run(&["config", "view", "--minify", output])
    }

    /// Returns an error if the user has interrupted the command.
    pub(super) fn check_interrupt(&self) -> Result<(), ReadError> {
        if self.interrupt.is_set() {
            return Err(ReadError::Stops(CommandError::interrupted()));
        }
        Ok(())
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, ReadError> {
        let arguments = arguments.iter().map(OsStr::new);
        let arguments = arguments.chain(self.flags.iter().map(OsString::as_os_str));
        let (stdout, stderr) = self.start(arguments)?;
        let errors = ErrorReader::start(stderr);
        let mut output = Vec::new();
        let limit = MAX_BYTES as u64 + 1;
        let read_result = stdout.take(limit).read_to_end(&mut output);
        let is_too_large = output.len() > MAX_BYTES;
        let status = self.wait(is_too_large);
        let message = errors.finish();
        self.check_interrupt()?;
        if is_too_large {
            return Err(ReadError::TooLarge);
        }
        let failure = |error: io::Error| ReadError::Stops(kubectl_error(&error.to_string()));
        read_result.map_err(failure)?;
        match status.map_err(failure)? {
            status if status.success() => Ok(output),
            status => Err(classify_failure(status, &message)),
        }
    }

    /// Starts kubectl, and returns its stdout and stderr.
    fn start<'a>(
        &self,
        arguments: impl Iterator<Item = &'a OsStr>,
    ) -> Result<(ChildStdout, ChildStderr), ReadError> {
        // A credential plug-in may ask the user on a terminal. Other input belongs to the command.
        let stdin = if io::stdin().is_terminal() {
            Stdio::inherit()
        } else {
            Stdio::null()
        };
        let mut command = Command::new(PROGRAM);
        command.args(arguments).stdin(stdin);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running_child = self.interrupt.child();
        self.check_interrupt()?;
        let mut child = command
            .spawn()
            .map_err(|error| ReadError::Stops(start_error(&error)))?;
        let outputs = (child.stdout.take(), child.stderr.take());
        *running_child = Some(child);
        match outputs {
            (Some(stdout), Some(stderr)) => Ok((stdout, stderr)),
            _ => Err(ReadError::Stops(kubectl_error("it has no output"))),
        }
    }

    /// Waits for the end of kubectl. kubectl is killed if its output is not read to the end,
    /// because the rest of the output is not needed.
    fn wait(&self, is_killed: bool) -> io::Result<ExitStatus> {
        // Each attempt locks the child only briefly, so that the signal handler can kill the child.
        // A child can close its output long before its end.
        loop {
            let mut running_child = self.interrupt.child();
            let Some(child) = running_child.as_mut() else {
                return Err(io::Error::other("it does not run"));
            };
            if is_killed {
                let _ = child.kill();
            }
            if let Some(status) = wait_briefly(child)? {
                *running_child = None;
                return Ok(status);
            }
        }
    }
}

/// Waits for the end of a process for a short time. Returns `None` if the process still runs.
fn wait_briefly(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    const ATTEMPTS: u32 = 20;
    const INTERVAL: Duration = Duration::from_millis(1);
    for _ in 0..ATTEMPTS {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(INTERVAL);
    }
    Ok(None)
}

/// A thread that reads the errors of kubectl.
struct ErrorReader {
    errors: Arc<Mutex<String>>,
    /// The sender is dropped at the end of stderr.
    end: Receiver<()>,
}

impl ErrorReader {
    fn start(stderr: ChildStderr) -> Self {
        let errors = Arc::new(Mutex::new(String::new()));
        let (sender, end) = mpsc::channel();
        let shared_errors = Arc::clone(&errors);
        thread::spawn(move || {
            read_errors(stderr, &shared_errors);
            drop(sender);
        });
        Self { errors, end }
    }

    /// Returns the errors of a kubectl that has ended. A credential plug-in may still run and hold
    /// stderr open, so the wait for its end is short.
    fn finish(self) -> String {
        const MAX_WAIT: Duration = Duration::from_millis(500);
        // After both a timeout and the end of stderr, the errors so far are returned.
        let _ = self.end.recv_timeout(MAX_WAIT);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors.clone()
    }
}

/// Reads stderr, and adds the lines with errors to `errors`. The other lines are printed at once,
/// because they are for the user, such as the address of a page for the login.
fn read_errors(stderr: impl Read, errors: &Mutex<String>) {
    for line in BufReader::new(stderr.take(MAX_STDERR_BYTES)).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if !is_error(line) {
            print::message_of_kubectl(line);
            continue;
        }
        let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.len() + line.len() <= MAX_MESSAGE_BYTES && !is_log(line) {
            if !errors.is_empty() {
                errors.push_str("; ");
            }
            errors.push_str(line);
        }
    }
}

/// Returns true for a line that is not printed at once: an error, a line of the log, or an empty
/// line.
fn is_error(line: &str) -> bool {
    const STARTS: [&str; 6] = [
        SERVER_ERROR,
        "error:",
        "Error:",
        "Error in configuration",
        "Unable to connect",
        "The connection to the server",
    ];
    line.is_empty() || is_log(line) || STARTS.iter().any(|start| line.starts_with(start))
}

/// Returns true for a line of kubectl's log, such as `E1129 05:00:00.000000 1 memcache.go:265] x`.
fn is_log(line: &str) -> bool {
    let mut bytes = line.bytes();
    let has_level = matches!(bytes.next(), Some(b'E' | b'W' | b'I' | b'F'));
    has_level && bytes.take(4).filter(u8::is_ascii_digit).count() == 4
}

/// Returns the error for a kubectl that has failed, from its exit status and its error message.
fn classify_failure(status: ExitStatus, message: &str) -> ReadError {
    if status.code().is_none() {
        // Ctrl-C in a terminal also ends kubectl, possibly before this process handles the signal.
        return ReadError::Stops(CommandError::interrupted());
    }
    let Some((reason, text)) = server_error(message) else {
        return ReadError::Stops(if message.is_empty() {
            kubectl_error(&format!("it failed without a message ({status})"))
        } else {
            kubectl_error(message)
        });
    };
    let text = text.to_owned();
    match reason {
        "Forbidden" => ReadError::Denied(text),
        "NotFound" => ReadError::NotFound(text),
        "Expired" | "Gone" => ReadError::Expired(text),
        _ => ReadError::Failed(text),
    }
}

/// Returns the reason and the text of an error that a server has sent, such as
/// `Error from server (Forbidden): ...`. The reason may be missing.
fn server_error(message: &str) -> Option<(&str, &str)> {
    let rest = message.strip_prefix(SERVER_ERROR)?;
    let Some(rest) = rest.strip_prefix(" (") else {
        return Some(("", rest.trim_start_matches([':', ' '])));
    };
    let (reason, text) = rest.split_once("): ")?;
    Some((reason, text))
}

fn start_error(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::NotFound {
        return kubectl_error(
            "the program is not on the PATH; install it, or pass the CRDs and the objects as files",
        );
    }
    kubectl_error(&format!("cannot start it: {error}"))
}

fn kubectl_error(message: &str) -> CommandError {
    CommandError::new(PROGRAM, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_servers_have_a_reason() {
        for (message, expected) in [
            (
                "Error from server (Forbidden): no",
                Some(("Forbidden", "no")),
            ),
            ("Error from server: odd (x): y", Some(("", "odd (x): y"))),
            ("error: no context", None),
            ("", None),
        ] {
            assert_eq!(server_error(message), expected, "{message}");
        }
    }

    #[test]
    fn lines_of_the_log_are_errors() {
        for (line, expected) in [
            ("E1129 05:00:00.1 7 memcache.go:265] x", true),
            ("Every time you log in", false),
            ("error: x", true),
            ("To sign in, open https://example.com", false),
        ] {
            assert_eq!(is_error(line), expected, "{line}");
        }
    }
}
