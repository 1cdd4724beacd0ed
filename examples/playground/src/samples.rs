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
    /// The CRD, in YAML.
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

macro_rules! tool {
    ($file:literal) => {
        include_str!(concat!("../../../crates/unionctl/samples/", $file))
    };
}

/// The samples, in the order of the list on the page.
pub const SAMPLES: [Sample; 7] = [
    Sample {
        name: "quickstart",
        title: "Quickstart: a client forgets the discriminator",
        about: "The CRD of the quickstart has a union, which its rules enforce. The client sets a member and leaves `type` as it was.",
        crd: tool!("crd.yaml"),
        stored: tool!("stored.yaml"),
        new: tool!("forgotten.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "unaware",
        title: "An update of an unaware client",
        about: "The client does not know `s3`, so it cannot clear it when it switches to a volume. A webhook normalizes the union; take that away to see what a plain server says.",
        crd: tool!("crd.yaml"),
        stored: tool!("stored.yaml"),
        new: tool!("switched.yaml"),
        crd_new: "",
        normalize: true,
    },
    Sample {
        name: "tightened",
        title: "A tightened schema",
        about: "Before it is rolled out: what the second CRD does to the stored object, at which requests.",
        crd: tool!("database_crd.yaml"),
        stored: tool!("databases/legacy.yaml"),
        new: tool!("scaled.yaml"),
        crd_new: tool!("database_crd_tight.yaml"),
        normalize: false,
    },
    Sample {
        name: "tolerated",
        title: "What is tolerated, because it is not new",
        about: "The schema was tightened. An update of something else goes on, and the server says what it tolerates.",
        crd: tool!("database_crd_tight.yaml"),
        stored: tool!("databases/legacy.yaml"),
        new: tool!("scaled.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "foreign",
        title: "Unions in somebody else's rules",
        about: "Nobody declared a union here. It is read from the rules, with the holes that they have.",
        crd: tool!("pipeline_crd.yaml"),
        stored: tool!("pipeline_stored.yaml"),
        new: tool!("pipeline_switched.yaml"),
        crd_new: "",
        normalize: true,
    },
    Sample {
        name: "httproute",
        title: "HTTPRoute of the Gateway API",
        about: "A real CRD with hundreds of fields. The client leaves the filter of the old type behind, and misspells a field; the server fills in the rest.",
        crd: include_str!("../samples/httproute_crd.yaml"),
        stored: include_str!("../samples/httproute_stored.yaml"),
        new: include_str!("../samples/httproute.yaml"),
        crd_new: "",
        normalize: false,
    },
    Sample {
        name: "costly",
        title: "A CRD over budget",
        about: "The rules may cost more than a server takes. The bars say by how much, and which bounds help.",
        crd: include_str!("../samples/fleet_crd.yaml"),
        stored: "",
        new: include_str!("../samples/fleet.yaml"),
        crd_new: "",
        normalize: false,
    },
];
