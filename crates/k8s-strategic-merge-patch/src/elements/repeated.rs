//! The detection of merge keys that several elements of a list share.

use serde_json::Value;

use super::scalar::{has_same_sort_string, sort_string_digest};

/// The maximum number of keys that are all compared with each other.
const MAX_PAIRWISE: usize = 8;

/// The maximum number of keys whose digests are compared in a table on the stack.
const MAX_ON_STACK: usize = 256;

/// Returns true if two keys print the same string. The result may also be true if only the digests
/// of two keys are equal; the exact comparison that follows then finds no shared key. Up to
/// [`MAX_ON_STACK`] keys do not need an allocation.
pub(crate) fn may_have_duplicates<'v>(keys: impl Iterator<Item = &'v Value> + Clone) -> bool {
    let key_count = keys.clone().count();
    if key_count <= MAX_PAIRWISE {
        let mut indexed_keys = keys.clone().enumerate();
        return indexed_keys.any(|(i, key)| {
            let mut earlier_keys = keys.clone().take(i);
            earlier_keys.any(|earlier_key| has_same_sort_string(earlier_key, key))
        });
    }
    let digests = keys.map(sort_string_digest);
    if key_count <= MAX_ON_STACK {
        return has_duplicates_on_stack(digests);
    }
    let mut digests: Vec<u64> = digests.collect();
    digests.sort_unstable();
    digests.windows(2).any(|pair| pair.first() == pair.last())
}

/// Returns true if two of at most [`MAX_ON_STACK`] digests are equal. This is a separate function,
/// so that the table is not on the stack of recursive comparisons.
#[inline(never)]
fn has_duplicates_on_stack(digests: impl Iterator<Item = u64>) -> bool {
    // A table with open addressing, at most half full. Zero is an empty entry.
    const SIZE: usize = MAX_ON_STACK * 2;
    let mut table = [0_u64; SIZE];
    for digest in digests {
        let digest = digest.max(1);
        let mut slot = usize::try_from(digest >> (u64::BITS - SIZE.ilog2())).unwrap_or_default();
        loop {
            let Some(entry) = table.get_mut(slot) else {
                return true;
            };
            if *entry == digest {
                return true;
            }
            if *entry == 0 {
                *entry = digest;
                break;
            }
            slot = (slot + 1) % SIZE;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::may_have_duplicates;

    #[test]
    fn duplicate_keys_are_detected_in_lists_of_each_length_and_type() {
        for count in [0, 1, 2, 8, 9, 100, 256, 257, 1_000] {
            let integers: Vec<Value> = (0..count).map(|i| json!(i - 3)).collect();
            let strings: Vec<Value> = (0..count).map(|i| json!(format!("name-{i}"))).collect();
            for keys in [integers, strings] {
                assert!(!may_have_duplicates(keys.iter()), "{count}");
                for duplicate in keys.first().into_iter().chain(keys.last()) {
                    assert!(
                        may_have_duplicates(keys.iter().chain([duplicate])),
                        "{count}"
                    );
                    let printed = json!(duplicate.to_string().trim_matches('"'));
                    assert!(
                        may_have_duplicates(keys.iter().chain([&printed])),
                        "{count}"
                    );
                }
            }
        }
    }
}
