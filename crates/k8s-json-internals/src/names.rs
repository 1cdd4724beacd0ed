//! Tables of fields, sorted by name, in which the keys of an object are looked up one after the other.

/// The position of a name in a table that is sorted by the names that `name_of` tells.
///
/// Keys mostly come in the order of the table, so that each is looked for where the last one was found; `next` tells that, and is 0 at
/// first. Any order of keys finds the same.
#[inline]
pub fn find_next<T>(
    table: &[T],
    name_of: impl Fn(&T) -> &str,
    name: &str,
    next: &mut usize,
) -> Option<usize> {
    // Few names are found faster one by one: their lengths tell most of them apart.
    let found = if table.len() <= 16 {
        let is = |row: &T| name_of(row) == name;
        let ahead = table.get(*next..).unwrap_or_default();
        let ahead = ahead.iter().position(is).map(|at| at + *next);
        ahead.or_else(|| table.iter().take(*next).position(is))
    } else {
        table.binary_search_by(|row| name_of(row).cmp(name)).ok()
    }?;
    *next = found + 1;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::find_next;

    /// Tables on both sides of the length at which names are searched for, and every pair of keys one after the other.
    #[test]
    fn any_order_of_keys_finds_the_same() {
        for length in [0, 1, 3, 15, 16, 17, 40] {
            let table: Vec<String> = (0..length).map(|i| format!("name{i:02}")).collect();
            let known = table.iter().map(String::as_str);
            let keys: Vec<&str> = known.chain(["", "name", "name000", "zero"]).collect();
            for first in &keys {
                for second in &keys {
                    let mut next = 0;
                    for key in [first, second, first] {
                        let found = find_next(&table, |name| name, key, &mut next);
                        assert_eq!(found, table.iter().position(|name| name == key));
                    }
                }
            }
        }
    }
}
