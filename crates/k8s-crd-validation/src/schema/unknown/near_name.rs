//! The search for the known field name that the author of an unknown field name probably meant.

/// The largest length of a name that is compared, in characters.
const MAX_LENGTH: usize = 64;

/// The largest length of short names. Different short names often differ in one letter, such as
/// `min` and `max`, so a wrong letter in a short name counts twice.
const MAX_SHORT_LENGTH: usize = 3;

/// Returns the name that should be suggested in place of the written name: the only name of the
/// first of these groups that has a name.
///
/// 1. Names that equal the written name, ignoring case, hyphens and underscores.
/// 2. Names that differ by at most two typing errors, or by one if the written name has at most
///    four letters. A typing error is an extra, missing or wrong letter, or two swapped letters. In
///    written names of at most three letters, a wrong letter counts as two errors.
/// 3. Names that begin with the written name and have at most twice its length.
///
/// Returns `None` if all groups are empty, or if the first group with a name has several names. The
/// work is linear in the number of names; names of more than 64 characters are ignored.
///
/// ```
/// use k8s_crd_validation::near_name;
///
/// let names = ["replicas", "selector", "minReadySeconds"];
/// assert_eq!(near_name("replcas", names), Some("replicas"));
/// assert_eq!(near_name("minreadyseconds", names), Some("minReadySeconds"));
/// assert_eq!(near_name("banana", names), None);
/// // Both names differ by one typing error.
/// assert_eq!(near_name("prots", ["port", "ports"]), None);
/// ```
pub fn near_name<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let written_name = FoldedName::new(written)?;
    let mut equal_name = UniqueName::None;
    let mut close_name = UniqueName::None;
    let mut longer_name = UniqueName::None;
    for name in names {
        let Some(known_name) = FoldedName::new(name) else {
            continue;
        };
        if written_name.letters() == known_name.letters() {
            equal_name.add(name);
        } else if written_name.is_close_to(&known_name) {
            close_name.add(name);
        } else if known_name.letters().starts_with(written_name.letters())
            && known_name.length <= 2 * written_name.length
        {
            longer_name.add(name);
        }
    }
    [equal_name, close_name, longer_name]
        .into_iter()
        .find(|group| *group != UniqueName::None)
        .and_then(UniqueName::name)
}

/// A set of names, of which only a single name matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UniqueName<'n> {
    None,
    One(&'n str),
    Several,
}

impl<'n> UniqueName<'n> {
    const fn add(&mut self, name: &'n str) {
        *self = match self {
            Self::None => Self::One(name),
            _ => Self::Several,
        };
    }

    const fn name(self) -> Option<&'n str> {
        match self {
            Self::One(name) => Some(name),
            _ => None,
        }
    }
}

/// The letters of a name in lower case, without hyphens and underscores.
struct FoldedName {
    letters: [char; MAX_LENGTH],
    length: usize,
}

impl FoldedName {
    /// Folds a name. Returns `None` if the name is too long or has no letters.
    fn new(name: &str) -> Option<Self> {
        let mut letters = [' '; MAX_LENGTH];
        let mut length = 0;
        for letter in name.chars().filter(|letter| !matches!(letter, '-' | '_')) {
            *letters.get_mut(length)? = letter.to_ascii_lowercase();
            length += 1;
        }
        (length > 0).then_some(Self { letters, length })
    }

    fn letters(&self) -> &[char] {
        self.letters.get(..self.length).unwrap_or_default()
    }

    /// Returns true if the written name `self` differs from `known_name` by few typing errors.
    fn is_close_to(&self, known_name: &Self) -> bool {
        let max_errors = if self.length > MAX_SHORT_LENGTH + 1 {
            2
        } else {
            1
        };
        let wrong_letter_cost = if self.length > MAX_SHORT_LENGTH { 1 } else { 2 };
        known_name.length > 1
            && self.length.abs_diff(known_name.length) <= max_errors
            && is_within_distance(
                max_errors,
                self.letters(),
                known_name.letters(),
                wrong_letter_cost,
            )
    }
}

/// The width of the band of the table that [`is_within_distance`] computes: two cells on each side
/// of the diagonal.
const BAND: usize = 5;

/// A distance that is larger than any allowed distance.
const FAR: usize = 2 * MAX_LENGTH;

