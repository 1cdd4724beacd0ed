//! The differences between the table and the server that have a reason.

/// A difference: the end of the type's name, a field of the pair or `*`, and the reason.
type Difference = (&'static str, &'static str, &'static str);

const VALUES: &str = "the values of the fields are compared";
const EQUAL_NAMES: &str = "the fields may not contain equal names or keys";
const NEEDS: &str = "one field needs another";
const TRUE: &str = "only the value true excludes the other field";
const ONE_VALUE: &str = "one value of an enum restricts other fields, and the other values do not";
const IN_STATUS: &str = "the type is in a status";
const PER_DEVICE: &str =
    "a member is required only if perDeviceNodeSelection is set, as it is here";
const ANOTHER_ROW: &str = "the server requires one of two members, whatever the type selects";
const WITHOUT_EXACTLY: &str =
    "in v1beta1, a request without any field of `exactly` lacks `exactly` itself";
const KEYWORDS: &str = "keywords of a schema restrict each other";

/// Types without a place in the objects of this program.
const TYPES: &[Difference] = &[
    ("MetricStatus", "*", IN_STATUS),
    ("ContainerState", "*", IN_STATUS),
    ("DeviceAllocationConfiguration", "*", IN_STATUS),
];

/// Questions about rows, by topic, for which the server does not do what the row says.
const QUESTIONS: &[(&str, &[Difference])] = &[
    (
        "two members",
        &[
            (
                "PodCertificateRequestSpec",
                "stubPKCS10Request",
                "OpenAPI requires the field, so the server refuses the other field alone, too",
            ),
            (
                "PersistentVolumeSpec",
                "flexVolume",
                "the server does not compare flexVolume with the members that it validates before",
            ),
        ],
    ),
    (
        "no member",
        &[
            (
                "NetworkPolicyPeer",
                "ipBlock",
                "the server requires one of three fields, two of which may be set together",
            ),
            ("Device", "nodeName", PER_DEVICE),
            (
                "PodCertificateRequestSpec",
                "stubPKCS10Request",
                "OpenAPI requires the field, so the object with the other member has it, too",
            ),
            ("BasicDevice", "nodeName", PER_DEVICE),
        ],
    ),
    (
        "no discriminator",
        &[("DeviceRequest", "allocationMode", WITHOUT_EXACTLY)],
    ),
    (
        "no selected member",
        &[
            ("DeviceRequest", "count", WITHOUT_EXACTLY),
            ("MetricTarget", "*", ANOTHER_ROW),
            ("ContainerResourceMetricSource.target", "*", ANOTHER_ROW),
            ("ExternalMetricSource.target", "*", ANOTHER_ROW),
            ("ResourceMetricSource.target", "*", ANOTHER_ROW),
        ],
    ),
];

/// Pairs that the server refuses and that no row excludes.
const RELATIONS: &[Difference] = &[
    ("DeploymentSpec", "minReadySeconds", VALUES),
    ("Mutation", "patchType=JSONPatch", NEEDS),
    ("JobSpec", "completionMode=Indexed", NEEDS),
    ("JobSpec", "podFailurePolicy", ONE_VALUE),
    ("PodSpec", "dnsPolicy=None", NEEDS),
    ("ResourceSliceSpec", "perDeviceNodeSelection", NEEDS),
    ("ConfigMap", "binaryData", EQUAL_NAMES),
    ("Container", "volumeDevices", EQUAL_NAMES),
    ("EphemeralContainer", "volumeDevices", EQUAL_NAMES),
    ("PodSpec", "ephemeralContainers", EQUAL_NAMES),
    ("PodAffinityTerm", "matchLabelKeys", EQUAL_NAMES),
    ("PodCertificateProjection", "*", EQUAL_NAMES),
    ("Device", "bindingConditions", EQUAL_NAMES),
    ("BasicDevice", "bindingConditions", EQUAL_NAMES),
    ("CompositePodGroupTemplate", "*", VALUES),
    ("PersistentVolumeClaimSpec", "dataSourceRef", VALUES),
    ("ReplicationControllerSpec", "selector", VALUES),
    ("ServiceSpec", "clusterIPs", VALUES),
    ("EndpointSlice", "endpoints", VALUES),
    ("APIServiceSpec", "group", VALUES),
    (
        "PodSpec",
        "schedulingGates",
        "servers accept both fields in the template of a pod",
    ),
    ("PodSpec", "hostnameOverride", TRUE),
    ("PodSpec", "hostPID", TRUE),
    ("HTTPGetAction", "protocol=HTTP2", ONE_VALUE),
    ("ServiceSpec", "type=ExternalName", ONE_VALUE),
    ("Subject", "apiGroup", ONE_VALUE),
    ("Toleration", "operator=Exists", ONE_VALUE),
    ("DeviceToleration", "operator=Exists", ONE_VALUE),
    ("TopologySpreadConstraint", "minDomains", ONE_VALUE),
    ("CustomResourceConversion", "strategy=Webhook", NEEDS),
    ("CustomResourceDefinitionSpec", "conversion", ONE_VALUE),
    ("CustomResourceDefinitionVersion", "selectableFields", NEEDS),
    ("JSONSchemaProps", "*", KEYWORDS),
    (
        "DeviceRequest",
        "firstAvailable",
        "in v1beta1, the fields of `exactly` are fields of the request; deviceClassName is the member",
    ),
    (
        "PriorityLevelConfigurationSpec",
        "type=Limited",
        "the value of the other field is invalid",
    ),
];

/// Returns the reason why no object of this program contains a type.
pub(crate) fn of_type(type_name: &str) -> Option<&'static str> {
    find(TYPES, type_name, &[])
}

/// Returns the reason why the server does not do what a row says.
pub(crate) fn of_question(topic: &str, type_name: &str, fields: &[String]) -> Option<&'static str> {
    let (_, differences) = QUESTIONS.iter().find(|(name, _)| *name == topic)?;
    find(differences, type_name, fields)
}

/// Returns the reason why a pair that the server refuses is not in a row.
pub(crate) fn of_relation(type_name: &str, fields: &[String]) -> Option<&'static str> {
    find(RELATIONS, type_name, fields)
}

fn find(differences: &[Difference], type_name: &str, fields: &[String]) -> Option<&'static str> {
    let is_for = |(of_type, field, _): &&Difference| {
        let rest = type_name.strip_suffix(of_type);
        let is_type = rest.is_some_and(|rest| rest.ends_with('.'));
        is_type && (*field == "*" || fields.iter().any(|name| name == field))
    };
    differences
        .iter()
        .find(is_for)
        .map(|(_, _, reason)| *reason)
}
