//! Numbers that look random and are the same every time.

pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Dice((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
        // The first rolls of neighbouring seeds are alike.
        for _ in 0..8 {
            dice.roll(2);
        }
        dice
    }

    /// Below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % sides.max(1)
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(crate) fn pick<'o>(&mut self, from: &[&'o str]) -> &'o str {
        from[self.roll(from.len())]
    }

    pub(crate) fn pick_from<'o, T>(&mut self, from: &'o [T]) -> Option<&'o T> {
        let at = self.roll(from.len());
        from.get(at)
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.roll(at + 1);
            items.swap(at, other);
        }
    }
}