/// Returns true if there are at most `max_errors` typing errors between two names, by the optimal
/// string alignment distance (a restricted Damerau-Levenshtein distance). `max_errors` is at most
/// 2. `wrong_letter_cost` is the cost of a wrong letter.
///
/// Cells of the table outside the band have a distance above 2, so the work for a name is linear
/// in its length.
fn is_within_distance(max_errors: usize, a: &[char], b: &[char], wrong_letter_cost: usize) -> bool {
    // Cell `k` of a row has the column `row + k - 2`, so the cell above cell `k` is cell `k + 1` of
    // the previous row.
    let mut row_before_previous = [FAR; BAND];
    let mut previous_row = [FAR, FAR, 0, 1, 2];
    let mut previous_a = None;
    for (row, &letter_a) in (1..).zip(a) {
        let mut current = [FAR; BAND];
        let mut left_cell = FAR;
        let upper_cells = previous_row.iter().skip(1).chain([&FAR]);
        let cells = current
            .iter_mut()
            .zip(&previous_row)
            .zip(upper_cells)
            .zip(&row_before_previous);
        for (k, (((cell, &diagonal_cell), &upper_cell), &cell_before_swap)) in cells.enumerate() {
            let distance = match (row + k).checked_sub(2) {
                None => FAR,
                Some(0) => row,
                Some(column) => {
                    let Some(&letter_b) = b.get(column - 1) else {
                        break;
                    };
                    let previous_b = column
                        .checked_sub(2)
                        .and_then(|last_index| b.get(last_index));
                    let is_swapped = previous_a == Some(letter_b) && previous_b == Some(&letter_a);
                    let substitution = if letter_a == letter_b {
                        0
                    } else {
                        wrong_letter_cost
                    };
                    let swap = if is_swapped {
                        cell_before_swap + 1
                    } else {
                        FAR
                    };
                    let edit = left_cell.min(upper_cell) + 1;
                    edit.min(diagonal_cell + substitution).min(swap)
                }
            };
            *cell = distance;
            left_cell = distance;
        }
        if current
            .iter()
            .chain(&previous_row)
            .all(|distance| *distance > max_errors)
        {
            return false;
        }
        row_before_previous = previous_row;
        previous_row = current;
        previous_a = Some(letter_a);
    }
    let last_index = (b.len() + 2).checked_sub(a.len());
    let distance = last_index.and_then(|last_index| previous_row.get(last_index));
    distance.is_some_and(|distance| *distance <= max_errors)
}

#[cfg(test)]
mod tests {
    use super::near_name;

    /// The names of fields, a written name, and the expected near name (`-` if none is expected).
    const NAMES: &[(&str, &str, &str)] = &[
        ("width height material", "wdith", "width"),
        ("width height material", "widht", "width"),
        ("replicas selector template", "replcas", "replicas"),
        ("replicas selector template", "Replica", "replicas"),
        ("labels annotations name namespace", "lables", "labels"),
        (
            "image imagePullPolicy",
            "imagepullpolicy",
            "imagePullPolicy",
        ),
        ("hostNetwork hostPID hostIPC", "hostPid", "hostPID"),
        ("targetPort nodePort", "target_port", "targetPort"),
        ("targetPort nodePort", "target-prot", "targetPort"),
        ("tls url cert", "tsl", "tls"),
        ("on off", "of", "off"),
        ("user users userName", "usr", "user"),
        ("spec status", "sepc", "spec"),
        ("spec status", "spxy", "-"),
        (
            "storageClassName accessModes",
            "storageClass",
            "storageClassName",
        ),
        ("timeoutSeconds periodSeconds", "timeout", "timeoutSeconds"),
        ("timeoutSeconds timeoutMinutes", "timeout", "-"),
        ("maxLength minLength", "mxnLength", "-"),
        ("port ports protocol", "prots", "-"),
        ("min max", "mix", "-"),
        ("max count", "mix", "-"),
        ("tail count", "tall", "tail"),
        ("id", "ip", "-"),
        ("x y z", "xx", "-"),
        ("a b", "c", "-"),
        ("namespace", "name", "-"),
        ("fooBar foo_bar", "foobar", "-"),
        ("width height", "banana", "-"),
        ("width height", "", "-"),
        ("width height", "--", "-"),
        ("größe", "grösse", "größe"),
    ];

    #[test]
    fn a_near_name_is_returned_only_if_it_is_unique() {
        for (names, written_name, expected) in NAMES {
            let near = near_name(written_name, names.split(' ')).unwrap_or("-");
            assert_eq!(near, *expected, "{written_name} of {names}");
        }
    }

    /// Computes the distance by the recursive definition.
    fn slow_distance(a: &[char], b: &[char]) -> usize {
        let ([a_start @ .., x], [b_start @ .., y]) = (a, b) else {
            return a.len().max(b.len());
        };
        let mut minimum = slow_distance(a_start, b).min(slow_distance(a, b_start)) + 1;
        minimum = minimum.min(slow_distance(a_start, b_start) + usize::from(x != y));
        if let ([a_start @ .., w, _], [b_start @ .., v, _]) = (a, b)
            && (w, x) == (y, v)
        {
            minimum = minimum.min(slow_distance(a_start, b_start) + 1);
        }
        minimum
    }

    #[test]
    fn distances_match_the_definition() {
        let words = [
            "", "a", "b", "ab", "ba", "abc", "acb", "cab", "abca", "bcaa", "caba", "abcab", "bacba",
        ];
        let words = words.map(|word| word.chars().collect::<Vec<_>>());
        for a in &words {
            for b in &words {
                for max_errors in 0..=2 {
                    let expected = slow_distance(a, b) <= max_errors;
                    assert_eq!(
                        super::is_within_distance(max_errors, a, b, 1),
                        expected,
                        "{a:?} {b:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_of_more_than_64_letters_are_ignored() {
        let too_long_name = "x".repeat(65);
        assert_eq!(near_name(&too_long_name, [too_long_name.as_str()]), None);
        let longest_name = "x".repeat(64);
        let written_name = format!("{}y", &longest_name[1..]);
        assert_eq!(
            near_name(&written_name, [longest_name.as_str()]),
            Some(&*longest_name)
        );
    }
}
