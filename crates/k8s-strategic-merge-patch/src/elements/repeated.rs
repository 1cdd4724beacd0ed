//! The detection of keys that several elements of a list have.

use serde_json::Value;

use super::scalar::{has_same_sort_string, sort_string_digest};

/// The largest number of keys that are compared one by one.
const FEW: usize = 8;

/// The largest number of keys whose digests are compared on the stack.
const MANY: usize = 256;

/// Returns true if two keys print the same string. Rarely, the result is true for different keys,
/// which the exact comparison finds out. Up to [`MANY`] keys do not need an allocation.
pub(crate) fn may_repeat<'v>(keys: impl Iterator<Item = &'v Value> + Clone) -> bool {
    let count = keys.clone().count();
    if count <= FEW {
        let mut numbered = keys.clone().enumerate();
        return numbered.any(|(i, key)| {
            let mut before = keys.clone().take(i);
            before.any(|other| has_same_sort_string(other, key))
        });
    }
    let digests = keys.map(sort_string_digest);
    if count <= MANY {
        return repeats_on_stack(digests);
    }
    let mut digests: Vec<u64> = digests.collect();
    digests.sort_unstable();
    digests.windows(2).any(|pair| pair.first() == pair.last())
}

/// Returns true if two of at most [`MANY`] digests are equal. A separate function, so that the
/// table is not on the stack of comparisons that recurse.
#[inline(never)]
fn repeats_on_stack(digests: impl Iterator<Item = u64>) -> bool {
    // A table with open addressing, at most half full. Zero is an empty entry.
    const SIZE: usize = MANY * 2;
    let mut table = [0_u64; SIZE];
    for digest in digests {
        let digest = digest.max(1);
        let mut at = usize::try_from(digest >> (u64::BITS - SIZE.ilog2())).unwrap_or_default();
        loop {
            let Some(entry) = table.get_mut(at) else {
                return true;
            };
            if *entry == digest {
                return true;
            }
            if *entry == 0 {
                *entry = digest;
                break;
            }
            at = (at + 1) % SIZE;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::may_repeat;

    #[test]
    fn keys_of_each_number_and_kind_are_detected() {
        for count in [0, 1, 2, 8, 9, 100, 256, 257, 1_000] {
            let integers: Vec<Value> = (0..count).map(|i| json!(i - 3)).collect();
            let strings: Vec<Value> = (0..count).map(|i| json!(format!("name-{i}"))).collect();
            for keys in [integers, strings] {
                assert!(!may_repeat(keys.iter()), "{count}");
                for repeated in keys.first().into_iter().chain(keys.last()) {
                    assert!(may_repeat(keys.iter().chain([repeated])), "{count}");
                    let printed = json!(repeated.to_string().trim_matches('"'));
                    assert!(may_repeat(keys.iter().chain([&printed])), "{count}");
                }
            }
        }
    }
}
