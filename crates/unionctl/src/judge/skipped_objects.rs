//! The objects that are not checked: objects of other kinds, and objects that a CRD is probably
//! meant to describe.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::input::{ObjectSource, Position, object};
use crate::output::sarif::{SarifLevel, SarifResult};
use crate::output::table::pluralize;

/// The maximum number of groups of objects that are not checked. Further objects are one group.
const MAX_GROUPS: usize = 50;

/// The objects and files that are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SkippedObjects {
    /// The number of objects of API groups without a CRD.
    pub(crate) skipped: usize,
    pub(crate) unchecked: UncheckedObjects,
    /// The number of files that are unreadable or invalid, and of folders that were not searched.
    #[serde(rename = "not_read")]
    pub(crate) unreadable: usize,
    /// The number of parts of the cluster that could not be read.
    #[serde(rename = "not_read_from_cluster", skip_serializing_if = "is_zero")]
    pub(crate) unread_parts: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl SkippedObjects {
    /// Returns the line on parts of the cluster that could not be read.
    pub(crate) fn unread_parts_line(&self) -> Option<String> {
        let parts = pluralize(self.unread_parts, "part");
        (self.unread_parts > 0).then(|| format!("not read from the cluster: {parts}"))
    }
}

/// The reason why an object is not checked, although it has the API group or the kind of a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UncheckedReason {
    UnknownKind,
    /// The cluster does not serve the kind.
    NotServed,
    /// The CRD of the kind could not be read from the cluster.
    UnreadCrd,
    /// The kind of a CRD differs only in case.
    OtherCase(String),
    /// A list of a version that the CRD does not have. The CRD has these versions.
    UnknownVersion(Vec<String>),
    /// A stored object of another version than its schema, which a webhook converts.
    ConvertedByWebhook,
    ListWithoutItems,
    NestedList,
    /// A document has this type.
    NotAnObject(&'static str),
    /// An element of a list has this type.
    ItemNotAnObject(&'static str),
    /// `apiVersion` or `kind` is missing.
    MissingField(&'static str),
    /// The reason of all objects after the last group.
    TooManyKinds,
}

impl fmt::Display for UncheckedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKind => f.write_str("no CRD defines this kind"),
            Self::NotServed => f.write_str("the cluster does not serve this kind"),
            Self::UnreadCrd => f.write_str("the CRD could not be read from the cluster"),
            Self::OtherCase(kind) => write!(f, "write the kind as {kind}"),
            Self::UnknownVersion(versions) => {
                write!(f, "the CRD defines only {}", versions.join(", "))
            }
            Self::ConvertedByWebhook => f.write_str(
                "a webhook converts it to the version of the schema; pass the converted object",
            ),
            Self::ListWithoutItems => f.write_str("a list must have `items`"),
            Self::NestedList => f.write_str("kubectl does not read a list inside of a list"),
            Self::NotAnObject(type_name) => {
                write!(f, "a document must be an object, not {type_name}")
            }
            Self::ItemNotAnObject(type_name) => {
                write!(f, "an element of a list must be an object, not {type_name}")
            }
            Self::MissingField(field) => write!(f, "`{field}` is missing, or is not a string"),
            Self::TooManyKinds => f.write_str("no CRD defines this kind and further kinds"),
        }
    }
}

/// The objects that a CRD is probably meant to describe, in groups with the same type and reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct UncheckedObjects {
    groups: Vec<UncheckedGroup>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct UncheckedGroup {
    api_version: Option<String>,
    kind: Option<String>,
    #[serde(serialize_with = "serialize_display")]
    reason: UncheckedReason,
    /// The number of objects.
    count: usize,
    /// The file of the first object.
    file: String,
    /// The name of the first object.
    name: Option<String>,
    /// The kind and the name of the first object, for messages.
    #[serde(skip)]
    title: String,
    /// The position of the first object, if the sources are kept.
    #[serde(skip)]
    position: Option<Position>,
}

impl UncheckedObjects {
    /// Adds an object. `source` is the source of the object, if the sources are kept.
    pub(crate) fn add(
        &mut self,
        value: &Value,
        file: &str,
        source: Option<&ObjectSource>,
        reason: &UncheckedReason,
    ) {
        let field = |pointer| value.pointer(pointer).and_then(Value::as_str);
        let (mut api_version, mut kind) = (field("/apiVersion"), field("/kind"));
        let mut reason = reason;
        if self.groups.len() >= MAX_GROUPS {
            (api_version, kind) = (None, None);
            reason = &UncheckedReason::TooManyKinds;
        }
        let is_group = |group: &&mut UncheckedGroup| {
            group.api_version.as_deref() == api_version
                && group.kind.as_deref() == kind
                && group.reason == *reason
        };
        if let Some(group) = self.groups.iter_mut().find(is_group) {
            group.count += 1;
            return;
        }
        self.groups.push(UncheckedGroup {
            api_version: api_version.map(str::to_owned),
            kind: kind.map(str::to_owned),
            reason: reason.clone(),
            count: 1,
            file: file.to_owned(),
            name: field("/metadata/name").map(str::to_owned),
            title: object::display_name(value),
            position: source.and_then(|source| source.position(&FieldPath::root())),
        });
    }

    pub(crate) fn object_count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// Returns the number of objects that a webhook converts.
    pub(crate) fn converted_count(&self) -> usize {
        let reason = UncheckedReason::ConvertedByWebhook;
        let groups = self.groups.iter().filter(|group| group.reason == reason);
        groups.map(|group| group.count).sum()
    }

    /// Returns a result with this rule and level for each group, at the file of the first object.
    pub(crate) fn sarif_results(
        &self,
        rule_id: &'static str,
        level: SarifLevel,
    ) -> impl Iterator<Item = SarifResult> {
        self.groups.iter().map(move |group| SarifResult {
            rule_id: rule_id.to_owned(),
            level,
            message: group.line(),
            file: group.file.clone(),
            position: group.position,
            qualified_name: group.title.clone(),
            fingerprint: [rule_id, &group.title, &group.reason.to_string()].join("|"),
        })
    }

    /// Returns a line for each group.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.groups.iter().map(UncheckedGroup::line).collect()
    }
}

impl UncheckedGroup {
    fn line(&self) -> String {
        let Self {
            file,
            title,
            reason,
            ..
        } = self;
        let version = self.api_version.as_deref();
        let version = version.map(|version| format!(" of {version}"));
        let version = version.unwrap_or_default();
        let others = match self.count {
            1 => String::new(),
            count => format!(" (and {} like this)", pluralize(count - 1, "object")),
        };
        format!("{file}: {title}{version}: {reason}{others}")
    }
}

fn serialize_display<S: Serializer>(
    value: &impl fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
