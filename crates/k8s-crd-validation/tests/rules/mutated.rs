//! Tests of random rules: of tokens, of bytes, and of valid rules with mistakes. Each rule gets an
//! answer within a limited time.

use std::time::{Duration, Instant};

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// The time limit for compiling, linting and evaluating one rule, without optimization and on a
/// machine that is busy.
const MAX_DURATION: Duration = Duration::from_secs(10);

const TOKENS: &[&str] = &[
    "self",
    "oldSelf",
    "s",
    "l",
    "m",
    "o",
    "x",
    "y",
    ".",
    ".?",
    "[",
    "]",
    "[?",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    "?",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "in",
    "true",
    "false",
    "null",
    "0",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1u",
    "0x1F",
    "1.5",
    "1e308",
    "'a'",
    "\"é\"",
    "r'\\d'",
    "b'\\xff'",
    "'''",
    "'\\u00e9'",
    "'",
    "\\",
    "//",
    "\n",
    " ",
    "has(",
    "size(",
    ".all(x, ",
    ".exists(x, ",
    ".exists_one(x, ",
    ".map(x, ",
    ".filter(x, ",
    ".transformMap(k, v, ",
    ".matches(",
    ".split('')",
    ".join(",
    ".format([",
    ".orValue(",
    ".optMap(x, ",
    ".hasValue()",
    ".value()",
    "optional.of(",
    "optional.none()",
    "dyn(",
    "type(",
    "int(",
    "string(",
    "duration('1h')",
    "timestamp('2024-01-01T00:00:00Z')",
    "quantity('1Gi')",
    "url('https://a.b')",
    "cidr('10.0.0.0/8')",
    "sets.contains(",
    "lists.range(",
    "cel.bind(x, ",
    "math.greatest(",
    "format.named('uuid')",
    "__dot__",
    "größe",
    "if",
    "\u{0}",
    "\u{feff}",
    "🙂",
    "@in",
    "_+_",
];

const RULES: &[&str] = &[
    "self.l.all(x, x.size() > 0 && x != oldSelf.s)",
    "!has(self.o) || self.?o.orValue('z').startsWith('a')",
    "self.m.exists(k, self.m[k] == 'b') ? self.s.contains(\"b\") : self.l[?0].hasValue()",
    "self.l.map(x, x + 'a').filter(x, x.matches('^a.*$')).join(',').size() < 100",
    "self.?o.optMap(x, x.size() * 2 > 3 || x in ['a']).orValue(self.l.size() in [1, 2, 3])",
    "self.s == '' ? true : quantity(self.s).isGreaterThan(quantity('1Mi'))",
    "{'a': [1, 2], 'b': []}.size() == self.m.size()",
    "timestamp(self.s).getFullYear() > 2000 && duration('1h30m') < duration('2h')",
];

/// Returns valid rules with mistakes: characters that are removed, inserted, replaced or doubled.
fn mutated_rules() -> impl Strategy<Value = String> {
    let edit = (
        any::<prop::sample::Index>(),
        0..4_usize,
        0..12_usize,
        select(TOKENS),
    );
    (select(RULES), prop::collection::vec(edit, 1..6)).prop_map(|(rule, edits)| {
        let mut chars: Vec<char> = rule.chars().collect();
        for (position, edit_kind, length, token) in edits {
            let position = position.index(chars.len() + 1);
            let end = (position + length).min(chars.len());
            match edit_kind {
                0 => drop(chars.drain(position..end)),
                1 => drop(chars.splice(position..position, token.chars())),
                2 => drop(chars.splice(position..end, token.chars())),
                _ => {
                    let copied_chars = chars[position..end].to_vec();
                    chars.splice(position..position, copied_chars);
                }
            }
        }
        chars.into_iter().collect()
    })
}

fn rules_of_random_tokens() -> impl Strategy<Value = String> {
    prop::collection::vec(select(TOKENS), 0..60).prop_map(|tokens| tokens.concat())
}

fn rules_of_random_bytes() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<u8>(), 0..200)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns rules of one token, between many repetitions of two other tokens.
fn rules_of_repeated_tokens() -> impl Strategy<Value = String> {
    (
        select(TOKENS),
        select(TOKENS),
        select(TOKENS),
        0..5_000_usize,
    )
        .prop_map(|(prefix, middle, suffix, count)| {
            prefix.repeat(count) + middle + &suffix.repeat(count)
        })
}

/// Compiles an expression as a rule and as a message expression, and validates objects with both.
fn check_duration(rule: &str) {
    let properties = json!({
        "s": {"type": "string"}, "o": {"type": "string", "nullable": true},
        "l": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
    });
    let message_rule = json!({"rule": "self.s == 'never'", "messageExpression": rule});
    for rule in [json!({"rule": rule}), message_rule] {
        let schema = json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": properties, "x-kubernetes-validations": [rule]},
        }});
        let start = Instant::now();
        let _ = StructuralSchema::compile(&schema);
        let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
            {"name": "v1", "schema": {"openAPIV3Schema": schema}},
        ]}});
        // A server continues to use a stored schema, whatever its rules cost.
        if let Ok(schema) = StructuralSchema::compiler().stored().crd(&crd, Some("v1")) {
            let object = |spec: Value| json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n"}, "spec": spec});
            let elements: Vec<String> = (0..200).map(|i| i.to_string()).collect();
            let old = object(json!({"s": "b", "l": [], "m": {}}));
            let mut new =
                object(json!({"s": "aé", "o": null, "l": elements, "m": {"a": "b", "c.d": "e"}}));
            let _ = schema.update(&mut new, &old, &ServerSettings::default());
            let _ = schema.create(&mut new, &ServerSettings::default());
        }
        assert!(
            start.elapsed() < MAX_DURATION,
            "{:?}: {rule}",
            start.elapsed()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rules_with_mistakes_take_bounded_time(rule in mutated_rules()) {
        check_duration(&rule);
    }

    #[test]
    fn random_tokens_take_bounded_time(rule in rules_of_random_tokens()) {
        check_duration(&rule);
    }

    #[test]
    fn random_bytes_take_bounded_time(rule in rules_of_random_bytes()) {
        check_duration(&rule);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn repeated_tokens_take_bounded_time(rule in rules_of_repeated_tokens()) {
        check_duration(&rule);
    }
}

/// The rules are valid before they are mutated, so that each error results from a mutation.
#[test]
fn rules_without_mistakes_compile() {
    for rule in RULES {
        let properties = json!({
            "s": {"type": "string", "maxLength": 9}, "o": {"type": "string"},
            "l": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 9}},
            "m": {"type": "object", "maxProperties": 9, "additionalProperties": {"type": "string", "maxLength": 9}},
        });
        let errors = crate::compile_errors(&properties, &json!([{"rule": rule}]));
        let is_compile_error = |line: &String| line.contains("compilation failed");
        assert!(!errors.iter().any(is_compile_error), "{errors:?}");
    }
}
