//! Objects that nearly prove a difference: both versions reject them, and only one because of the
//! difference.

use serde_json::Value;

use crate::judge::cause_score::Side;

/// The maximum number of objects for each version that a repair may make acceptable.
const OBJECTS_PER_SIDE: usize = 2;

/// An object that nearly proves a difference.
#[derive(Debug)]
pub(crate) struct NearProof {
    pub(crate) object: Value,
    /// The number of errors of the version that rejects the object for other reasons than the
    /// difference, and the length of the object as JSON.
    rank: (usize, usize),
}

/// The objects that nearly prove a difference.
#[derive(Debug, Default)]
pub(crate) struct NearProofs {
    /// The objects that the old version rejects for other reasons, those with few errors first.
    old: Vec<NearProof>,
    /// The objects that the new version rejects for other reasons.
    new: Vec<NearProof>,
}

impl NearProofs {
    /// Adds an object that a version rejects for other reasons than the difference, unless enough
    /// objects with fewer errors are known.
    pub(crate) fn add(&mut self, side: Side, object: &Value, error_count: usize) {
        let rank = (error_count, object.to_string().len());
        let list = match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        };
        let index = list.partition_point(|known| known.rank <= rank);
        if index < OBJECTS_PER_SIDE {
            let object = object.clone();
            list.insert(index, NearProof { object, rank });
            list.truncate(OBJECTS_PER_SIDE);
        }
    }

    /// Removes and returns the objects that a version rejects for other reasons.
    pub(crate) fn take(&mut self, side: Side) -> Vec<NearProof> {
        std::mem::take(match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        })
    }
}
