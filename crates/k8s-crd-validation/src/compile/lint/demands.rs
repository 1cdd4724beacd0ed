//! What a server demands of a schema. A CRD that is stored may have what was not refused once: an update that keeps it goes
//! on.

/// What is demanded beside the rest, which always is.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is demanded or not")]
pub(crate) struct Demands {
    /// Every value has a type, and combinators only judge.
    pub(crate) structural: bool,
    /// Types are among those that there are.
    pub(crate) types: bool,
    /// Defaults have no unknown fields.
    pub(crate) pruned_defaults: bool,
    /// Objects in a list of type set are atomic.
    pub(crate) atomic_sets: bool,
    /// Keys of lists are required or have a default, and are not null; nor are elements.
    pub(crate) map_keys: bool,
    /// Each rule stays below a cost; that all together do so is always demanded.
    pub(crate) rule_costs: bool,
}

impl Demands {
    /// All of them, as of a new CRD.
    pub(crate) const ALL: Self = Self {
        structural: true,
        types: true,
        pruned_defaults: true,
        atomic_sets: true,
        map_keys: true,
        rule_costs: true,
    };
}
