//! Random choices that depend only on a seed.

/// The random number generator `SplitMix64`, which is small and good enough to choose test cases.
pub struct Random(u64);

impl Random {
    /// Creates a generator with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        // On 32 bits the cast drops the upper half, and the lower half is random too.
        #[expect(clippy::cast_possible_truncation)]
        let number = self.next() as usize;
        number % end
    }

    /// Returns true with a probability of `percent` in 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns one of the items, each with a probability in proportion to its weight.
    pub fn weighted<T: Copy>(&mut self, weighted_items: &[(usize, T)]) -> T {
        let total: usize = weighted_items.iter().map(|(weight, _)| weight).sum();
        let mut remaining_weight = self.below(total);
        for &(weight, item) in weighted_items {
            if remaining_weight < weight {
                return item;
            }
            remaining_weight -= weight;
        }
        weighted_items[0].1
    }

    /// Returns some of the items in their order, each with a probability of `percent` in 100.
    pub fn subset<'a, T>(&mut self, items: &'a [T], percent: usize) -> Vec<&'a T> {
        items.iter().filter(|_| self.chance(percent)).collect()
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
