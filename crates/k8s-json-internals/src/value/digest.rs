//! Digests of strings, and an index of list elements by their digests.
//!
//! A digest is much cheaper than a keyed hash, but an attacker can construct strings with equal
//! digests. A caller therefore must compare elements after a lookup, and an index cannot be built
//! for a list in which different elements have equal digests.

/// An odd multiplier with irregular bits: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the digest of a string.
#[inline]
#[must_use]
pub fn digest_str(string: &str) -> u64 {
    let bytes = string.as_bytes();
    let (words, rest) = bytes.as_chunks::<8>();
    let mut digest = bytes.len() as u64;
    for word in words {
        digest = mix_word(digest, u64::from_le_bytes(*word));
    }
    let last_word = match (rest.first_chunk(), rest.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => rest
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    spread_to_high_bits(mix_word(digest, last_word))
}

/// Returns the digest of a number.
#[inline]
#[must_use]
pub const fn digest_u64(bits: u64) -> u64 {
    spread_to_high_bits(mix_word(0, bits))
}

/// Adds a word to a digest. The high bits of the product are mixed into the low bits. Otherwise the
/// next rotation would not spread a difference in the high bits.
const fn mix_word(digest: u64, word: u64) -> u64 {
    let product = (digest.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    product ^ (product >> 32)
}

/// Spreads differences to the high bits, which [`HashIndex`] compares.
const fn spread_to_high_bits(digest: u64) -> u64 {
    digest.wrapping_mul(MULTIPLIER)
}

/// An index of list elements: their digests, sorted, each with the first position of its element.
#[derive(Debug)]
pub struct HashIndex {
    /// One entry for each distinct element, sorted. The high bits are the high bits of the digest,
    /// and the low bits are the first position.
    sorted_entries: Vec<u64>,
    /// A mask of the bits that contain the position.
    position_mask: u64,
}

impl HashIndex {
    /// Creates an index from pairs of a position below `end` and the digest of the element there.
    /// `are_equal` returns true if the elements at two positions are equal. Returns `None` if
    /// different elements have the same digest, which only an attacker causes in practice.
    pub fn build(
        end: usize,
        digests: impl Iterator<Item = (usize, u64)>,
        are_equal: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let position_mask = end.checked_next_power_of_two()?.wrapping_sub(1) as u64;
        let mut sorted_entries = Vec::with_capacity(end);
        sorted_entries.extend(
            digests.map(|(position, digest)| {
                digest & !position_mask | position as u64 & position_mask
            }),
        );
        sorted_entries.sort_unstable();
        let mut has_collision = false;
        sorted_entries.dedup_by(|later, first| {
            let is_equal = (*later ^ *first) & !position_mask == 0;
            has_collision |= is_equal
                && !are_equal(
                    position(*first, position_mask),
                    position(*later, position_mask),
                );
            is_equal
        });
        (!has_collision).then_some(Self {
            sorted_entries,
            position_mask,
        })
    }

    /// Returns the first position of the element with a digest. `is_match` returns true if the
    /// element at a position is the element that the caller looks up.
    #[inline]
    pub fn find(&self, digest: u64, is_match: impl Fn(usize) -> bool) -> Option<usize> {
        let digest = digest & !self.position_mask;
        let index = self.sorted_entries.partition_point(|entry| *entry < digest);
        let entry = *self.sorted_entries.get(index)?;
        let position = position(entry, self.position_mask);
        ((entry ^ digest) & !self.position_mask == 0 && is_match(position)).then_some(position)
    }

    /// Returns the number of distinct elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sorted_entries.len()
    }

    /// Returns true if there are no elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sorted_entries.is_empty()
    }
}

/// Returns the position in an entry.
fn position(entry: u64, mask: u64) -> usize {
    usize::try_from(entry & mask).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::{HashIndex, digest_str, mix_word};

    #[test]
    fn usual_strings_have_different_digests() {
        let strings = (0..100_000).flat_map(|i| {
            [
                format!("{i}"),
                format!("name-{i}"),
                format!("{i}-name"),
                format!("app.example.com/{i}/part-of"),
            ]
        });
        // A `HashIndex` of 400,000 elements compares the bits above the lowest 19.
        let digests: HashSet<u64> = strings.map(|string| digest_str(&string) >> 19).collect();
        assert_eq!(digests.len(), 400_000);
    }

    /// Returns different strings with the same digest: the second half of each string cancels the
    /// difference of the first half.
    pub(crate) fn strings_with_equal_digests() -> impl Iterator<Item = String> {
        let digest_of_half = |first: &str| {
            let word = first.as_bytes().first_chunk().expect("eight bytes");
            mix_word(16, u64::from_le_bytes(*word)).rotate_left(5)
        };
        let common_digest = digest_of_half("00000000") ^ u64::from_le_bytes(*b"00000000");
        (0..100_000_000).filter_map(move |i| {
            let first = format!("{i:08}");
            let second = (digest_of_half(&first) ^ common_digest).to_le_bytes();
            let second = str::from_utf8(&second).ok()?;
            Some(first + second)
        })
    }

    #[test]
    fn different_elements_with_one_digest_have_no_index() {
        let mut strings = strings_with_equal_digests();
        let [one, other] = [strings.next(), strings.next()].map(|next| next.expect("many strings"));
        assert_ne!(one, other);
        assert_eq!(digest_str(&one), digest_str(&other));
        let build = |list: &[&str]| {
            let digests = list.iter().map(|string| digest_str(string)).enumerate();
            HashIndex::build(list.len(), digests, |i, j| list[i] == list[j])
        };
        assert!(build(&["a", &one, &other]).is_none());
        let index = build(&["a", &one, "b", &one]).expect("different digests");
        assert_eq!(index.len(), 3);
        assert_eq!(
            index.find(digest_str(&one), |position| position == 1),
            Some(1)
        );
        assert_eq!(index.find(digest_str(&other), |_| false), None);
        assert_eq!(index.find(digest_str("c"), |_| true), None);
    }
}
