//! The conditions that a server checks in new schemas only. An update of a CRD is accepted if the
//! stored CRD does not meet such a condition either.

/// The conditions that apply in addition to the conditions that always apply.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is demanded or not")]
pub(crate) struct EnforcedRules {
    /// True if every value must have a type, and combinators must only validate.
    pub(crate) structural: bool,
    /// True if types must be known.
    pub(crate) types: bool,
    /// True if defaults must not contain unknown fields.
    pub(crate) pruned_defaults: bool,
    /// True if objects in a list of type set must be atomic.
    pub(crate) atomic_sets: bool,
    /// True if the keys of lists must be required or have a default, and if keys and elements must
    /// not be nullable.
    pub(crate) map_keys: bool,
    /// True if the cost of each rule is limited. The total cost is always limited.
    pub(crate) rule_costs: bool,
}

impl EnforcedRules {
    /// All conditions, for a new CRD.
    pub(crate) const ALL: Self = Self {
        structural: true,
        types: true,
        pruned_defaults: true,
        atomic_sets: true,
        map_keys: true,
        rule_costs: true,
    };
}
