//! The search for the known field name that an unknown field name was probably meant to be.

/// The largest length of names that are compared, in characters.
const MAX_LENGTH: usize = 64;

/// The largest length of short names. Different short names often differ in one letter, such as
/// `min` and `max`, so a wrong letter in a short name counts twice.
const SHORT: usize = 3;

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
    let written = FoldedName::new(written)?;
    let (mut equal, mut close, mut longer) = (UniqueName::None, UniqueName::None, UniqueName::None);
    for name in names {
        let Some(other) = FoldedName::new(name) else {
            continue;
        };
        if written.letters() == other.letters() {
            equal.add(name);
        } else if written.is_close_to(&other) {
            close.add(name);
        } else if other.letters().starts_with(written.letters())
            && other.length <= 2 * written.length
        {
            longer.add(name);
        }
    }
    [equal, close, longer]
        .into_iter()
        .find(|found| *found != UniqueName::None)
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

    /// Returns true if the written name `self` differs from `other` by few typing errors.
    fn is_close_to(&self, other: &Self) -> bool {
        let allowed = if self.length > SHORT + 1 { 2 } else { 1 };
        let wrong_letter = if self.length > SHORT { 1 } else { 2 };
        other.length > 1
            && self.length.abs_diff(other.length) <= allowed
            && is_within(allowed, self.letters(), other.letters(), wrong_letter)
    }
}

/// The width of the band of the table that [`is_within`] computes: two cells on each side of the
/// diagonal.
const BAND: usize = 5;

/// A distance that is too large.
const FAR: usize = 2 * MAX_LENGTH;

/// Returns true if there are at most `allowed` typing errors between two names, by the optimal
/// string alignment distance (a restricted Damerau-Levenshtein distance). `allowed` is at most 2.
/// `wrong_letter` is the cost of a wrong letter.
///
/// Cells of the table outside the band have a distance above 2, so the work for a name is linear
/// in its length.
fn is_within(allowed: usize, a: &[char], b: &[char], wrong_letter: usize) -> bool {
    // Cell `k` of a row has the column `row + k - 2`, so the cell above a cell is in front of it.
    let mut two_rows_above = [FAR; BAND];
    let mut above = [FAR, FAR, 0, 1, 2];
    let mut last_a = None;
    for (row, &letter) in (1..).zip(a) {
        let mut current = [FAR; BAND];
        let mut left = FAR;
        let ups = above.iter().skip(1).chain([&FAR]);
        let cells = current.iter_mut().zip(&above).zip(ups).zip(&two_rows_above);
        for (k, (((cell, &diagonal), &up), &before_swap)) in cells.enumerate() {
            let distance = match (row + k).checked_sub(2) {
                None => FAR,
                Some(0) => row,
                Some(column) => {
                    let Some(&other) = b.get(column - 1) else {
                        break;
                    };
                    let last_b = column.checked_sub(2).and_then(|last| b.get(last));
                    let is_swapped = last_a == Some(other) && last_b == Some(&letter);
                    let substitution = if letter == other { 0 } else { wrong_letter };
                    let swap = if is_swapped { before_swap + 1 } else { FAR };
                    let edit = left.min(up) + 1;
                    edit.min(diagonal + substitution).min(swap)
                }
            };
            *cell = distance;
            left = distance;
        }
        if current
            .iter()
            .chain(&above)
            .all(|distance| *distance > allowed)
        {
            return false;
        }
        two_rows_above = above;
        above = current;
        last_a = Some(letter);
    }
    let last = (b.len() + 2).checked_sub(a.len());
    let distance = last.and_then(|last| above.get(last));
    distance.is_some_and(|distance| *distance <= allowed)
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
    fn the_only_near_name_is_offered() {
        for (names, written, expected) in NAMES {
            let near = near_name(written, names.split(' ')).unwrap_or("-");
            assert_eq!(near, *expected, "{written} of {names}");
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
                for allowed in 0..=2 {
                    let expected = slow_distance(a, b) <= allowed;
                    assert_eq!(super::is_within(allowed, a, b, 1), expected, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn long_names_are_ignored() {
        let long = "x".repeat(65);
        assert_eq!(near_name(&long, [long.as_str()]), None);
        let longest = "x".repeat(64);
        let written = format!("{}y", &longest[1..]);
        assert_eq!(near_name(&written, [longest.as_str()]), Some(&*longest));
    }
}
