//! Members that a client dropped because it does not know them.

/// When a member comes back that a client dropped because it does not know it (KEP-1027, cases #12 and #16).
///
/// A structured client that does not know a member reads an object, loses the member, and writes the rest back, with the
/// discriminator as it was. By the text that is an error: the selected member is unset. Where the discriminator rules (the
/// 2022 model), a server can put the member back instead: the discriminator is unchanged, it selects the member, the old
/// object had it.
///
/// Structs that implement `Clone` get members back; enums and JSON objects do anyhow.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use union_runtime::{EnumType, RestoreUnaware, Settings, Union, admit};
///
/// #[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// enum TargetType {
///     S3,
///     Tape,
/// }
///
/// #[derive(Union, Serialize, Deserialize, Clone, PartialEq, Debug)]
/// struct Target {
///     #[union(discriminator)]
///     r#type: TargetType,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     s3: Option<String>,
///     #[union(member)]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     tape: Option<String>,
/// }
///
/// let old = Target { r#type: TargetType::Tape, s3: None, tape: Some("first".into()) };
/// // Written back by a client that does not know `tape`.
/// let new = Target { tape: None, ..old.clone() };
///
/// assert!(admit(&mut new.clone(), Some(&old), &Settings::default()).is_err());
///
/// let mut new = new;
/// let settings = Settings::default().restore_unaware(RestoreUnaware::Required);
/// let admitted = admit(&mut new, Some(&old), &settings).expect("it is valid again");
/// assert_eq!(admitted.changes.to_string(), "tape: restored");
/// assert_eq!(new, old);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestoreUnaware {
    /// Never: validation refuses an object without the selected member, if that is not optional.
    #[default]
    Off,
    /// Members that must be set when they are selected.
    Required,
    /// Optional members too. A client that means to unset one, and keeps the discriminator, cannot.
    All,
}
