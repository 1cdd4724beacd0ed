//! Prints colored lines, JSON and documents.

use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, ErrorKind, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use k8s_json_internals::print::GoNumbers;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

use super::table::pluralize;
use super::yaml;
use crate::error::CommandError;
use crate::input::{DocumentFormat, Documents};

/// The output format that a user selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Human-readable, with colours on a terminal.
    #[default]
    Text,
    /// Machine-readable.
    Json,
    /// For code hosts, which show findings at their lines; only with `check`, `unions --list`,
    /// `compat` and `upgrade`.
    Sarif,
}

impl OutputFormat {
    /// Returns an error if the user selected another format than text.
    pub(crate) fn require_text(self) -> Result<(), CommandError> {
        if self == Self::Text {
            return Ok(());
        }
        Err(CommandError::new(
            "the command line",
            "--output has no effect on this command, which writes code or text; remove the flag",
        ))
    }

    /// Returns the format for a command that does not support SARIF.
    pub(crate) fn text_or_json(self) -> Result<TextOrJson, CommandError> {
        match self {
            Self::Text => Ok(TextOrJson::Text),
            Self::Json => Ok(TextOrJson::Json),
            Self::Sarif => Err(CommandError::new(
                "the command line",
                "-o sarif is supported only with `check`, `unions --list`, `compat` and `upgrade`, and not with --jsonl or objects of built-in kinds; use -o json",
            )),
        }
    }
}

/// The output format of a command that does not support SARIF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextOrJson {
    Text,
    Json,
}

/// The status of a command that has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandStatus {
    Success,
    Rejected,
    /// Nothing is rejected, but parts of the cluster could not be read.
    Incomplete,
}

impl CommandStatus {
    /// Returns the status of a command that could not read some parts of the cluster. A rejection
    /// is certain even if other parts are unknown.
    pub(crate) const fn with_unread_parts(self, unread_count: usize) -> Self {
        match self {
            Self::Success if unread_count > 0 => Self::Incomplete,
            status => status,
        }
    }
}

pub(crate) const PLAIN: Style = Style::new();
const HEADING: Style = Style::new().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const CHANGED: Style = AnsiColor::Yellow.on_default();
pub(crate) const TOLERATED: Style = AnsiColor::Cyan.on_default();

/// A string that is built line by line. The string contains color codes, which the output stream
/// removes if the stream is not a terminal.
#[derive(Debug, Default)]
pub(crate) struct TextBuffer {
    text: String,
}

impl TextBuffer {
    /// Adds a heading and indented lines, or nothing if there are no lines.
    pub(crate) fn add_section(
        &mut self,
        heading: &str,
        style: Style,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
    ) {
        let mut lines = lines.into_iter().peekable();
        if lines.peek().is_none() {
            return;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{HEADING}{heading}:{HEADING:#}");
        for line in lines {
            let line = EscapedLine(line.as_ref());
            let _ = writeln!(self.text, "  {style}{line}{style:#}");
        }
    }

    pub(crate) fn add_line(&mut self, line: &str, style: Style) {
        let _ = writeln!(self.text, "{style}{}{style:#}", EscapedLine(line));
    }

    /// Adds an indented line.
    pub(crate) fn add_indented_line(&mut self, level: usize, line: &str, style: Style) {
        let _ = write!(self.text, "{:width$}", "", width = 2 * level);
        self.add_line(line, style);
    }

    /// Adds the lines of another string.
    pub(crate) fn append(&mut self, other: &Self) {
        self.text += &other.text;
    }

    /// Returns the number of lines.
    pub(crate) fn line_count(&self) -> usize {
        self.text.lines().count()
    }

    pub(crate) fn add_heading(&mut self, line: &str) {
        self.add_line(line, HEADING);
    }

    /// Prints the lines on stdout.
    pub(crate) fn print(&self) -> Result<(), CommandError> {
        let mut stdout = anstream::stdout().lock();
        let write_result = stdout.write_all(self.text.as_bytes());
        ignore_broken_pipe(write_result.and_then(|()| stdout.flush()))
    }
}

/// Displays a string on one line, and escapes its control characters, so that input cannot control
/// the terminal.
struct EscapedLine<'t>(&'t str);

impl fmt::Display for EscapedLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in self.0.split_inclusive(char::is_control) {
            match segment.char_indices().next_back() {
                Some((index, c)) if c.is_control() => {
                    write!(f, "{}{}", &segment[..index], c.escape_default())?;
                }
                _ => f.write_str(segment)?,
            }
        }
        Ok(())
    }
}

/// Returns a discriminator value for messages, with `""` for the empty string.
pub(crate) const fn display_value(value: &str) -> &str {
    if value.is_empty() { "\"\"" } else { value }
}

/// Returns JSON on one line, with spaces: `{"type": "GCP", "aws": {}}`.
pub(crate) fn one_line_json(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer =
        serde_json::Serializer::with_formatter(&mut bytes, GoNumbers(SpacedFormatter));
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => value.to_string(),
    }
}

/// The maximum length of a value in text output, in characters. The JSON output has the value.
const MAX_SHOWN_CHARS: usize = 120;

