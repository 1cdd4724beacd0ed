//! The differences between the server and the table that have a reason.

/// The side that refuses a union.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Server,
    Ours,
}

/// A difference: the end of the type's name or `*`, the side that refuses, a part of the server's
/// error, and the reason. If the server accepts the union, the error is about a field beside it.
type Difference = (&'static str, Side, &'static str, &'static str);

const VALUE: &str = "the value of the member is invalid";
const EMPTY: &str = "the value of the member is empty";
const NEEDS: &str = "the member needs another field, or excludes a value of another field";
const NESTED: &str = "the server reports the union of a nested object at a field around it";
const NO_PROBES: &str = "the container cannot have probes";
const INTERNAL_FIELD: &str =
    "the server's error has another path: downwarAPI, webhookClientConfig, a device without basic";

const DIFFERENCES: &[Difference] = &[
    ("*", Side::Server, "RFC 1123", VALUE),
    ("*", Side::Server, "must be either unset or set to", VALUE),
    ("*", Side::Server, "must not be empty", EMPTY),
    ("*", Side::Server, "must not be an empty string", EMPTY),
    ("*", Side::Server, "must specify non empty", EMPTY),
    ("v1beta1.BasicDevice", Side::Ours, "", INTERNAL_FIELD),
    ("AppArmorProfile", Side::Server, "must be set", EMPTY),
    (
        "ClusterTrustBundleProjection",
        Side::Server,
        "Required value",
        EMPTY,
    ),
    (
        "ClusterTrustBundleProjection",
        Side::Server,
        "must be a valid",
        EMPTY,
    ),
    (
        "ClusterTrustBundleProjection",
        Side::Server,
        "must be a fully qualified",
        VALUE,
    ),
    ("WebhookClientConfig", Side::Server, "https://host", VALUE),
    (
        "PodCertificateRequestSpec",
        Side::Server,
        "must be a valid PK",
        VALUE,
    ),
    ("DeviceAttribute", Side::Server, "semver", VALUE),
    ("DeviceAttribute", Side::Server, "`int`, `bool`", EMPTY),
    ("WorkloadSpec", Side::Server, "`podGroupTemplates`", EMPTY),
    ("WorkloadSpec", Side::Ours, "", EMPTY),
    ("NodeAllocatableMapping", Side::Server, "\"a\"", VALUE),
    ("Volume", Side::Server, "conflicting duplicate paths", VALUE),
    (
        "Volume",
        Side::Server,
        "fieldRef and resourceFieldRef can not",
        NESTED,
    ),
    (
        "Volume",
        Side::Server,
        "one of fieldRef and resourceFieldRef",
        NESTED,
    ),
    (
        "VolumeProjection",
        Side::Server,
        "fieldRef and resourceFieldRef can not",
        NESTED,
    ),
    (
        "VolumeProjection",
        Side::Server,
        "one of fieldRef and resourceFieldRef",
        NESTED,
    ),
    (
        "IngressBackend",
        Side::Server,
        "cannot set both port name",
        NESTED,
    ),
    (
        "IngressBackend",
        Side::Server,
        "port name or number",
        NESTED,
    ),
    (
        "VolumeProjection",
        Side::Server,
        "serviceAccountName is not set",
        NEEDS,
    ),
    (
        "VolumeProjection",
        Side::Server,
        "credentialBundlePath",
        NEEDS,
    ),
    (
        "CapacityRequestPolicy",
        Side::Server,
        "allowMultipleAllocations must be true",
        NEEDS,
    ),
    ("Device", Side::Server, "perDeviceNodeSelection", NEEDS),
    (
        "WorkloadPodGroupDisruptionMode",
        Side::Server,
        "Basic scheduling policy",
        NEEDS,
    ),
    (
        "Probe",
        Side::Server,
        "cannot be set for an Ephemeral Container",
        NO_PROBES,
    ),
    (
        "Probe",
        Side::Server,
        "may not be set for init containers",
        NO_PROBES,
    ),
    (
        "MetricTarget",
        Side::Server,
        "must be greater than 0",
        VALUE,
    ),
    (
        "ResourceSliceSpec",
        Side::Server,
        "`perDeviceNodeSelection` is required",
        EMPTY,
    ),
    (
        "ContainerRestartRule",
        Side::Ours,
        "must specify restartPolicy when restart rules are used",
        "the server does not validate the rules of an init container without restartPolicy",
    ),
    (
        "MetricTarget",
        Side::Ours,
        "must populate the given metric source only",
        "the server does not validate each target of a metric with several sources",
    ),
    ("Volume", Side::Ours, "", INTERNAL_FIELD),
    ("DownwardAPIVolumeFile", Side::Ours, "", INTERNAL_FIELD),
    (
        "apiextensions.v1.CustomResourceConversion",
        Side::Ours,
        "",
        INTERNAL_FIELD,
    ),
    (
        "apiextensions.v1.WebhookClientConfig",
        Side::Ours,
        "",
        INTERNAL_FIELD,
    ),
    (
        "Device",
        Side::Server,
        "\"\"",
        "two devices have the same name",
    ),
    (
        "VolumeMount",
        Side::Server,
        "cannot be set for an Ephemeral Container",
        "the mounts of an ephemeral container have no sub path",
    ),
    (
        "PersistentVolumeSpec",
        Side::Server,
        "in the context of inline volumes",
        "a VolumeAttachment has only volumes of type csi",
    ),
    (
        "PersistentVolumeSpec",
        Side::Ours,
        "",
        "the server does not compare flexVolume with the members that it validates before",
    ),
    (
        "SubjectAccessReviewSpec",
        Side::Server,
        "disallowed on this kind of request",
        "a LocalSubjectAccessReview has no nonResourceAttributes",
    ),
    (
        "PriorityLevelConfigurationSpec",
        Side::Server,
        "if and only if `name`",
        "the name of the object selects the member",
    ),
    (
        "NetworkPolicyPeer",
        Side::Server,
        "must specify a peer",
        "a union cannot require one of several fields that may be set together",
    ),
    (
        "PolicyRule",
        Side::Server,
        "namespaced rules",
        "a Role has no nonResourceURLs",
    ),
    (
        "v1beta1.DeviceRequest",
        Side::Server,
        "but multiple fields are set",
        "in v1beta1, the fields of `exactly` are fields of the request; deviceClassName is the member",
    ),
];

/// Returns the reason of a difference. The text is the detail of the server's error, or the details
/// of the errors about fields beside a union that the server accepts.
pub(crate) fn find(definition: &str, side: Side, text: &str) -> Option<&'static str> {
    let is_for = |(of_type, of_side, part, _): &&Difference| {
        let rest = definition.strip_suffix(of_type);
        let is_type = *of_type == "*" || rest.is_some_and(|rest| rest.ends_with('.'));
        is_type && *of_side == side && text.contains(part)
    };
    DIFFERENCES
        .iter()
        .find(is_for)
        .map(|(_, _, _, reason)| *reason)
}
