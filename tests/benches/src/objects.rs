//! The objects of the measurements: 1024 objects of each kind, in a pseudorandom order that a
//! branch predictor cannot guess.

use crate::{Check, CheckType, HttpGet, Update};

/// The number of objects in a measurement.
pub const COUNT: usize = 1024;

/// All discriminator values.
pub const ALL_TYPES: [CheckType; 5] = [
    CheckType::Exec,
    CheckType::HttpGet,
    CheckType::Port,
    CheckType::Grpc,
    CheckType::Always,
];

/// Returns an object with the given discriminator. Bit i of `set_mask` sets member i.
#[must_use]
pub fn with_members(r#type: CheckType, set_mask: u8) -> Check {
    let is_set = |i: u8| set_mask & (1 << i) != 0;
    Check {
        r#type,
        period_seconds: 10,
        exec: is_set(0).then(|| vec!["/bin/check".to_owned()]),
        http_get: is_set(1).then(|| HttpGet {
            path: "/healthz".to_owned(),
            port: 8080,
        }),
        port: is_set(2).then_some(5432),
        grpc: is_set(3).then(|| "liveness".to_owned()),
    }
}

/// Returns a valid object. With `without_optional_member`, the optional member is unset.
fn valid(r#type: CheckType, without_optional_member: bool) -> Check {
    let set_mask = match r#type {
        CheckType::Exec => 1,
        CheckType::HttpGet => 2,
        CheckType::Port => 4,
        CheckType::Grpc if !without_optional_member => 8,
        CheckType::Grpc | CheckType::Always => 0,
    };
    with_members(r#type, set_mask)
}

/// Returns valid objects of all discriminator values in a random order.
#[must_use]
pub fn mixed() -> Vec<Check> {
    let mut random = Random::new();
    (0..COUNT).map(|_| random.valid()).collect()
}

/// Returns valid objects of one discriminator value, the best case for a branch predictor.
#[must_use]
pub fn one_type() -> Vec<Check> {
    vec![valid(CheckType::HttpGet, false); COUNT]
}

/// Returns objects with two neighbouring members set, whichever member is selected. Each object has
/// one to three violations.
#[must_use]
pub fn invalid() -> Vec<Check> {
    let mut random = Random::new();
    (0..COUNT)
        .map(|_| with_members(random.r#type(), 0b11 << random.below(3)))
        .collect()
}

/// Returns updates whose new object equals the old object.
#[must_use]
pub fn echoes() -> Vec<Update> {
    mixed()
        .into_iter()
        .map(|new| Update {
            old: new.clone(),
            new,
        })
        .collect()
}

/// Returns valid updates that change the discriminator, and the members with it.
#[must_use]
pub fn switches() -> Vec<Update> {
    let mut random = Random::new();
    (0..COUNT).map(|_| random.switch()).collect()
}

/// Returns updates of a client that does not know the old member: the old member is still set
/// beside the new member.
#[must_use]
pub fn stale() -> Vec<Update> {
    let mut random = Random::new();
    let mut updates = Vec::with_capacity(COUNT);
    while updates.len() < COUNT {
        let Update { mut new, old } = random.switch();
        if old.r#type == CheckType::Always || (old.r#type == CheckType::Grpc && old.grpc.is_none())
        {
            continue;
        }
        new.exec = new.exec.or_else(|| old.exec.clone());
        new.http_get = new.http_get.or_else(|| old.http_get.clone());
        new.port = new.port.or(old.port);
        new.grpc = new.grpc.or_else(|| old.grpc.clone());
        updates.push(Update { new, old });
    }
    updates
}

/// Returns updates of an object with a stray member. The update changes an ordinary field, so the
/// violation is tolerated.
#[must_use]
pub fn ratcheted() -> Vec<Update> {
    let mut random = Random::new();
    let types = [CheckType::Exec, CheckType::HttpGet, CheckType::Port];
    (0..COUNT)
        .map(|_| {
            let selected_index = random.below(3);
            let old = with_members(
                types[usize::from(selected_index)],
                1 << selected_index | 0b1000,
            );
            let new = Check {
                period_seconds: 20,
                ..old.clone()
            };
            Update { new, old }
        })
        .collect()
}

/// A small pseudorandom generator (xorshift32). The seed is fixed, so every run has the same
/// objects.
struct Random(u32);

impl Random {
    const fn new() -> Self {
        Self(0x9e37_79b9)
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        // The high bits of xorshift32 are more random than the low bits.
        self.0.to_be_bytes()[0] % bound
    }

    fn r#type(&mut self) -> CheckType {
        ALL_TYPES[usize::from(self.below(5))]
    }

    fn valid(&mut self) -> Check {
        let r#type = self.r#type();
        valid(r#type, self.below(2) == 0)
    }

    fn switch(&mut self) -> Update {
        let old = self.valid();
        loop {
            let new = self.valid();
            if new.r#type != old.r#type {
                return Update { new, old };
            }
        }
    }
}