/// Returns a value as JSON on one line, shortened to the maximum length.
pub(crate) fn short_json(value: &Value) -> String {
    let json = one_line_json(value);
    match json.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}...", &json[..end]),
        None => json,
    }
}

/// A JSON formatter with a space after commas and colons.
struct SpacedFormatter;

impl Formatter for SpacedFormatter {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// Writes JSON on one line, with numbers as an API server writes them.
pub(crate) fn write_json<T: Serialize>(
    writer: impl io::Write,
    value: &T,
) -> Result<(), serde_json::Error> {
    let formatter = GoNumbers(CompactFormatter);
    value.serialize(&mut serde_json::Serializer::with_formatter(
        writer, formatter,
    ))
}

/// Prints a string on stdout without changes.
pub(crate) fn raw_text(text: &str) -> Result<(), CommandError> {
    let mut stdout = io::stdout().lock();
    let write_result = stdout.write_all(text.as_bytes());
    ignore_broken_pipe(write_result.and_then(|()| stdout.flush()))
}

/// Prints JSON values on stdout, one after the other.
pub(crate) fn json<T: Serialize>(values: &[T]) -> Result<(), CommandError> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut write_values = || {
        for value in values {
            let formatter = GoNumbers(PrettyFormatter::new());
            let mut serializer = serde_json::Serializer::with_formatter(&mut stdout, formatter);
            value.serialize(&mut serializer)?;
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    };
    ignore_broken_pipe(write_values())
}

/// Prints changed documents, in the format of their file unless JSON is requested. Prints notes on
/// stderr about numbers that lose precision.
pub(crate) fn rewritten_documents(
    rewritten: &Documents,
    output_format: TextOrJson,
) -> Result<(), CommandError> {
    notes(&rewritten.notes);
    let document_format = match output_format {
        TextOrJson::Text => rewritten.format,
        TextOrJson::Json => DocumentFormat::Json,
    };
    documents(&rewritten.values, document_format)
}

/// Prints documents on stdout.
pub(crate) fn documents(documents: &[Value], format: DocumentFormat) -> Result<(), CommandError> {
    match format {
        DocumentFormat::Json => json(documents),
        DocumentFormat::Yaml => {
            let yaml = yaml::documents(documents).map_err(|error| {
                CommandError::new(
                    "stdout",
                    format!("cannot write the documents as YAML: {error}; use `-o json`"),
                )
            })?;
            let mut stdout = io::stdout().lock();
            let write_result = stdout.write_all(yaml.as_bytes());
            ignore_broken_pipe(write_result.and_then(|()| stdout.flush()))
        }
    }
}

/// Converts the error of a write. A closed pipe is not an error, because the reader of the pipe may
/// stop before the end.
pub(crate) fn ignore_broken_pipe(write_result: io::Result<()>) -> Result<(), CommandError> {
    match write_result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::new(
            "stdout",
            format!("cannot write: {error}"),
        )),
        _ => Ok(()),
    }
}

/// Prints notes on stderr. Notes do not affect the exit code.
pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        write_to_stderr("note", CHANGED, note);
    }
}

/// Prints warnings on stderr. Warnings do not affect the exit code.
pub(crate) fn warnings(warnings: &[String]) {
    for warning in warnings {
        write_to_stderr("warning", CHANGED, warning);
    }
}

/// Prints the error that stops the command on stderr.
pub(crate) fn error(command_error: &CommandError) {
    write_to_stderr("error", BAD, &command_error.to_string());
}

/// Prints the error of a command that a signal ends. The signal handler and the command may both
/// call the function: the second call waits for the first, and prints nothing.
pub(crate) fn interrupt() {
    static IS_PRINTED: Mutex<bool> = Mutex::new(false);
    let mut is_printed = IS_PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*is_printed {
        *is_printed = true;
        if io::stderr().is_terminal() {
            // The terminal shows `^C`, possibly after a progress bar.
            let _ = writeln!(io::stderr());
        }
        error(&CommandError::interrupted());
    }
}

/// Prints a line that kubectl prints for the user on stderr.
pub(crate) fn message_of_kubectl(line: &str) {
    // If stderr is closed, the failure cannot be reported.
    let _ = writeln!(anstream::stderr(), "{}", EscapedLine(line));
}

/// Prints the errors of files or CRDs without a result, and returns an error if there are any.
pub(crate) fn failed_files(errors: &[CommandError]) -> Result<(), CommandError> {
    errors.iter().for_each(error);
    match errors.len() {
        0 => Ok(()),
        failed_count => Err(CommandError::new(
            "the files",
            format!(
                "no verdict, because of {}; see above",
                pluralize(failed_count, "error")
            ),
        )),
    }
}

/// Returns the error for files that could not be read, and whose errors are already printed.
pub(crate) fn unreadable_files(paths: &str, count: usize) -> CommandError {
    CommandError::new(
        paths,
        format!(
            "{} could not be read, so there is no verdict; see the errors above",
            pluralize(count, "file")
        ),
    )
}

fn write_to_stderr(label: &str, style: Style, message: &str) {
    let line = EscapedLine(message);
    // If stderr is closed, the failure cannot be reported.
    let _ = writeln!(anstream::stderr(), "{style}{label}{style:#}: {line}");
}
