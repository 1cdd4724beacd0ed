//! CEL expressions.

use crate::source::Source;

const NAMES: [&str; 12] = [
    "self",
    "oldSelf",
    "self.a",
    "self.b",
    "self.type",
    "self.items",
    "self.x__dash__y",
    "x",
    "oldSelf.a",
    "has(self.a)",
    "self.metadata.name",
    "self.nope",
];
const LITERALS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "1u",
    "1.5",
    "true",
    "false",
    "null",
    "''",
    "'a'",
    "b'a'",
    "[]",
    "{}",
    "9223372036854775807",
    "[1, 2]",
    "{'a': 1}",
];
const OPERATORS: [&str; 14] = [
    "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in",
];
const CALLS: [&str; 22] = [
    "size(@)",
    "int(@)",
    "string(@)",
    "double(@)",
    "duration(@)",
    "timestamp(@)",
    "quantity(@)",
    "url(@)",
    "ip(@)",
    "cidr(@)",
    "type(@)",
    "dyn(@)",
    "optional.of(@)",
    "semver(@)",
    "@.size()",
    "@.startsWith('a')",
    "@.matches('a+')",
    "@.find('[0-9]+')",
    "@.split(',')",
    "@.isSorted()",
    "@.orValue(1)",
    "@.replace('a', 'b')",
];
const MACROS: [&str; 7] = [
    "@.all(x, #)",
    "@.exists(x, #)",
    "@.exists_one(x, #)",
    "@.map(x, #)",
    "@.filter(x, #)",
    "@.all(i, x, #)",
    "cel.bind(x, @, #)",
];

/// The maximum length of an expression. A call repeats its operand up to three times, at each
/// level.
const MAX_LENGTH: usize = 1_000;

/// Returns an expression of any type, or in some cases arbitrary text.
pub fn rule(source: &mut Source<'_>) -> String {
    if source.chance(16) {
        return source.remaining_text().chars().take(200).collect();
    }
    let expression = source
        .nested(expression)
        .filter(|rule| rule.len() < MAX_LENGTH);
    expression.unwrap_or_else(|| "true".to_owned())
}

fn expression(source: &mut Source<'_>) -> String {
    match source.below(12) {
        0 | 1 => source.word(&NAMES).to_owned(),
        2 => source.text(&LITERALS),
        3..=5 => {
            let operator = source.word(&OPERATORS);
            format!("{} {operator} {}", rule(source), rule(source))
        }
        6 | 7 => {
            let call = source.word(&CALLS);
            call.replace('@', &rule(source))
        }
        8 => {
            let macro_call = source.word(&MACROS);
            let range = rule(source);
            macro_call.replace('@', &range).replace('#', &rule(source))
        }
        9 => format!("{} ? {} : {}", rule(source), rule(source), rule(source)),
        10 => format!("({})[{}]", rule(source), rule(source)),
        _ => format!("{}.?{}", rule(source), source.pick(&["a", "b", "type"])),
    }
}
