//! Random choices that a seed repeats.

/// `SplitMix64`: small, and good enough to choose cases.
pub struct Random(u64);

impl Random {
    /// The choices of a seed.
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

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        // What is lost on 32 bits is random too.
        #[expect(clippy::cast_possible_truncation)]
        let number = self.next() as usize;
        number % end
    }

    /// True in so many cases of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// One of these, as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, from: &[(usize, T)]) -> T {
        let total: usize = from.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for &(weight, item) in from {
            if at < weight {
                return item;
            }
            at -= weight;
        }
        from[0].1
    }

    /// Some of these, in their order.
    pub fn some<'a, T>(&mut self, from: &'a [T], percent: usize) -> Vec<&'a T> {
        from.iter().filter(|_| self.chance(percent)).collect()
    }

    /// Puts them in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
