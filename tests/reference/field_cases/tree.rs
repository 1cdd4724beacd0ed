//! Documents whose objects may have repeated keys, which a JSON value cannot have.

use std::fmt::Write as _;

use k8s_crd_validation::DuplicateKey;
use k8s_json_internals::quote::GoQuoted;
use serde_json::{Map, Value};
use union_random::Random;
use union_runtime::path::FieldPath;

#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Object(Vec<(String, Self)>),
    List(Vec<Self>),
    Scalar(Value),
}

/// A path to a part of a document. Each step is the index of an entry or of an element.
pub(crate) type Path = Vec<usize>;

impl Tree {
    /// Returns the document as a parser returns it, with the last value of each repeated key.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Object(entries) => entries
                .iter()
                .map(|(key, value)| (key.clone(), value.value()))
                .collect::<Map<_, _>>()
                .into(),
            Self::List(elements) => elements.iter().map(Self::value).collect(),
            Self::Scalar(value) => value.clone(),
        }
    }

    fn at(&self, path: &[usize]) -> Option<&Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        let part = match self {
            Self::Object(entries) => entries.get(*first).map(|(_, value)| value),
            Self::List(elements) => elements.get(*first),
            Self::Scalar(_) => None,
        };
        part?.at(rest)
    }

    /// Returns true if there is an object with the key at the path.
    pub(crate) fn has(&self, path: &[usize], key: &str) -> bool {
        match self.at(path) {
            Some(Self::Object(entries)) => entries.iter().any(|(name, _)| name == key),
            _ => false,
        }
    }

    pub(crate) fn at_mut(&mut self, path: &[usize]) -> Option<&mut Self> {
        let Some((first, rest)) = path.split_first() else {
            return Some(self);
        };
        let part = match self {
            Self::Object(entries) => entries.get_mut(*first).map(|(_, value)| value),
            Self::List(elements) => elements.get_mut(*first),
            Self::Scalar(_) => None,
        };
        part?.at_mut(rest)
    }

    pub(crate) fn entries_mut(&mut self) -> Option<&mut Vec<(String, Self)>> {
        match self {
            Self::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// Sorts the keys of all objects. The entries of a repeated key keep their order.
    pub(crate) fn sort(&mut self) {
        match self {
            Self::Object(entries) => {
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                for (_, value) in entries {
                    value.sort();
                }
            }
            Self::List(elements) => elements.iter_mut().for_each(Self::sort),
            Self::Scalar(_) => {}
        }
    }

    /// Returns the document in JSON, and its repeated keys.
    pub(crate) fn json(&self) -> (String, Vec<DuplicateKey>) {
        let mut text = String::new();
        self.write_json(&mut text);
        let mut repeated = Vec::new();
        self.collect_repeated(&FieldPath::root(), &mut |_, path| {
            repeated.push(DuplicateKey::Json(path));
        });
        (text, repeated)
    }

    /// Calls `found` with each key that its object already has, and with the path of the key.
    fn collect_repeated(&self, at: &FieldPath, found: &mut impl FnMut(&str, FieldPath)) {
        match self {
            Self::Object(entries) => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    let path = at.clone().field(key);
                    if is_repeated(entries, index) {
                        found(key, path.clone());
                    }
                    value.collect_repeated(&path, found);
                }
            }
            Self::List(elements) => {
                for (index, value) in elements.iter().enumerate() {
                    value.collect_repeated(&at.clone().index(index), found);
                }
            }
            Self::Scalar(_) => {}
        }
    }

    fn write_json(&self, text: &mut String) {
        match self {
            Self::Object(entries) => {
                text.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    push(text, format_args!("{comma}{}: ", quoted(key)));
                    value.write_json(text);
                }
                text.push('}');
            }
            Self::List(elements) => {
                text.push('[');
                for (at, value) in elements.iter().enumerate() {
                    text.push_str(if at > 0 { ", " } else { "" });
                    value.write_json(text);
                }
                text.push(']');
            }
            Self::Scalar(value) => push(text, format_args!("{value}")),
        }
    }

    /// Returns the document in YAML, with some parts in flow style, and its repeated keys.
    pub(crate) fn yaml(&self, random: &mut Random) -> (String, Vec<DuplicateKey>) {
        let mut writer = YamlWriter {
            text: String::new(),
            line: 1,
            repeated: Vec::new(),
            random,
        };
        if writer.random.chance(20) {
            writer.push("---\n");
        }
        writer.block(self, 0);
        (writer.text, writer.repeated)
    }
}

