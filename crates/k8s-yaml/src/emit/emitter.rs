//! The printer of YAML.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::key_order::ordered_entries;
use super::next_line::folded;
use super::number;
use super::style::{ScalarStyle, is_line_break, is_printable, is_simple_key, scalar_style};

/// The column after which a line is wrapped at the next space.
const MAX_COLUMN: usize = 80;

/// The number of spaces of a level of indentation.
const INDENT_WIDTH: usize = 2;

/// Returns a value as YAML, as Kubernetes prints values in messages: keys in the order of go-yaml,
/// lists in maps not indented, strings in go-yaml's style, and long lines wrapped.
///
/// Kubernetes cannot print keys of more than 1,021 characters, nor characters that YAML does not
/// allow, such as U+007F. Here, such keys are printed like others, and such characters are escaped.
///
/// The function calls itself for each level of the value, so the depth of the value must be
/// limited, as [`parse`](crate::parse) limits the depth.
///
/// ```
/// let value = serde_json::json!({"b": "no", "a": ["12:30", "1\n2"]});
/// assert_eq!(k8s_yaml::to_yaml(&value), "a:\n- \"12:30\"\n- |-\n  1\n  2\nb: \"no\"\n");
/// ```
#[must_use]
pub fn to_yaml(value: &Value) -> String {
    let mut emitter = Emitter::default();
    emitter.write_document(value);
    emitter.output
}

/// A printer of YAML that knows what the current line contains.
#[derive(Default)]
struct Emitter {
    output: String,
    /// The number of characters in the current line.
    column: usize,
    /// True if the next value does not need a space before it.
    is_after_space: bool,
    /// True if the current line contains only spaces and indicators.
    is_in_indentation: bool,
}

/// The place of a value in a list or a map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Item,
    MapValue,
}

impl Emitter {
    /// Writes a value and the line break after the value.
    fn write_document(&mut self, value: &Value) {
        self.is_after_space = true;
        self.is_in_indentation = true;
        self.write_value(value, None, Place::Item);
        self.write_indent(0);
    }

    /// Writes a value in a collection with an indentation; `None` for the whole document.
    fn write_value(&mut self, value: &Value, indent: Option<usize>, place: Place) {
        let inner_indent = indent.map_or(0, |indent| indent + INDENT_WIDTH);
        match value {
            Value::Object(map) if !map.is_empty() => self.write_map(map, inner_indent),
            Value::Array(items) if !items.is_empty() => {
                let is_below_key = place == Place::MapValue && !self.is_in_indentation;
                let indent = indent.filter(|_| is_below_key).unwrap_or(inner_indent);
                for item in items {
                    self.write_indent(indent);
                    self.write_indicator("-", true);
                    self.write_value(item, Some(indent), Place::Item);
                }
            }
            Value::String(string) => {
                let wrapped_indent = indent.unwrap_or_default() + INDENT_WIDTH;
                self.write_string(&folded(string), wrapped_indent, true);
            }
            Value::Number(number) => self.write_indicator(&number::to_text(number), false),
            // `null`, `true`, `[]`, `{}`
            other => self.write_indicator(&other.to_string(), false),
        }
    }

    fn write_map(&mut self, map: &Map<String, Value>, indent: usize) {
        for (key, value) in ordered_entries(map) {
            self.write_indent(indent);
            if is_simple_key(key) {
                self.write_string(key, indent + INDENT_WIDTH, false);
                self.write_char(':');
                self.is_after_space = false;
                self.is_in_indentation = false;
            } else {
                self.write_indicator("?", true);
                self.write_string(key, indent + INDENT_WIDTH, true);
                self.write_indent(indent);
                self.write_indicator(":", true);
            }
            self.write_value(value, Some(indent), Place::MapValue);
        }
    }

    /// Writes a string. A string that is not the key of a line may be wrapped.
    fn write_string(&mut self, string: &str, indent: usize, may_wrap: bool) {
        match scalar_style(string) {
            ScalarStyle::Plain => self.write_plain(string, indent, may_wrap),
            ScalarStyle::SingleQuoted => {
                self.write_indicator("'", false);
                self.write_single_quoted(string, indent, may_wrap);
                self.write_char('\'');
            }
            ScalarStyle::DoubleQuoted => {
                self.write_indicator("\"", false);
                self.write_double_quoted(string, indent, may_wrap);
                self.write_char('"');
            }
            ScalarStyle::Literal => return self.write_literal(string, indent),
        }
        self.is_after_space = false;
        self.is_in_indentation = false;
    }

    fn write_plain(&mut self, string: &str, indent: usize, may_wrap: bool) {
        self.write_indicator("", false);
        let mut is_after_space = false;
        let mut characters = string.chars().peekable();
        while let Some(character) = characters.next() {
            let may_break = may_wrap && !is_after_space && characters.peek() != Some(&' ');
            if character == ' ' && may_break && self.column > MAX_COLUMN {
                self.write_indent(indent);
            } else {
                self.write_char(character);
                self.is_in_indentation = false;
            }
            is_after_space = character == ' ';
        }
    }

