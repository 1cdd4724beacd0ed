//! The known versions of Kubernetes, and the table of the features that depend on them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use k8s_cel::{Feature, FeatureKind, KubeVersion};

/// The page with the table, which `UPDATE_SNAPSHOTS=1` writes again.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/versions.md");

/// The kinds of features in the order of the table, with their titles.
const KINDS: [(FeatureKind, &str); 5] = [
    (FeatureKind::Library, "CEL libraries"),
    (FeatureKind::Language, "The language of CEL"),
    (FeatureKind::Gate, "Feature gates, by default"),
    (FeatureKind::Server, "The server"),
    (FeatureKind::Api, "Admission policies"),
];

/// Returns the table, a row for each feature.
fn table() -> String {
    let header = "| feature | since | new rules since | source |\n| --- | --- | --- | --- |\n";
    let mut text = String::new();
    for (kind, title) in KINDS {
        write!(text, "\n**{title}**\n\n{header}").unwrap();
        for feature in Feature::ALL.iter().filter(|feature| feature.kind() == kind) {
            let (since, source) = (feature.since(), feature.source());
            // New rules may use the libraries of the latest version in the next version.
            let next_version = || format!("1.{}", since.minor() + 1);
            let new = match kind {
                FeatureKind::Library => feature
                    .since_in_new_rules()
                    .map_or_else(next_version, |version| version.to_string()),
                _ => String::new(),
            };
            writeln!(text, "| {feature} | {since} | {new} | {source} |").unwrap();
        }
    }
    text
}

#[test]
fn the_documented_versions_are_the_versions_of_the_table() {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(PAGE, table().trim_start()).unwrap();
    }
    let page = std::fs::read_to_string(PAGE).unwrap();
    assert!(
        page == table().trim_start(),
        "versions.md has another table; run this test with UPDATE_SNAPSHOTS=1, and read the diff"
    );
}

#[test]
fn features_are_sorted_by_kind_and_version() {
    let position = |feature: &Feature| {
        let kind = KINDS.iter().position(|(kind, _)| *kind == feature.kind());
        (kind.expect("a kind of the table"), feature.since())
    };
    assert!(Feature::ALL.is_sorted_by_key(position));
}

#[test]
fn features_have_known_versions_and_one_name_each() {
    let names: BTreeSet<String> = Feature::ALL.iter().map(Feature::to_string).collect();
    assert_eq!(names.len(), Feature::ALL.len());
    for &feature in Feature::ALL {
        let (introduced, since) = (feature.introduced(), feature.since());
        assert!(KubeVersion::EARLIEST < introduced, "{feature}");
        assert!(
            introduced <= since && since <= KubeVersion::LATEST,
            "{feature}"
        );
        assert!(
            introduced == since || feature.kind() == FeatureKind::Gate,
            "{feature}"
        );
        assert!(!feature.source().is_empty(), "{feature}");
        let versions_with_feature: Vec<_> = KubeVersion::all()
            .filter(|version| version.has(feature))
            .collect();
        let versions_since: Vec<_> = KubeVersion::all()
            .filter(|version| *version >= since)
            .collect();
        assert_eq!(versions_with_feature, versions_since, "{feature}");
    }
}

/// A server before 1.28 has one set of libraries. Each later server compiles new rules with the
/// libraries of the minor version before.
#[test]
fn new_rules_have_the_libraries_of_the_version_before() {
    for version in KubeVersion::all() {
        let number = version.minor();
        let wanted = if number < 28 { number } else { number - 1 };
        assert_eq!(version.of_new_rules().minor(), wanted, "{version}");
    }
    let since = |feature: Feature| feature.since_in_new_rules().map(KubeVersion::minor);
    assert_eq!(since(Feature::Authorizer), Some(27));
    assert_eq!(since(Feature::Optionals), Some(29));
    assert_eq!(since(Feature::ListsVersion3), Some(35));
}

