//! Digests of strings, which differ for most strings at a fraction of the cost of a keyed hash, and
//! lists of elements that are found by their digests.
//!
//! An attacker can construct strings with the same digest. A digest therefore never decides alone,
//! and a list in which two elements share a digest is not searched by digests.

/// An odd number without a pattern: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the digest of a string.
#[inline]
#[must_use]
pub fn digest_str(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (words, rest) = bytes.as_chunks::<8>();
    let mut digest = bytes.len() as u64;
    for word in words {
        digest = add(digest, u64::from_le_bytes(*word));
    }
    let rest = match (rest.first_chunk(), rest.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => rest
            .iter()
            .fold(0, |rest, byte| rest << 8 | u64::from(*byte)),
    };
    spread(add(digest, rest))
}

/// Returns the digest of a number.
#[inline]
#[must_use]
pub const fn digest_u64(bits: u64) -> u64 {
    spread(add(0, bits))
}

/// Adds a word to a digest. The high bits of the product are mixed into the low bits, or else a
/// difference in the high bits would still be there when the next word is added.
const fn add(digest: u64, word: u64) -> u64 {
    let product = (digest.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    product ^ (product >> 32)
}

/// Moves differences to the high bits.
const fn spread(digest: u64) -> u64 {
    digest.wrapping_mul(SPREAD)
}

/// The first position of each of several elements in a list, as a sorted list of their digests.
#[derive(Debug)]
pub struct HashIndex {
    /// The high bits of the digests, with positions in the low bits, sorted; only the first
    /// position of each element.
    sorted: Vec<u64>,
    /// The bits that contain positions.
    mask: u64,
}

impl HashIndex {
    /// Creates the list of elements from pairs of a position below `end` and a digest; `are_same`
    /// returns true if two positions have the same element. Returns `None` if different elements
    /// have the same digest, which in practice only an attacker causes.
    pub fn build(
        end: usize,
        numbers: impl Iterator<Item = (usize, u64)>,
        are_same: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let mask = end.checked_next_power_of_two()?.wrapping_sub(1) as u64;
        let mut sorted = Vec::with_capacity(end);
        sorted.extend(numbers.map(|(place, number)| number & !mask | place as u64 & mask));
        sorted.sort_unstable();
        let mut collide = false;
        sorted.dedup_by(|later, first| {
            let is_again = (*later ^ *first) & !mask == 0;
            collide |= is_again && !are_same(place(*first, mask), place(*later, mask));
            is_again
        });
        (!collide).then_some(Self { sorted, mask })
    }

    /// Returns the first position of an element with this digest; `is_it` returns true if a
    /// position has the element.
    #[inline]
    pub fn find(&self, number: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let number = number & !self.mask;
        let at = self.sorted.partition_point(|entry| *entry < number);
        let entry = *self.sorted.get(at)?;
        let place = place(entry, self.mask);
        ((entry ^ number) & !self.mask == 0 && is_it(place)).then_some(place)
    }

    /// Returns the number of different elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Returns true if the list is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }
}

/// Returns the position in an entry.
fn place(entry: u64, mask: u64) -> usize {
    usize::try_from(entry & mask).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::{HashIndex, add, digest_str};

    #[test]
    fn texts_that_people_write_have_numbers_of_their_own() {
        let texts = (0..100_000).flat_map(|i| {
            [
                format!("{i}"),
                format!("name-{i}"),
                format!("{i}-name"),
                format!("app.example.com/{i}/part-of"),
            ]
        });
        // As many bits as remain beside the bits of the positions.
        let numbers: HashSet<u64> = texts.map(|text| digest_str(&text) >> 19).collect();
        assert_eq!(numbers.len(), 400_000);
    }

    /// Strings that were constructed to have the same digest: the second half of each cancels the
    /// difference of the first.
    pub(crate) fn strings_with_equal_digests() -> impl Iterator<Item = String> {
        let of_first = |first: &str| {
            let word = first.as_bytes().first_chunk().expect("eight bytes");
            add(16, u64::from_le_bytes(*word)).rotate_left(5)
        };
        let wanted = of_first("00000000") ^ u64::from_le_bytes(*b"00000000");
        (0..100_000_000).filter_map(move |i| {
            let first = format!("{i:08}");
            let second = (of_first(&first) ^ wanted).to_le_bytes();
            let second = str::from_utf8(&second).ok()?;
            Some(first + second)
        })
    }

    #[test]
    fn what_has_one_number_is_not_searched_by_it() {
        let mut texts = strings_with_equal_digests();
        let [one, other] = [texts.next(), texts.next()].map(|text| text.expect("there are many"));
        assert_ne!(one, other);
        assert_eq!(digest_str(&one), digest_str(&other));
        let digests = |texts: &[&str]| {
            let numbers = texts.iter().map(|text| digest_str(text)).enumerate();
            HashIndex::build(texts.len(), numbers, |i, j| texts[i] == texts[j])
        };
        assert!(digests(&["a", &one, &other]).is_none());
        let found = digests(&["a", &one, "b", &one]).expect("they are told apart");
        assert_eq!(found.len(), 3);
        assert_eq!(found.find(digest_str(&one), |place| place == 1), Some(1));
        assert_eq!(found.find(digest_str(&other), |_| false), None);
        assert_eq!(found.find(digest_str("c"), |_| true), None);
    }
}
