//! Errors of the command and of its input.

use std::fmt;

/// The exit code of a command that cannot run.
const ERROR_EXIT_CODE: u8 = 2;

/// The exit code of a command that Ctrl-C ends, as shells report the signal.
pub(crate) const INTERRUPT_EXIT_CODE: u8 = 130;

/// An error that stops the command. The message states the problem and the remedy.
#[derive(Debug)]
pub(crate) struct CommandError {
    location: String,
    message: String,
    exit_code: u8,
}

impl CommandError {
    /// Creates an error. `location` is a file, or a file with a line or a field.
    pub(crate) fn new(location: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            location: location.into(),
            message: message.into(),
            exit_code: ERROR_EXIT_CODE,
        }
    }

    /// Creates the error for a command that the user has interrupted.
    pub(crate) fn interrupted() -> Self {
        Self {
            exit_code: INTERRUPT_EXIT_CODE,
            ..Self::new("interrupted", "a signal has ended the command")
        }
    }

    pub(crate) const fn exit_code(&self) -> u8 {
        self.exit_code
    }

    /// Returns the message without the location.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

/// Returns an error for the first flag that is given, because the flag has no effect. `reason` is
/// the reason and the remedy.
pub(crate) fn reject_flags(flags: &[(&str, bool)], reason: &str) -> Result<(), CommandError> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(CommandError::new(
            "the command line",
            format!("{flag} has no effect{reason}"),
        )),
    }
}

/// An error in a document, without the file name.
#[derive(Debug)]
pub(crate) struct InputError {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The column in characters, counted from 1.
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl InputError {
    /// Converts an error of the YAML parser.
    pub(crate) fn from_reader(error: k8s_yaml::Error) -> Self {
        Self {
            line: error.line,
            column: error.column,
            message: error.message,
        }
    }

    /// Adds the file name, in the format of compilers: `new.yaml:3:7: ...`.
    pub(crate) fn in_file(self, file: &str) -> CommandError {
        let Self {
            line,
            column,
            message,
        } = self;
        CommandError::new(format!("{file}:{line}:{column}"), message)
    }
}