#[test]
fn known_versions_have_several_spellings() {
    for version in KubeVersion::all() {
        let minor = version.minor();
        for text in [
            format!("1.{minor}"),
            format!("v1.{minor}"),
            format!("1.{minor}.0"),
            format!("v1.{minor}.17"),
            format!("0.{minor}"),
            format!("v0.{minor}.2"),
        ] {
            assert_eq!(text.parse(), Ok(version), "{text}");
        }
        assert_eq!(version.to_string(), format!("1.{minor}"));
        assert_eq!(KubeVersion::from_minor(minor), Some(version));
    }
    assert_eq!(KubeVersion::all().count(), 13);
    assert_eq!(KubeVersion::default(), KubeVersion::LATEST);
}

/// The suffixes of versions of clusters, as `kubectl version` prints them.
#[test]
fn versions_of_clusters_parse() {
    for suffix in [
        "+k3s1",
        "-gke.1005001",
        "-eks-7f9249a",
        "-rc.1",
        "-alpha.2.15+1a2b3c4d5e6f70-dirty",
        "+rke2r1",
        "+vmware.1-fips.1",
    ] {
        let text = format!("v1.30.4{suffix}");
        assert_eq!(text.parse(), Ok(KubeVersion::from_minor(30).unwrap()));
        let error = format!("v1.24.4{suffix}")
            .parse::<KubeVersion>()
            .unwrap_err();
        assert!(error.to_string().starts_with("unknown version"), "{error}");
    }
}

#[test]
fn other_strings_are_rejected_with_the_known_versions() {
    let unknown = [
        "1.99", "1.10", "1.24", "1.38", "1.0", "0.24", "v1.24.3", "1.65572",
    ];
    for text in unknown {
        let error = text.parse::<KubeVersion>().unwrap_err();
        let wanted =
            format!("unknown version of Kubernetes {text:?}; expected a version from 1.25 to 1.37");
        assert_eq!((error.input(), error.to_string()), (text, wanted));
    }
    let malformed = [
        "",
        "v",
        "1",
        "36",
        "2.36",
        "00.36",
        "01.36",
        "1.",
        "1.x",
        "1.036",
        "1.037",
        "1.-36",
        "1.+36",
        "1. 36",
        " 1.36",
        "1.36 ",
        "1.36.",
        "1.36.x",
        "1.36.02",
        "1.36.2.1",
        "1.36-alpha",
        "1.36+build",
        "1.36.2-",
        "1.36.2+",
        "1.36.2-rc..1",
        "1.36.2-rc 1",
        "1.36.2+a+b",
        "1.36.2-é",
        "V1.36",
        "vv1.36",
        "1,36",
        "1.３６",
        "latest",
    ];
    for text in malformed {
        let error = text.parse::<KubeVersion>().unwrap_err();
        let wanted = format!(
            "{text:?} is not a version of Kubernetes; expected a version from 1.25 to 1.37, such as 1.37 or v1.37.2"
        );
        assert_eq!((error.input(), error.to_string()), (text, wanted));
    }
    // The number of digits is not limited.
    let long = format!("1.37.{}", "9".repeat(100_000));
    assert_eq!(long.parse(), Ok(KubeVersion::LATEST));
    for minor in [0, 24, 38, u16::MAX] {
        assert_eq!(KubeVersion::from_minor(minor), None, "{minor}");
    }
}

#[test]
fn a_version_with_all_features_of_another_version_equals_it() {
    for older in KubeVersion::all() {
        for newer in KubeVersion::all() {
            let mixed = newer.with_features_of(older, Feature::ALL.iter().copied());
            for feature in Feature::ALL {
                assert_eq!(mixed.has(*feature), older.has(*feature), "{feature}");
                let (mixed, older) = (mixed.of_new_rules(), older.of_new_rules());
                assert_eq!(
                    mixed.has(*feature),
                    older.has(*feature),
                    "{feature}, new rules"
                );
            }
            let unchanged = newer.with_features_of(older, []);
            assert!(
                Feature::ALL
                    .iter()
                    .all(|feature| unchanged.has(*feature) == newer.has(*feature))
            );
        }
    }
}
