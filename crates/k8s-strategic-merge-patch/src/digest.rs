//! Numbers that tell most texts apart, for a fraction of what a keyed hash costs. Whoever wants to finds texts that have the same
//! number: so it decides nothing alone, and what is slow where they are the same has another way.

/// An odd number without a pattern, as 2^64 divided by the golden ratio is.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of a text.
pub(super) fn of_text(text: &str) -> u64 {
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
pub(super) const fn of_bits(bits: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::of_text;

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
}
