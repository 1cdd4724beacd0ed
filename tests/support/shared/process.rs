//! A process of `unionctl ... --jsonl`, which prints a result for each line of requests.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

/// An error that ends the run without a result.
pub(crate) type Failure = Box<dyn Error>;

/// A running process with its pipes.
pub(crate) struct Unionctl {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Unionctl {
    /// Starts the tool with a subcommand that reads lines.
    pub(crate) fn start(tool: &str, subcommand: &str) -> Result<Self, Failure> {
        Self::start_with(tool, &[subcommand, "--jsonl"])
    }

    /// Starts the tool with these arguments.
    pub(crate) fn start_with(tool: &str, args: &[&str]) -> Result<Self, Failure> {
        let mut child = Command::new(tool)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{tool}: {error}"))?;
        let stdin = child.stdin.take().ok_or("no stdin")?;
        let stdout = child.stdout.take().ok_or("no stdout")?;
        Ok(Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
        })
    }

    /// Sends a request, and returns the result.
    pub(crate) fn send(&mut self, line: &Value) -> Result<Value, Failure> {
        self.send_line(&line.to_string())
    }

    /// Sends a request that is already serialized, and returns the result.
    pub(crate) fn send_line(&mut self, line: &str) -> Result<Value, Failure> {
        writeln!(self.stdin, "{line}")?;
        self.stdin.flush()?;
        let mut reply = String::new();
        self.stdout.read_line(&mut reply)?;
        if reply.is_empty() {
            return Err(format!("unionctl ended before the reply to {line}").into());
        }
        Ok(serde_json::from_str(&reply)?)
    }

    /// Closes stdin, and returns an error unless the process exits successfully.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self {
            mut child, stdin, ..
        } = self;
        drop(stdin);
        let status = child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("unionctl ended with {status}").into())
        }
    }
}
