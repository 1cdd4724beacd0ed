//! Generates YAML sources by a grammar. The sources contain nodes of all styles. Most are valid.

use union_random::Random;

use crate::scalars::scalar;

/// The maximum depth of a node.
const MAX_DEPTH: usize = 4;

/// Characters that a change may add to a source: indicators, white space, line breaks and a few
/// other characters.
const ADDED: [char; 41] = [
    ' ', ' ', '\n', '\n', '\t', '\r', ':', '-', '?', ',', '[', ']', '{', '}', '#', '&', '*', '!',
    '|', '>', '\'', '"', '%', '@', '`', '\\', '/', '.', '~', '=', '<', '0', '1', 'a', 'x', 'u',
    '\u{85}', '\u{2028}', '\u{a0}', 'é', '+',
];

/// A generator of one source.
pub(crate) struct SourceGenerator<'r> {
    pub(crate) random: &'r mut Random,
    out: String,
    anchors: usize,
}

/// Returns a random source.
pub(crate) fn source(random: &mut Random) -> String {
    let mut generator = SourceGenerator {
        random,
        out: String::new(),
        anchors: 0,
    };
    generator.stream();
    let mut text = generator.out;
    if random.chance(6) {
        let line_break = *random.pick(&["\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]);
        text = if random.chance(60) {
            text.replace('\n', line_break)
        } else {
            text.replacen('\n', line_break, 1)
        };
    }
    if random.chance(10) {
        text = text.trim_end().to_owned();
    }
    if random.chance(15) {
        for _ in 0..=random.below(3) {
            text = changed(random, &text);
        }
    }
    text
}

/// Returns a source with a small change.
pub(crate) fn changed(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.below(chars.len() + 1);
    let end = chars.len().min(at + 1 + random.below(6));
    match random.below(9) {
        0..=3 => chars.insert(at, *random.pick(&ADDED)),
        4 | 5 => {
            chars.drain(at..end);
        }
        6 if at < chars.len() => chars[at] = *random.pick(&ADDED),
        7 => {
            let part: Vec<char> = chars[at..end].to_vec();
            let to = random.below(chars.len() + 1);
            chars.splice(to..to, part);
        }
        8 => chars.truncate(at.max(chars.len() / 2)),
        _ => {}
    }
    chars.into_iter().collect()
}

impl SourceGenerator<'_> {
    fn add(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn one_of(&mut self, of: &[&str]) {
        let text = *self.random.pick(of);
        self.add(text);
    }

    fn spaces(&mut self, count: usize) {
        for _ in 0..count {
            self.out.push(' ');
        }
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.random.chance(percent)
    }

    fn stream(&mut self) {
        if self.chance(2) {
            self.add("\u{feff}");
        }
        if self.chance(3) {
            self.one_of(&["%YAML 1.1\n", "%YAML 1.2\n", "%TAG !e! tag:e:\n", "%A b\n"]);
        }
        if self.chance(12) {
            self.json_stream();
            return;
        }
        let count = self.random.weighted(&[(10, 1), (2, 2), (1, 3)]);
        for at in 0..count {
            if at > 0 || self.chance(15) {
                self.separator();
            }
            self.document();
        }
    }

    fn separator(&mut self) {
        if self.chance(60) {
            self.add("---\n");
            return;
        }
        self.one_of(&[
            "---\n",
            "---\n",
            "---\n",
            "--- # c\n",
            "---  \n",
            "---\t\n",
            "--- a\n",
            "...\n",
            "...\n---\n",
            "----\n",
            "--- {a: 1}\n",
            "---#\n",
            " ---\n",
            "... # c\n",
            "---\n---\n",
        ]);
    }

    fn document(&mut self) {
        if self.chance(10) {
            self.one_of(&["# comment\n", "\n", "  \n", "\t\n", "  # c\n"]);
        }
        match self.random.below(20) {
            0..=11 => self.block_map(0, 0),
            12 | 13 => self.block_list(0, 0),
            14 | 15 => {
                self.flow(0, 0);
                self.end_line();
            }
            16 | 17 => {
                self.inline(0, 0);
            }
            18 => self.add(""),
            _ => {
                self.properties();
                self.add("\n");
                self.block_map(0, 0);
            }
        }
    }

    fn end_line(&mut self) {
        if self.chance(8) {
            self.one_of(&[" # c", "  #", "\t# c", "#c", " ", "  ", "\t", " #: -"]);
        }
        self.add("\n");
        if self.chance(5) {
            self.one_of(&["\n", "# c\n", "   \n", "   # c\n", " # c\n"]);
        }
    }

    fn block_map(&mut self, indent: usize, depth: usize) {
        for at in 0..=self.random.below(4) {
            if at > 0 || depth == 0 {
                let indent = self.mostly_right(indent);
                self.spaces(indent);
            }
            if self.chance(5) {
                self.add("? ");
                self.node(indent, depth + 1);
                self.spaces(indent);
                self.one_of(&[": ", ":\n", "", ": "]);
                if self.out.ends_with(": ") {
                    self.node(indent, depth + 1);
                } else if !self.out.ends_with('\n') {
                    self.add("\n");
                }
                continue;
            }
            self.key(depth);
            self.one_of(&[":", ":", ":", ":", ":", ":", ":", ":", " :", ":\t", "\t:"]);
            self.value(indent, depth);
        }
    }

    /// Returns the indentation, or rarely a wrong indentation.
    fn mostly_right(&mut self, indent: usize) -> usize {
        match self.random.below(120) {
            0 => indent + 1,
            1 => indent.saturating_sub(1),
            _ => indent,
        }
    }

    fn key(&mut self, depth: usize) {
        match self.random.below(40) {
            0 => self.flow(0, depth + 2),
            1 => self.alias(),
            2 | 3 => self.add("<<"),
            4 => {
                self.properties();
                self.add(" ");
                self.word();
            }
            5 | 6 => self.quoted(0),
            7 if self.random.chance(10) => {
                let length = 1010 + self.random.below(30);
                self.add(&"k".repeat(length));
            }
            8..=13 => {
                let text = scalar(self.random);
                self.add(&text);
            }
            _ => self.word(),
        }
    }

    /// Adds a key. There are only a few different keys, so that some keys are repeated.
    fn word(&mut self) {
        self.one_of(&[
            "a", "b", "c", "d", "e", "key", "name", "1", "on", "true", "x y", "'a'",
        ]);
    }

    /// Adds the value of a key that has the given indentation.
    fn value(&mut self, indent: usize, depth: usize) {
        match self.random.below(20) {
            0 if depth < MAX_DEPTH => {
                self.end_line();
                let deeper = indent + 1 + self.random.below(4);
                self.spaces(deeper);
                self.block_map(deeper, depth + 1);
            }
            1..=3 if depth < MAX_DEPTH => {
                if self.chance(10) {
                    self.add(" ");
                    self.properties();
                }
                self.end_line();
                let deeper = indent + 2;
                self.spaces(deeper);
                self.block_map(deeper, depth + 1);
            }
            4 | 5 if depth < MAX_DEPTH => {
                self.end_line();
                let deeper = indent + self.random.below(3);
                self.block_list(deeper, depth + 1);
            }
            6 => self.end_line(),
            _ => {
                let space =
                    self.random
                        .weighted(&[(40, " "), (3, "  "), (2, "\t"), (1, ""), (1, " \t")]);
                self.add(space);
                self.inline(indent, depth);
            }
        }
    }

    fn block_list(&mut self, indent: usize, depth: usize) {
        for _ in 0..=self.random.below(3) {
            let indent = self.mostly_right(indent);
            self.spaces(indent);
            self.one_of(&["- ", "- ", "- ", "-  ", "-\t", "-"]);
            self.node(indent, depth + 1);
        }
    }

    /// Adds a node in the line of an indicator, such as `- `. The parent of the node has the given
    /// indentation.
    fn node(&mut self, indent: usize, depth: usize) {
        match self.random.below(10) {
            0..=2 if depth < MAX_DEPTH => self.block_map(indent + 2, depth),
            3 if depth < MAX_DEPTH => {
                self.add("- ");
                self.inline(indent + 2, depth + 1);
            }
            4 => self.end_line(),
            _ => self.inline(indent, depth),
        }
    }

    /// Adds a node that begins in this line and is not a block collection.
    fn inline(&mut self, indent: usize, depth: usize) {
        if self.chance(12) {
            self.properties();
            self.one_of(&[" ", " ", " ", "\n ", ""]);
        }
        match self.random.below(30) {
            0..=2 => self.block_scalar(indent),
            3..=6 => {
                self.quoted(indent);
                self.end_line();
            }
            7 | 8 => {
                self.plain_lines(indent);
                self.end_line();
            }
            9..=12 => {
                self.flow(indent, depth);
                self.end_line();
            }
            13 | 14 => {
                self.alias();
                self.end_line();
            }
            _ => {
                let text = scalar(self.random);
                self.add(&text);
                self.end_line();
            }
        }
    }

    /// Adds a tag, an anchor, or both.
    fn properties(&mut self) {
        if self.chance(50) {
            self.anchor();
            return;
        }
        if self.chance(40) {
            self.one_of(&["!!str", "!a", "!", "!!x%41"]);
            return;
        }
        let order = self.random.below(6);
        if order < 3 {
            self.anchor();
        }
        if order == 0 {
            self.add(" ");
        }
        if order == 0 || order >= 3 {
            self.one_of(&[
                "!!str",
                "!!int",
                "!!float",
                "!!bool",
                "!!null",
                "!!binary",
                "!!timestamp",
                "!!merge",
                "!!map",
                "!!seq",
                "!!set",
                "!",
                "!a",
                "!<tag:yaml.org,2002:str>",
                "!<tag:yaml.org,2002:int>",
                "!e!x",
                "!!x%41",
                "!a%e9",
                "!!",
                "!a,b",
                "!<x",
                "!!str,",
            ]);
        }
    }

    fn anchor(&mut self) {
        let name = self.random.below(3);
        self.anchors += 1;
        self.add(&format!("&x{name}"));
        if self.chance(2) {
            self.one_of(&["é", ":", "-_", "."]);
        }
    }

    fn alias(&mut self) {
        // An alias without an anchor is an error, so such an alias is rare.
        if self.anchors == 0 && self.chance(90) {
            self.add("a");
            return;
        }
        let name = self.random.below(3);
        self.add(&format!("*x{name}"));
    }

    fn break_and_indent(&mut self, indent: usize) {
        for _ in 0..self.random.weighted(&[(8, 1), (2, 2), (1, 3)]) {
            self.add("\n");
        }
        let deeper = match self.random.below(10) {
            0 => indent.saturating_sub(1),
            1 | 2 => indent,
            _ => indent + 1 + self.random.below(3),
        };
        self.spaces(deeper);
        if self.chance(3) {
            self.add("\t");
        }
    }

    fn plain_lines(&mut self, indent: usize) {
        for at in 0..2 + self.random.below(2) {
            if at > 0 {
                self.break_and_indent(indent);
            }
            let text = scalar(self.random);
            self.add(&text);
        }
    }

    fn quoted(&mut self, indent: usize) {
        if self.chance(50) {
            self.add("'");
            for _ in 0..self.random.below(4) {
                self.quoted_part(indent);
                if self.chance(15) {
                    self.add("''");
                }
            }
            self.add("'");
            return;
        }
        self.add("\"");
        for _ in 0..self.random.below(5) {
            self.quoted_part(indent);
            if self.chance(40) {
                self.one_of(&[
                    "\\n",
                    "\\t",
                    "\\\"",
                    "\\\\",
                    "\\0",
                    "\\a",
                    "\\b",
                    "\\e",
                    "\\v",
                    "\\f",
                    "\\r",
                    "\\ ",
                    "\\'",
                    "\\N",
                    "\\_",
                    "\\L",
                    "\\P",
                    "\\x41",
                    "\\xe9",
                    "\\u00e9",
                    "\\u2028",
                    "\\U0001F600",
                    "\\ud83d",
                    "\\ud83d\\ude00",
                    "\\/",
                    "\\q",
                    "\\x4",
                    "\\U00110000",
                    "\\uFFFF",
                    "\\\n",
                    "\\\n  ",
                    "\\\n\n",
                    "\\\t",
                ]);
            }
        }
        self.add("\"");
    }

    fn quoted_part(&mut self, indent: usize) {
        if self.chance(15) {
            self.break_and_indent(indent);
        }
        let text = scalar(self.random);
        let text: String = text.chars().filter(|c| !"'\"\\".contains(*c)).collect();
        self.add(&text);
        if self.chance(20) {
            self.one_of(&[" ", "  ", "\t", " # ", ": ", "- "]);
        }
    }

    fn block_scalar(&mut self, indent: usize) {
        self.one_of(&["|", "|", ">", ">"]);
        if self.chance(30) {
            self.one_of(&["-", "+", "1", "2", "2-", "+1", "-2", "0", "9", "--", "1+2"]);
        }
        if self.chance(10) {
            self.one_of(&[" # c", " ", "\t", " a", "#c"]);
        }
        self.add("\n");
        let base = indent + self.random.weighted(&[(1, 0), (1, 1), (8, 2), (2, 3)]);
        for _ in 0..self.random.below(5) {
            match self.random.below(20) {
                0 => self.add("\n"),
                1 => {
                    self.spaces(base.saturating_sub(1));
                    self.add("\n");
                }
                2 => {
                    self.spaces(base + 2);
                    self.add("\n");
                }
                3 => {
                    self.spaces(base);
                    self.add("\tx\n");
                }
                4 => {
                    self.spaces(base + 2);
                    let text = scalar(self.random);
                    self.add(&text);
                    self.add("\n");
                }
                _ => {
                    let base = self.mostly_right(base);
                    self.spaces(base);
                    let text = scalar(self.random);
                    self.add(&text);
                    self.add("\n");
                }
            }
        }
    }

    fn flow_space(&mut self, indent: usize) {
        match self.random.below(30) {
            0 => self.break_and_indent(indent),
            1 => self.add("\t"),
            2 => {
                self.add(" # c");
                self.break_and_indent(indent);
            }
            3..=12 => self.add(" "),
            _ => {}
        }
    }

    fn flow(&mut self, indent: usize, depth: usize) {
        let is_map = self.chance(50);
        self.add(if is_map { "{" } else { "[" });
        let count = self.random.below(4);
        for at in 0..count {
            self.flow_space(indent);
            if self.chance(3) {
                self.add("?");
                self.flow_space(indent);
            }
            if self.chance(if is_map { 88 } else { 12 }) {
                match self.random.below(10) {
                    0..=3 => self.quoted(indent),
                    4 => {}
                    _ => self.key(depth),
                }
                self.one_of(&[":", ":", ": ", ": ", ": ", " : ", " :"]);
            }
            self.flow_space(indent);
            self.flow_node(indent, depth);
            self.flow_space(indent);
            if at + 1 < count || self.chance(10) {
                self.add(",");
            }
        }
        self.flow_space(indent);
        self.add(if is_map { "}" } else { "]" });
    }

    fn flow_node(&mut self, indent: usize, depth: usize) {
        if self.chance(8) {
            self.properties();
            self.add(" ");
        }
        match self.random.below(12) {
            0 | 1 if depth < MAX_DEPTH => self.flow(indent, depth + 1),
            2 => self.quoted(indent),
            3 => self.alias(),
            4 => {}
            _ => {
                let text = scalar(self.random);
                self.add(&text);
            }
        }
    }

    /// Adds JSON values, with rare syntax errors.
    fn json_stream(&mut self) {
        for _ in 0..=self.random.below(3) {
            self.json(0);
            self.one_of(&[
                "\n",
                "\n",
                "",
                " ",
                "\n---\n",
                "---\n",
                " # c\n",
                "\n\n",
                "\n  ",
                ",",
                "\n# comment\n",
                "\na: 1\n",
                "\u{a0}\n",
            ]);
        }
    }

    fn json(&mut self, depth: usize) {
        let kind = if depth == 0 { 0 } else { self.random.below(10) };
        match kind {
            0 | 1 if depth < MAX_DEPTH => {
                self.add("{");
                let count = self.random.below(4);
                for at in 0..count {
                    self.one_of(&["", " ", "\n", "\t"]);
                    let key = *self
                        .random
                        .pick(&["a", "b", "c", "d", "e", "f\\n", "\\/", "1", "on"]);
                    self.add(&format!("\"{key}\":"));
                    self.json(depth + 1);
                    if at + 1 < count || self.chance(3) {
                        self.add(",");
                    }
                }
                self.add("}");
            }
            2 if depth < MAX_DEPTH => {
                self.add("[");
                let count = self.random.below(4);
                for at in 0..count {
                    self.json(depth + 1);
                    if at + 1 < count || self.chance(3) {
                        self.add(", ");
                    }
                }
                self.add("]");
            }
            3 | 4 => self.one_of(&[
                "\"\"",
                "\"x\"",
                "\"\\/\"",
                "\"\\u00e9\"",
                "\"\\ud83d\\ude00\"",
                "\"\\ud83d\"",
                "\"\\ude00x\"",
                "\"\\ud83d\\u0041\"",
                "\"a\tb\"",
                "\"\\q\"",
                "\"\u{7f}\"",
                "'x'",
                "\"\\ud83d\\u00\"",
                "\"\\n\\t\\\\\\\"\\b\\f\\r\"",
            ]),
            5 => self.one_of(&["true", "false", "null", "on", "tRUE", "NaN", "nul", "~"]),
            6 => {
                let text = scalar(self.random);
                self.add(&text);
            }
            _ => self.one_of(&[
                "0",
                "-0",
                "1",
                "1.0",
                "-0.0",
                "1e2",
                "1e400",
                "01",
                "+1",
                "1.",
                ".5",
                "1e",
                "1e-400",
                "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808",
                "18446744073709551615",
                "123456789012345678901234567890",
                "0.417",
                "7.038531e-26",
                "3.4028234663852886e+38",
                "1E+2",
                "-",
                "0x1",
            ]),
        }
    }
}
