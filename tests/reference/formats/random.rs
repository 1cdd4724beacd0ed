//! Random strings that are the same in every run with the same seed.

pub(crate) struct Random(union_random::Random);

impl Random {
    /// Creates a generator for a seed and a name, so that each name has its own random sequence.
    pub(crate) fn seeded(seed: &str, name: &str) -> Self {
        let mix = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let seed = seed.bytes().chain(name.bytes());
        Self(union_random::Random::new(
            seed.fold(0xcbf2_9ce4_8422_2325, mix),
        ))
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end.max(1))
    }

    /// Returns true with a probability of 1 in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        self.0.pick(items)
    }

    /// Returns one of the strings.
    pub(crate) fn part<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }

    /// Returns a character, in most cases from ASCII.
    pub(crate) fn char(&mut self) -> char {
        const ODD: [char; 24] = [
            'é',
            'ß',
            'ſ',
            '\u{212a}',
            'µ',
            'μ',
            '\u{130}',
            '\u{131}',
            '١',
            '٣',
            '\u{2028}',
            '\u{a0}',
            '€',
            '日',
            '本',
            '\u{1f600}',
            '\u{301}',
            'Σ',
            'ς',
            'ǅ',
            '\u{85}',
            '\u{feff}',
            '\u{fffd}',
            '∑',
        ];
        match self.below(20) {
            0 => *self.pick(&ODD),
            1 => char::from(u8::try_from(self.below(0x20)).unwrap_or(0)),
            _ => char::from(u8::try_from(0x20 + self.below(0x60)).unwrap_or(b' ')),
        }
    }

    /// Returns the string with a few changed characters.
    pub(crate) fn mutated(&mut self, text: &str, parts: &[&str]) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(chars.len() + 1);
            match self.below(6) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => chars[at] = self.char(),
                2 if at < chars.len() => chars.insert(at, chars[at]),
                3 => chars.insert(at, self.char()),
                4 if at < chars.len() => {
                    let other = self.below(chars.len());
                    chars.swap(at, other);
                }
                _ => {
                    let part = self.pick(parts);
                    chars.splice(at..at, part.chars());
                }
            }
        }
        chars.into_iter().collect()
    }
}
