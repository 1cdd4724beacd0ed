//! Numbers that tell most texts apart, for a fraction of what a keyed hash costs, and lists of things that are found by them. Whoever
//! wants to finds texts that have the same number: so a number decides nothing alone, and a list in which two things have one is
//! not searched by numbers.

/// An odd number without a pattern, as 2^64 divided by the golden ratio is.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of a text.
#[inline]
#[must_use]
pub fn of_text(text: &str) -> u64 {
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

/// The number of a number.
#[inline]
#[must_use]
pub const fn of_bits(bits: u64) -> u64 {
    spread(add(0, bits))
}

/// What is high in a product comes down again, or else the next word would meet it where it is.
const fn add(digest: u64, word: u64) -> u64 {
    let product = (digest.rotate_left(5) ^ word).wrapping_mul(SPREAD);
    product ^ (product >> 32)
}

/// Brings what differs to the high bits.
const fn spread(digest: u64) -> u64 {
    digest.wrapping_mul(SPREAD)
}

/// Where each of several things comes first in a list: a sorted list of their numbers.
#[derive(Debug)]
pub struct Digests {
    /// The high bits of the numbers, with places in the low ones, in order; of each thing its first place.
    sorted: Vec<u64>,
    /// The bits that hold places.
    mask: u64,
}

impl Digests {
    /// Of things at these places, which go up to `end`, with these numbers; `are_same` tells whether two places have the same thing.
    /// `None` where things that are not the same have one number, which only happens to those who want it.
    pub fn of(
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

    /// The first place of a thing with this number; `is_it` tells whether it stands at a place.
    #[inline]
    pub fn find(&self, number: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let number = number & !self.mask;
        let at = self.sorted.partition_point(|entry| *entry < number);
        let entry = *self.sorted.get(at)?;
        let place = place(entry, self.mask);
        ((entry ^ number) & !self.mask == 0 && is_it(place)).then_some(place)
    }

    /// How many different things there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }
}

/// The place in an entry.
fn place(entry: u64, mask: u64) -> usize {
    usize::try_from(entry & mask).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashSet;

    use super::{Digests, add, of_text};

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
        // As many bits as are left where the places of all of them stand in the others.
        let numbers: HashSet<u64> = texts.map(|text| of_text(&text) >> 19).collect();
        assert_eq!(numbers.len(), 400_000);
    }

    /// Texts that somebody wrote to have one number: the second half of each makes up for the first.
    pub(crate) fn texts_of_one_number() -> impl Iterator<Item = String> {
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
        let mut texts = texts_of_one_number();
        let [one, other] = [texts.next(), texts.next()].map(|text| text.expect("there are many"));
        assert_ne!(one, other);
        assert_eq!(of_text(&one), of_text(&other));
        let digests = |texts: &[&str]| {
            let numbers = texts.iter().map(|text| of_text(text)).enumerate();
            Digests::of(texts.len(), numbers, |i, j| texts[i] == texts[j])
        };
        assert!(digests(&["a", &one, &other]).is_none());
        let found = digests(&["a", &one, "b", &one]).expect("they are told apart");
        assert_eq!(found.len(), 3);
        assert_eq!(found.find(of_text(&one), |place| place == 1), Some(1));
        assert_eq!(found.find(of_text(&other), |_| false), None);
        assert_eq!(found.find(of_text("c"), |_| true), None);
    }
}
