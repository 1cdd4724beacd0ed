//! Random strings of a grammar. Some strings have a few changed characters.

use std::collections::BTreeSet;

use union_random::Random;

/// The rules of a grammar. The first rule generates the whole string. A rule has several forms;
/// `{name}` in a form stands for a string of the rule `name`.
pub(crate) type Grammar = &'static [(&'static str, &'static [&'static str])];

/// The rules that every grammar may use.
const COMMON: Grammar = &[
    ("digit", &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    (
        "digits",
        &[
            "{digit}",
            "{digit}",
            "{digit}{digit}",
            "{digit}{digits}",
            "0{digits}",
        ],
    ),
    (
        "many digits",
        &[
            "{digits}",
            "{digit}{digit}{digit}{digit}{digit}{many digits}",
        ],
    ),
    (
        "odd",
        &[
            " ",
            "\t",
            "\n",
            "\r",
            "\0",
            "\u{1}",
            "\u{7f}",
            "\"",
            "\\",
            "<",
            ">",
            "&",
            "'",
            "`",
            "|",
            "^",
            "{",
            "}",
            "é",
            "ß",
            "µ",
            "μ",
            "\u{80}",
            "\u{85}",
            "\u{a0}",
            "\u{ad}",
            "\u{130}",
            "\u{301}",
            "١",
            "\u{200b}",
            "\u{2028}",
            "\u{2029}",
            "€",
            "日",
            "\u{feff}",
            "\u{fffd}",
            "\u{ffff}",
            "\u{e000}",
            "\u{1f600}",
            "\u{10ffff}",
        ],
    ),
];

/// The nesting of rules from which on only the first form of a rule is used, so that the nesting
/// ends.
const MAX_DEPTH: usize = 40;

/// A rule and the index of one of its forms, or [`CHANGED`] and the index of a change.
pub(crate) type Kind = (&'static str, usize);

/// The name of changes to a string in a [`Kind`], in place of a rule.
const CHANGED: &str = "changed";
/// The number of different changes.
const CHANGES: usize = 5;

/// A generator of strings, which records the kinds of the generated strings.
pub(crate) struct Generator<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) made: BTreeSet<Kind>,
}

impl Generator<'_> {
    /// Generates a string. One string in six has one or two changes.
    pub(crate) fn text(&mut self, grammar: Grammar) -> String {
        let mut text = String::new();
        let (start, _) = grammar[0];
        self.expand(grammar, start, 0, &mut text);
        if self.random.below(6) == 0 {
            for _ in 0..=self.random.below(2) {
                text = self.changed(grammar, &text);
            }
        }
        text
    }

    fn expand(&mut self, grammar: Grammar, rule: &str, depth: usize, text: &mut String) {
        let (name, forms) = find(grammar, rule);
        let form = if depth > MAX_DEPTH {
            0
        } else {
            self.form(name, forms.len())
        };
        self.made.insert((name, form));
        let mut rest = forms[form];
        while let Some((before, behind)) = rest.split_once('{') {
            text.push_str(before);
            match behind.split_once('}') {
                Some((name, after)) if !name.is_empty() => {
                    self.expand(grammar, name, depth + 1, text);
                    rest = after;
                }
                _ => {
                    text.push('{');
                    rest = behind;
                }
            }
        }
        text.push_str(rest);
    }

    /// Returns the index of a form of a rule. In one of eight cases, returns a form that was not
    /// used yet, so that all forms are used.
    fn form(&mut self, rule: &'static str, forms: usize) -> usize {
        if self.random.below(8) == 0
            && let Some(form) = (0..forms).find(|form| !self.made.contains(&(rule, *form)))
        {
            return form;
        }
        self.random.below(forms)
    }

    fn changed(&mut self, grammar: Grammar, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        let at = self.random.below(chars.len() + 1);
        let change = self.random.below(CHANGES);
        self.made.insert((CHANGED, change));
        match change {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 if at < chars.len() => chars.insert(at, chars[at]),
            2 if at < chars.len() => {
                let other = self.random.below(chars.len());
                chars.swap(at, other);
            }
            // Inserts a string of a random rule.
            3 => {
                let (rule, _) = *self.random.pick(grammar);
                let mut piece = String::new();
                self.expand(grammar, rule, MAX_DEPTH / 2, &mut piece);
                chars.splice(at..at, piece.chars());
            }
            _ => {
                let mut piece = String::new();
                self.expand(grammar, "odd", 0, &mut piece);
                chars.splice(at..at, piece.chars());
            }
        }
        chars.into_iter().collect()
    }
}

fn find(grammar: Grammar, rule: &str) -> (&'static str, &'static [&'static str]) {
    let mut rules = grammar.iter().chain(COMMON);
    *rules
        .find(|(name, _)| *name == rule)
        .unwrap_or_else(|| panic!("the grammar has no rule {rule:?}"))
}

/// Returns all kinds that the strings of a grammar may have.
pub(crate) fn kinds(grammar: Grammar) -> impl Iterator<Item = Kind> {
    let rules = grammar.iter().map(|(name, forms)| (*name, forms.len()));
    let rules = rules.chain([(CHANGED, CHANGES)]);
    rules.flat_map(|(name, forms)| (0..forms).map(move |form| (name, form)))
}
