//! The message of skipped CEL rules.

/// The detail of the error that an API server reports in place of CEL rules: it does not evaluate
/// them while the object has other errors.
pub const RULES_NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid; \
                                     correct the existing errors to complete validation";
