//! Suggestions for misspelled names of attributes.

/// Returns the name that was most likely meant by a misspelled name. Returns `None` if no name is
/// near: more than a third of the letters would have to change.
pub(crate) fn near_name<'n>(
    misspelled: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let misspelled = misspelled.to_lowercase();
    let names = names.into_iter().map(|name| {
        let limit = misspelled.chars().count().max(name.len()) / 3;
        (edit_distance(&misspelled, name), limit, name)
    });
    let near_names = names.filter(|(distance, limit, _)| distance <= limit);
    let nearest = near_names.min_by_key(|(distance, ..)| *distance);
    nearest.map(|(.., name)| name)
}

/// Returns the number of edits by which the strings differ. An edit inserts, removes or replaces a
/// letter, or swaps two neighbors (the optimal string alignment distance).
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    // The distances of the last two prefixes of `left` to each prefix of `right`.
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut last_char = None;
    for (row, left_char) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        let mut last_right_char = None;
        for (column, right_char) in right.iter().enumerate() {
            let distance = |row: &[usize], column: usize| row.get(column).copied();
            let replaced =
                distance(&last, column).map(|cost| cost + usize::from(left_char != *right_char));
            let removed = distance(&last, column + 1).map(|cost| cost + 1);
            let inserted = distance(&current, column).map(|cost| cost + 1);
            let is_swap = last_char == Some(*right_char) && last_right_char == Some(left_char);
            let swapped = distance(&before_last, column.wrapping_sub(1)).filter(|_| is_swap);
            let swapped = swapped.map(|cost| cost + 1);
            let costs = [replaced, removed, inserted, swapped];
            current.extend(costs.into_iter().flatten().min());
            last_right_char = Some(*right_char);
        }
        before_last = std::mem::replace(&mut last, current);
        last_char = Some(left_char);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, near_name};

    #[test]
    fn the_distance_counts_insertions_removals_replacements_and_swaps() {
        let cases = [
            ("", "", 0),
            ("", "key", 3),
            ("key", "", 3),
            ("member", "member", 0),
            ("memeber", "member", 1),
            ("membr", "member", 1),
            ("mamber", "member", 1),
            ("membre", "member", 1),
            ("optinal", "optional", 1),
            ("discriminant", "discriminator", 3),
            ("größe", "grosse", 3),
        ];
        for (left, right, distance) in cases {
            assert_eq!(edit_distance(left, right), distance, "{left}, {right}");
            assert_eq!(edit_distance(right, left), distance, "{right}, {left}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let names = ["member", "not_member", "key", "discriminator"];
        for (misspelled, name) in [
            ("mebmer", Some("member")),
            ("notMember", Some("not_member")),
            ("keys", Some("key")),
            ("descriminator", Some("discriminator")),
            ("Discriminant", Some("discriminator")),
            ("flatten", None),
            ("k", None),
            ("", None),
        ] {
            assert_eq!(near_name(misspelled, names), name, "{misspelled}");
        }
    }
}
