//! What is measured on: 1024 objects of each kind, in an order that no branch predictor knows beforehand.

use crate::{Check, CheckType, HttpGet, Update};

/// How many objects a measurement walks.
pub const COUNT: usize = 1024;

/// All discriminator values.
pub const ALL_TYPES: [CheckType; 5] = [
    CheckType::Exec,
    CheckType::HttpGet,
    CheckType::Port,
    CheckType::Grpc,
    CheckType::Always,
];

/// An object with this discriminator; bit i of `set` is member i.
#[must_use]
pub fn with_members(r#type: CheckType, set: u8) -> Check {
    let is_set = |i: u8| set & (1 << i) != 0;
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

/// A valid object; `bare` leaves the optional member away.
fn valid(r#type: CheckType, bare: bool) -> Check {
    let set = match r#type {
        CheckType::Exec => 1,
        CheckType::HttpGet => 2,
        CheckType::Port => 4,
        CheckType::Grpc if !bare => 8,
        CheckType::Grpc | CheckType::Always => 0,
    };
    with_members(r#type, set)
}

/// Valid objects of all values, mixed.
#[must_use]
pub fn mixed() -> Vec<Check> {
    let mut random = Random::new();
    (0..COUNT).map(|_| random.valid()).collect()
}

/// Valid objects of one value: what a branch predictor likes best.
#[must_use]
pub fn one_type() -> Vec<Check> {
    vec![valid(CheckType::HttpGet, false); COUNT]
}

/// Objects with two neighbouring members set, whatever is selected: one to three violations.
#[must_use]
pub fn invalid() -> Vec<Check> {
    let mut random = Random::new();
    (0..COUNT)
        .map(|_| with_members(random.r#type(), 0b11 << random.below(3)))
        .collect()
}

/// Updates that change nothing.
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

/// Updates that change the discriminator and the members as they should.
#[must_use]
pub fn switches() -> Vec<Update> {
    let mut random = Random::new();
    (0..COUNT).map(|_| random.switch()).collect()
}

/// Updates of a client that does not know the member which was set: it is still there beside the new one.
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

/// Updates that leave a stray member as it was.
#[must_use]
pub fn ratcheted() -> Vec<Update> {
    let mut random = Random::new();
    let types = [CheckType::Exec, CheckType::HttpGet, CheckType::Port];
    (0..COUNT)
        .map(|_| {
            let own = random.below(3);
            let old = with_members(types[usize::from(own)], 1 << own | 0b1000);
            let new = Check {
                period_seconds: 20,
                ..old.clone()
            };
            Update { new, old }
        })
        .collect()
}

/// A small generator with a fixed seed (xorshift32): the same objects in every run.
struct Random(u32);

impl Random {
    const fn new() -> Self {
        Self(0x9e37_79b9)
    }

    fn below(&mut self, bound: u8) -> u8 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        // The high bits are the better ones.
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
