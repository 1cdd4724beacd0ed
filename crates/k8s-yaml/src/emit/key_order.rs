//! The order of keys.

use std::cmp::Ordering;
use std::collections::VecDeque;

use serde_json::{Map, Value};

/// Returns the entries of a map in go-yaml's order of keys: numbers in keys are compared by their
/// values, and letters follow other characters.
///
/// This order has cycles, such as `19`, `1a`, `2`. Go's result for such keys is random, and
/// [`slice::sort_by`] may panic, so that the entries are merged here.
pub(super) fn ordered_entries(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut keys: Vec<(&str, &Value)> = map.iter().map(|(key, value)| (&**key, value)).collect();
    // The result does not depend on the order of the map.
    keys.sort_unstable_by_key(|(key, _)| *key);
    let mut runs: VecDeque<Vec<(&str, &Value)>> = keys.into_iter().map(|key| vec![key]).collect();
    while let Some(first) = runs.pop_front() {
        match runs.pop_front() {
            Some(second) => runs.push_back(merge(first, second)),
            None => return first,
        }
    }
    Vec::new()
}

/// Merges two ordered lists of entries.
fn merge<'m>(
    first: Vec<(&'m str, &'m Value)>,
    second: Vec<(&'m str, &'m Value)>,
) -> Vec<(&'m str, &'m Value)> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some((first_key, _)), Some((second_key, _))) = (first.peek(), second.peek()) {
        let next = match compare(first_key, second_key) {
            Ordering::Greater => second.next(),
            Ordering::Less | Ordering::Equal => first.next(),
        };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    merged
}

/// Compares two keys at the first character that differs.
fn compare(first: &str, second: &str) -> Ordering {
    let characters = first.char_indices().zip(second.chars());
    let difference = characters
        .into_iter()
        .find(|((_, first), second)| first != second);
    let Some(((position, first_char), second_char)) = difference else {
        return first.len().cmp(&second.len());
    };
    match (first_char.is_alphabetic(), second_char.is_alphabetic()) {
        (true, true) => return first_char.cmp(&second_char),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (common, first_rest) = first.split_at_checked(position).unwrap_or((first, ""));
    let second_rest = second.get(position..).unwrap_or_default();
    // A zero counts as a digit of a number that began before the zero.
    let has_zero = first_char == '0' || second_char == '0';
    let is_in_number = has_zero
        && common
            .chars()
            .rev()
            .take_while(char::is_ascii_digit)
            .any(|c| c != '0');
    let (first_number, first_length) = leading_number(first_rest, is_in_number);
    let (second_number, second_length) = leading_number(second_rest, is_in_number);
    first_number
        .cmp(&second_number)
        .then(first_length.cmp(&second_length))
        .then(first_char.cmp(&second_char))
}

/// Returns the number at the start of a string, and the number of its digits. Like Go's integers,
/// the number wraps around if 64 bits cannot hold it.
fn leading_number(string: &str, is_in_number: bool) -> (i64, usize) {
    let digits = string.bytes().take_while(u8::is_ascii_digit);
    digits.fold((i64::from(is_in_number), 0), |(number, length), digit| {
        let digit = i64::from(digit - b'0');
        (number.wrapping_mul(10).wrapping_add(digit), length + 1)
    })
}