struct YamlWriter<'r> {
    text: String,
    line: usize,
    repeated: Vec<DuplicateKey>,
    random: &'r mut Random,
}

impl YamlWriter<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.line += text.matches('\n').count();
    }

    fn start_line(&mut self, indent: usize) {
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes the lines of a value. The caller has already written the indentation of the first
    /// line. Returns the number of the line on which the value starts.
    fn block(&mut self, tree: &Tree, indent: usize) -> usize {
        let mut first = self.line;
        match tree {
            Tree::Object(entries) if !entries.is_empty() => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        self.start_line(indent);
                    }
                    if self.random.chance(3) {
                        self.push("# a comment\n");
                        self.start_line(indent);
                        first += usize::from(index == 0);
                    }
                    self.push(&yaml_key(key));
                    self.push(":");
                    let line = self.value_after_key(value, indent + 2);
                    // Go reports a key at its value, after the keys in the value.
                    if is_repeated(entries, index) {
                        self.repeated.push(yaml_repeated(key, line));
                    }
                }
            }
            Tree::List(elements) if !elements.is_empty() => {
                for (index, value) in elements.iter().enumerate() {
                    if index > 0 {
                        self.start_line(indent);
                    }
                    self.push("- ");
                    self.block(value, indent + 2);
                }
            }
            _ => self.flow(tree),
        }
        first
    }

    /// Writes a value after its key. Returns the number of the line on which the value starts.
    fn value_after_key(&mut self, tree: &Tree, indent: usize) -> usize {
        let is_block = match tree {
            Tree::Object(entries) => !entries.is_empty(),
            Tree::List(elements) => !elements.is_empty(),
            Tree::Scalar(_) => false,
        };
        if is_block && !self.random.chance(8) {
            self.push("\n");
            self.start_line(indent);
            self.block(tree, indent)
        } else {
            self.push(" ");
            let line = self.line;
            self.flow(tree);
            line
        }
    }

    /// Writes a value in flow style, which is JSON, and ends the line.
    fn flow(&mut self, tree: &Tree) {
        tree.write_json(&mut self.text);
        let line = self.line;
        tree.collect_flow_repeated(line, &mut self.repeated);
        self.push("\n");
    }
}

fn is_repeated(entries: &[(String, Tree)], index: usize) -> bool {
    let (key, _) = &entries[index];
    entries[..index].iter().any(|(other, _)| other == key)
}

fn yaml_repeated(key: &str, line: usize) -> DuplicateKey {
    let key = GoQuoted(key).to_string();
    DuplicateKey::Yaml { line, key }
}

impl Tree {
    /// Adds the repeated keys of a value in flow style.
    fn collect_flow_repeated(&self, line: usize, repeated: &mut Vec<DuplicateKey>) {
        match self {
            Self::Object(entries) => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    value.collect_flow_repeated(line, repeated);
                    if is_repeated(entries, index) {
                        repeated.push(yaml_repeated(key, line));
                    }
                }
            }
            Self::List(elements) => {
                for value in elements {
                    value.collect_flow_repeated(line, repeated);
                }
            }
            Self::Scalar(_) => {}
        }
    }
}

fn push(text: &mut String, part: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(part);
}

fn quoted(text: &str) -> Value {
    Value::from(text)
}

/// Words that are not strings in YAML, unless they are in quotes.
const WORDS: [&str; 10] = [
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan",
];

fn yaml_key(key: &str) -> String {
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
        && !WORDS.contains(&key.to_lowercase().as_str());
    if is_plain {
        key.to_owned()
    } else {
        quoted(key).to_string()
    }
}
