//! Compares printed YAML: `k8s_yaml::to_yaml` with sigs.k8s.io/yaml.

use std::error::Error;
use std::fmt;

use serde_json::{Map, Value, json};
use union_random::Random;

use crate::answers::{MAX_PRINTED, MIN_CASES_FOR_COVERAGE, ask};
use crate::scalars;

/// The recorded results, which this run compares with new results.
const RECORDED: &str = include_str!("../../../crates/k8s-yaml/tests/emitted.jsonl");

/// The maximum length of a key in the JSON that Go reads as YAML, in characters with the quotes.
const MAX_KEY_LENGTH: usize = 1024;

/// Characters with a rule of their own, and ordinary characters.
const CHARACTERS: [char; 58] = [
    'a', 'b', 'z', 'A', 'é', 'ß', '日', '😀', '0', '1', '2', '9', ' ', ' ', ' ', ' ', '\n', '\n',
    '\n', '\t', '\r', ':', ':', '#', '-', '?', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>',
    '\'', '"', '%', '@', '`', '\\', '.', '_', '=', '~', '<', '/', '\0', '\u{7}', '\u{1b}',
    '\u{7f}', '\u{85}', '\u{a0}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{fffe}',
];

/// The numbers of values by outcome.
#[derive(Default)]
pub(crate) struct Tally {
    equal: usize,
    unreadable: usize,
    differ: usize,
}

/// Compares the results of both sides for random values and for the recorded values.
pub(crate) fn compare(
    program: &str,
    random: &mut Random,
    count: usize,
) -> Result<Tally, Box<dyn Error>> {
    let mut questions: Vec<Value> = Vec::new();
    let mut recorded = Vec::new();
    for line in RECORDED.lines() {
        let mut case: Value = serde_json::from_str(line)?;
        recorded.push(case["text"].take());
        questions.push(json!({ "emit": case["emit"] }));
    }
    questions.extend((0..count).map(|_| json!({ "emit": value(random, 3) })));
    let mut tally = Tally::default();
    let mut recorded = recorded.into_iter();
    ask(
        program,
        questions.iter(),
        Value::clone,
        |question, theirs| {
            let ours = k8s_yaml::to_yaml(&question["emit"]);
            let is_as_recorded = recorded.next().is_none_or(|text| text == theirs["text"]);
            if theirs["text"] == *ours && is_as_recorded {
                tally.equal += 1;
            } else if !theirs["error"].is_null() && is_unreadable(&question["emit"]) {
                tally.unreadable += 1;
            } else {
                tally.differ += 1;
                if tally.differ <= MAX_PRINTED {
                    println!("{question}\n  ours   {ours:?}\n  theirs {theirs}");
                }
            }
        },
    )?;
    Ok(tally)
}

/// Returns true if Go cannot read the JSON of a value as YAML.
fn is_unreadable(value: &Value) -> bool {
    let has_disallowed = |text: &str| {
        let is_disallowed =
            |c| matches!(c, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
        text.contains(is_disallowed)
    };
    match value {
        Value::String(text) => has_disallowed(text),
        Value::Array(items) => items.iter().any(is_unreadable),
        Value::Object(map) => map.iter().any(|(key, value)| {
            // Go also escapes these characters in JSON.
            let escaped = key.replace(['<', '>', '&', '\u{2028}', '\u{2029}'], "\0");
            let is_long = json!(escaped).to_string().chars().count() >= MAX_KEY_LENGTH;
            is_long || key.contains('\u{85}') || has_disallowed(key) || is_unreadable(value)
        }),
        _ => false,
    }
}

/// Returns a random value of at most `depth` levels.
fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(12) {
        0 | 1 if depth > 0 => (0..random.below(4))
            .map(|_| value(random, depth - 1))
            .collect(),
        // The order of more keys may have cycles, and Go's result is then random.
        2..=4 if depth > 0 => {
            let fields = (0..random.below(3)).map(|_| (text(random), value(random, depth - 1)));
            fields.collect::<Map<String, Value>>().into()
        }
        5 => number(random),
        6 => random
            .pick(&[json!(null), json!(true), json!(false)])
            .clone(),
        _ => text(random).into(),
    }
}

fn number(random: &mut Random) -> Value {
    let scalar = scalars::scalar(random);
    match (scalar.parse::<i64>(), scalar.parse::<f64>()) {
        (Ok(integer), _) => integer.into(),
        (_, Ok(float)) => json!(float),
        _ => json!(random.below(1000)),
    }
}

/// Returns a random string: a scalar of YAML, random characters, long text, or a mixture of these.
fn text(random: &mut Random) -> String {
    let characters = |random: &mut Random, length: usize| -> String {
        (0..length).map(|_| *random.pick(&CHARACTERS)).collect()
    };
    match random.below(10) {
        0..=2 => scalars::scalar(random),
        3 | 4 => {
            let length = random.below(6);
            characters(random, length)
        }
        5 => characters(random, 12),
        6 => format!("{}{}", scalars::scalar(random), random.pick(&CHARACTERS)),
        7 => format!("{}{}", random.pick(&CHARACTERS), scalars::scalar(random)),
        8 => {
            let words = (0..random.below(60)).map(|_| scalars::scalar(random));
            words
                .collect::<Vec<_>>()
                .join(*random.pick(&[" ", " ", "  ", "\n", " \u{2028}"]))
        }
        _ => {
            let (word, length) = (characters(random, 2), 30 + random.below(50));
            let spaces = *random.pick(&["", " ", "  "]);
            format!("a{word}{spaces}b").repeat(length)
        }
    }
}

impl Tally {
    /// Returns true if nothing differs, and if nearly all values can be printed by both sides.
    pub(crate) fn is_complete(&self, count: usize) -> bool {
        let is_mixed = self.equal * 4 > count && self.unreadable > 0;
        self.differ == 0 && (count < MIN_CASES_FOR_COVERAGE || is_mixed)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            equal,
            unreadable,
            differ,
        } = self;
        write!(
            f,
            "{equal} values are printed equally, {differ} differ\n  {unreadable} differ as intended: unreadable-json"
        )
    }
}
