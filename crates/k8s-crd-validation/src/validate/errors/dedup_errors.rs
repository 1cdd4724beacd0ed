//! Removal of errors with repeated messages. An API server reports each message once.

use core::fmt::{self, Write as _};
use core::hash::{BuildHasher as _, BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::collections::hash_map::RandomState;

use k8s_cel::{Feature, KubeVersion};
use union_runtime::Violation;

/// Returns the violations without repeated messages. A repeated message at another path is added to
/// `repeated`.
pub(crate) fn dedup_errors(
    violations: Vec<Violation>,
    repeated: &mut Vec<Violation>,
) -> Vec<Violation> {
    if violations.len() < 2 {
        return violations;
    }
    let state = RandomState::new();
    let mut positions: HashMap<u64, usize, BuildIdentityHasher> =
        HashMap::with_capacity_and_hasher(violations.len(), BuildIdentityHasher::default());
    let mut kept: Vec<Violation> = Vec::with_capacity(violations.len());
    'each: for violation in violations {
        // The message is hashed while it is printed, without the allocation of a string.
        let mut hash_writer = HashWriter(state.build_hasher());
        if write!(hash_writer, "{violation}").is_err() {
            kept.push(violation);
            continue;
        }
        let mut hash = hash_writer.0.finish();
        while let Some(position) = positions.get(&hash) {
            let same_hash = kept.get(*position);
            if let Some(same_message) =
                same_hash.filter(|kept| kept.to_string() == violation.to_string())
            {
                if same_message.path() != violation.path() {
                    repeated.push(violation);
                }
                continue 'each;
            }
            // Another message has this hash: try the next hash.
            hash = hash.wrapping_add(1);
        }
        positions.insert(hash, kept.len());
        kept.push(violation);
    }
    kept
}

/// Returns the errors of metadata as a server of a version reports them: each once from 1.37 on.
pub(crate) fn dedup_metadata_errors(
    errors: Vec<Violation>,
    version: KubeVersion,
) -> Vec<Violation> {
    if errors.len() > 1 && version.has(Feature::DeclarativeMetadata) {
        dedup_errors(errors, &mut Vec::new())
    } else {
        errors
    }
}

/// A writer that hashes the written bytes.
struct HashWriter<H>(H);

impl<H: Hasher> fmt::Write for HashWriter<H> {
    fn write_str(&mut self, string: &str) -> fmt::Result {
        self.0.write(string.as_bytes());
        Ok(())
    }
}

/// A hash function for hashes, which returns them unchanged.
#[derive(Default)]
pub(in crate::validate) struct IdentityHasher(u64);

pub(in crate::validate) type BuildIdentityHasher = BuildHasherDefault<IdentityHasher>;

impl Hasher for IdentityHasher {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
