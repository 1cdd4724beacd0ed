//! The output: lines with colors, or JSON.

use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, ErrorKind, Write as _};

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

use crate::input::{Documents, Form};
use crate::problem::Problem;

/// The output format that a user selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// Human-readable, with colours on a terminal.
    #[default]
    Text,
    /// Machine-readable.
    Json,
    /// For code hosts, which show findings at their lines; only with `unions --list`.
    Sarif,
}

impl Output {
    /// Returns the format for a command whose findings do not have positions in files, which
    /// excludes SARIF.
    pub(crate) fn format(self) -> Result<Format, Problem> {
        match self {
            Self::Text => Ok(Format::Text),
            Self::Json => Ok(Format::Json),
            Self::Sarif => Err(Problem::new(
                "the command line",
                "-o sarif is supported only with `unions --list`; use -o json",
            )),
        }
    }
}

/// The format of the output of a command whose findings do not have positions in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The verdict of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fine,
    Refused,
}

pub(crate) const PLAIN: Style = Style::new();
const HEADING: Style = Style::new().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const CHANGED: Style = AnsiColor::Yellow.on_default();
pub(crate) const TOLERATED: Style = AnsiColor::Cyan.on_default();

/// A string that grows line by line. It always contains colors: the stream that prints it removes
/// them if it is not a terminal.
#[derive(Debug, Default)]
pub(crate) struct Text {
    text: String,
}

impl Text {
    /// Adds `heading:` and the indented lines below; adds nothing if there are no lines.
    pub(crate) fn section(
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
            let line = Printable(line.as_ref());
            let _ = writeln!(self.text, "  {style}{line}{style:#}");
        }
    }

    pub(crate) fn line(&mut self, line: &str, style: Style) {
        let _ = writeln!(self.text, "{style}{}{style:#}", Printable(line));
    }

    /// Adds an indented line.
    pub(crate) fn indented(&mut self, depth: usize, line: &str, style: Style) {
        let _ = write!(self.text, "{:depth$}", "", depth = 2 * depth);
        self.line(line, style);
    }

    /// Returns the number of lines.
    pub(crate) fn lines(&self) -> usize {
        self.text.lines().count()
    }

    pub(crate) fn heading(&mut self, line: &str) {
        self.line(line, HEADING);
    }

    /// Prints the lines on stdout.
    pub(crate) fn print(&self) -> Result<(), Problem> {
        let mut stdout = anstream::stdout().lock();
        let written = stdout.write_all(self.text.as_bytes());
        settle(written.and_then(|()| stdout.flush()))
    }
}

/// A string on one line with its control characters escaped, so that no input can control a
/// terminal.
struct Printable<'t>(&'t str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.split_inclusive(char::is_control) {
            match part.char_indices().next_back() {
                Some((at, c)) if c.is_control() => {
                    write!(f, "{}{}", &part[..at], c.escape_default())?;
                }
                _ => f.write_str(part)?,
            }
        }
        Ok(())
    }
}

/// Returns a value of a discriminator in readable form: the empty string as `""`.
pub(crate) const fn value(value: &str) -> &str {
    if value.is_empty() { "\"\"" } else { value }
}

/// Returns an object on one line, in readable form: `{"type": "GCP", "aws": {}}`.
pub(crate) fn on_a_line(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => value.to_string(),
    }
}

/// A formatter with a space after commas and colons.
struct Spaced;

impl Formatter for Spaced {
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

/// Returns an object as YAML.
pub(crate) fn yaml(value: &Value) -> String {
    // YAML can hold all values of JSON; if writing fails nevertheless, JSON is YAML.
    serde_saphyr::to_string(value).unwrap_or_else(|_| value.to_string())
}

/// Prints a string on stdout, unchanged.
pub(crate) fn plain(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    settle(written.and_then(|()| stdout.flush()))
}

/// Prints JSON on stdout, one value after the other.
pub(crate) fn json<T: Serialize>(values: &[T]) -> Result<(), Problem> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut write = || {
        for value in values {
            serde_json::to_writer_pretty(&mut stdout, value)?;
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    };
    settle(write())
}

/// Prints documents that were changed, in the format of the input unless another is requested.
/// Prints notes on stderr about numbers that reading has changed.
pub(crate) fn rewritten(read: &Documents, format: Format) -> Result<(), Problem> {
    notes(&read.notes);
    let form = match format {
        Format::Text => read.form,
        Format::Json => Form::Json,
    };
    documents(&read.values, form)
}

/// Prints documents on stdout in a format.
pub(crate) fn documents(documents: &[Value], form: Form) -> Result<(), Problem> {
    match form {
        Form::Json => json(documents),
        Form::Yaml => {
            let text = serde_saphyr::to_string_multiple(documents).map_err(|error| {
                Problem::new(
                    "stdout",
                    format!("cannot write the documents as YAML: {error}; use `-o json`"),
                )
            })?;
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(text.as_bytes());
            settle(written.and_then(|()| stdout.flush()))
        }
    }
}

/// Returns the problem of a failed write. A closed pipe is not a problem: its reader has read
/// enough.
pub(crate) fn settle(written: io::Result<()>) -> Result<(), Problem> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Problem::new("stdout", format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints notes on stderr, which do not stop the command.
pub(crate) fn notes(notes: &[String]) {
    for note in notes {
        say("note", CHANGED, note);
    }
}

/// Prints on stderr the problem that prevents a verdict.
pub(crate) fn error(problem: &Problem) {
    say("error", BAD, &problem.to_string());
}

fn say(label: &str, style: Style, text: &str) {
    let text = Printable(text);
    // If stderr is closed, there is nowhere to report this.
    let _ = writeln!(anstream::stderr(), "{style}{label}{style:#}: {text}");
}