    fn write_single_quoted(&mut self, string: &str, indent: usize, may_wrap: bool) {
        let (mut is_after_space, mut is_after_break, mut is_first) = (false, false, true);
        let mut characters = string.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek();
            if character == ' ' {
                let may_break = may_wrap && !is_after_space && !is_first;
                let is_between_words = next.is_some_and(|next| *next != ' ');
                if may_break && is_between_words && self.column > MAX_COLUMN {
                    self.write_indent(indent);
                } else {
                    self.write_char(character);
                }
                is_after_space = true;
            } else if is_line_break(character) {
                self.write_break(character);
                is_after_break = true;
            } else {
                if is_after_break {
                    self.write_indent(indent);
                }
                if character == '\'' {
                    self.write_char(character);
                }
                self.write_char(character);
                self.is_in_indentation = false;
                (is_after_space, is_after_break) = (false, false);
            }
            is_first = false;
        }
    }

    fn write_double_quoted(&mut self, string: &str, indent: usize, may_wrap: bool) {
        let (mut is_after_space, mut is_first) = (false, true);
        // Observed in go-yaml: after U+FEFF at the start, it escapes all characters.
        let are_all_escaped = string.starts_with('\u{feff}');
        let mut characters = string.chars().peekable();
        while let Some(character) = characters.next() {
            let is_escaped = are_all_escaped
                || !is_printable(character)
                || is_line_break(character)
                || matches!(character, '"' | '\\');
            if is_escaped {
                self.write_escaped(character);
            } else if character == ' ' {
                let is_inside = !is_first && characters.peek().is_some();
                let may_break = may_wrap && !is_after_space && is_inside;
                if may_break && self.column > MAX_COLUMN {
                    self.write_indent(indent);
                    if characters.peek() == Some(&' ') {
                        self.write_char('\\');
                    }
                } else {
                    self.write_char(character);
                }
            } else {
                self.write_char(character);
            }
            is_after_space = character == ' ';
            is_first = false;
        }
    }

    /// Writes the escape sequence of a character.
    fn write_escaped(&mut self, character: char) {
        let letter = match character {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{a0}' => '_',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let code = u32::from(character);
                let start = self.output.len();
                // Writing to a string does not fail.
                let _ = match code {
                    0..=0xff => write!(self.output, "\\x{code:02X}"),
                    0x100..=0xffff => write!(self.output, "\\u{code:04X}"),
                    _ => write!(self.output, "\\U{code:08X}"),
                };
                self.column += self.output.len() - start;
                return;
            }
        };
        self.write_char('\\');
        self.write_char(letter);
    }

    /// Writes a string as a block scalar, whose header says how the string begins and ends.
    fn write_literal(&mut self, string: &str, indent: usize) {
        self.write_indicator("|", false);
        if string.starts_with(|c| c == ' ' || is_line_break(c)) {
            self.output.push('2');
        }
        let mut from_end = string.chars().rev().map(is_line_break);
        match (from_end.next(), from_end.next()) {
            (Some(true), None | Some(true)) => self.output.push('+'),
            (Some(true), Some(false)) => {}
            _ => self.output.push('-'),
        }
        self.write_break('\n');
        self.is_after_space = true;
        let mut is_after_break = true;
        for character in string.chars() {
            if is_line_break(character) {
                self.write_break(character);
            } else {
                if is_after_break {
                    self.write_indent(indent);
                }
                self.write_char(character);
                self.is_in_indentation = false;
            }
            is_after_break = is_line_break(character);
        }
    }

    /// Writes text after a space. `-`, `?` and `:` are part of the indentation of what follows.
    fn write_indicator(&mut self, text: &str, is_indentation: bool) {
        if !self.is_after_space {
            self.write_char(' ');
        }
        self.output.push_str(text);
        self.column += text.len();
        self.is_after_space = false;
        self.is_in_indentation &= is_indentation;
    }

    /// Writes spaces up to an indentation, on a new line if the current line has other text.
    fn write_indent(&mut self, indent: usize) {
        let is_beyond = self.column > indent || self.column == indent && !self.is_after_space;
        if !self.is_in_indentation || is_beyond {
            self.write_break('\n');
        }
        while self.column < indent {
            self.write_char(' ');
        }
        self.is_after_space = true;
        self.is_in_indentation = true;
    }

    fn write_break(&mut self, line_break: char) {
        self.output.push(line_break);
        self.column = 0;
        self.is_in_indentation = true;
    }

    fn write_char(&mut self, character: char) {
        self.output.push(character);
        self.column += 1;
    }
}
