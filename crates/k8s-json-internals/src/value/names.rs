//! Lookups in tables of fields that are sorted by name.

/// Returns the position of `name` in a table that is sorted by `name_of`.
///
/// Names are usually looked up in the order of the table, so each lookup begins after the previous
/// result. `next` is the position after the previous result, and initially 0; the function updates
/// it. The result does not depend on `next`.
// The function is inlined into the loop of each caller. A call for each field would cost as much as
// the comparisons.
#[expect(
    clippy::inline_always,
    reason = "otherwise rustc calls the function in some places"
)]
#[inline(always)]
pub fn find_sorted<T>(
    table: &[T],
    name_of: impl Fn(&T) -> &str,
    name: &str,
    next: &mut usize,
) -> Option<usize> {
    let has_name = |row: &T| is_same_name(name_of(row), name);
    let position = match table.get(*next..).unwrap_or_default() {
        [row, ..] if has_name(row) => *next,
        // Usually at most one field of the table is absent between two fields of an object.
        [_, row, ..] if has_name(row) => *next + 1,
        _ if table.is_empty() => return None,
        _ => find(table, name_of, name, *next)?,
    };
    *next = position + 1;
    Some(position)
}

// Never inlined, so that the fast path of the callers stays small.
#[inline(never)]
fn find<T>(table: &[T], name_of: impl Fn(&T) -> &str, name: &str, next: usize) -> Option<usize> {
    // In a short table a linear search is faster: most names differ in length.
    if table.len() > 16 {
        return table.binary_search_by(|row| name_of(row).cmp(name)).ok();
    }
    // The caller has compared two rows.
    let start = next + 2;
    let has_name = |row: &T| is_same_name(name_of(row), name);
    let rest = table.get(start..).unwrap_or_default();
    let position = rest.iter().position(has_name);
    let position = position.map(|index| index + start);
    position.or_else(|| table.iter().take(next).position(has_name))
}

/// Returns true if two names are equal. Most names are short, and comparing them inline is faster
/// than a call.
#[inline]
#[must_use]
pub fn is_same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match a.len() {
        length if length != b.len() => false,
        4..=8 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        9..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::{find_sorted, is_same_name};

    /// Tables around the length above which a binary search is used, with each pair of names looked
    /// up one after the other.
    #[test]
    fn lookups_in_any_order_have_the_same_results() {
        for length in [0, 1, 3, 15, 16, 17, 40] {
            let table: Vec<String> = (0..length).map(|i| format!("name{i:02}")).collect();
            let known = table.iter().map(String::as_str);
            let keys: Vec<&str> = known.chain(["", "name", "name000", "zero"]).collect();
            for first in &keys {
                for second in &keys {
                    let mut next = 0;
                    for key in [first, second, first] {
                        let found = find_sorted(&table, |name| name, key, &mut next);
                        assert_eq!(found, table.iter().position(|name| name == key));
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_equal_if_all_letters_are_equal() {
        for length in 0..40 {
            let name = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn".get(..length);
            let name = name.expect("letters").to_owned();
            assert!(is_same_name(&name, &name.clone()));
            assert!(!is_same_name(&name, &format!("{name}x")));
            for i in 0..length {
                let mut other = name.clone();
                other.replace_range(i..=i, "A");
                assert!(!is_same_name(&name, &other), "{name} and {other}");
            }
        }
    }
}
