//! The samples of the page. Most of them are the samples of `unionctl`.

use serde::Serialize;

/// A sample: the contents of the editors, and the settings.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Sample {
    /// The name in the link `#sample=NAME`.
    pub name: &'static str,
    /// The title in the list of samples.
    pub title: &'static str,
    /// The description of the sample, which the page shows.
    pub about: &'static str,
    /// The CRD, in YAML; empty if the objects are of a built-in kind.
    pub crd: &'static str,
    /// The stored object, in YAML; empty if the request is a create.
    pub stored: &'static str,
    /// The new object, in YAML.
    pub new: &'static str,
    /// The CRD that replaces the first CRD, in YAML; empty if there is no second CRD.
    pub crd_new: &'static str,
    /// True if the unions of the new object are normalized.
    pub normalize: bool,
}

/// Includes a sample of `unionctl`.
macro_rules! unionctl_sample {
    ($file:literal) => {
        include_str!(concat!("../../../crates/unionctl/samples/", $file))
    };
}

/// The samples, in the order of the list on the page.
pub const SAMPLES: [Sample; 8] = [
    Sample {
        name: "quickstart",
        title: "Quickstart: a client forgets the discriminator",
        about: "The CRD of the quickstart has a union, which its rules enforce. The client sets another member, but does not change `type`.",
        crd: unionctl_sample!("crd.yaml"),
        stored: unionctl_sample!("stored.yaml"),
        new: unionctl_sample!("forgotten.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "unaware",
        title: "An update of an unaware client",
        about: "The client does not know `s3`, so it cannot clear it when it switches to a volume. A webhook normalizes the union; clear the checkbox to see the result without a webhook.",
        crd: unionctl_sample!("crd.yaml"),
        stored: unionctl_sample!("stored.yaml"),
        new: unionctl_sample!("switched.yaml"),
        crd_new: "",
        normalize: true,
    },
    Sample {
        name: "tightened",
        title: "A tightened schema",
        about: "Shows which requests for the stored object a stricter CRD would reject, before it is rolled out.",
        crd: unionctl_sample!("database_crd.yaml"),
        stored: unionctl_sample!("databases/legacy.yaml"),
        new: unionctl_sample!("scaled.yaml"),
        crd_new: unionctl_sample!("database_crd_tight.yaml"),
        normalize: false,
    },
    Sample {
        name: "tolerated",
        title: "Tolerated errors of a stored object",
        about: "The schema was tightened after the object was stored. An update of another field is accepted, and the old errors are tolerated.",
        crd: unionctl_sample!("database_crd_tight.yaml"),
        stored: unionctl_sample!("databases/legacy.yaml"),
        new: unionctl_sample!("scaled.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "foreign",
        title: "Unions in third-party rules",
        about: "This CRD declares no union. The unions and their missing rules are inferred from the CEL rules.",
        crd: unionctl_sample!("pipeline_crd.yaml"),
        stored: unionctl_sample!("pipeline_stored.yaml"),
        new: unionctl_sample!("pipeline_switched.yaml"),
        crd_new: "",
        normalize: true,
    },
    Sample {
        name: "httproute",
        title: "HTTPRoute of the Gateway API",
        about: "A real CRD with hundreds of fields. The client keeps the filter of the old type, and misspells a field; the server adds defaults.",
        crd: include_str!("../samples/httproute_crd.yaml"),
        stored: include_str!("../samples/httproute_stored.yaml"),
        new: include_str!("../samples/httproute.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "costly",
        title: "A CRD over budget",
        about: "The estimated cost of the rules exceeds the limit of API servers. The bars show by how much, and which bounds help.",
        crd: include_str!("../samples/fleet_crd.yaml"),
        stored: "",
        new: include_str!("../samples/fleet.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "deployment",
        title: "A Deployment, without a CRD",
        about: "The client changes the strategy and the source of a variable, and leaves the old fields set. Select the checkbox for normalization to see the effect of `unionctl policy --mutating --builtin Deployment`.",
        crd: "",
        stored: include_str!("../samples/deployment_stored.yaml"),
        new: include_str!("../samples/deployment.yaml"),
        crd_new: "",
        normalize: false,
    },
];
