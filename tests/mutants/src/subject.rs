//! The crates that have mutants, with their tests.

/// A crate with the tests that must notice its mutants.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) package: &'static str,
    /// The root file of the crate, to which the module of the switches is added.
    pub(crate) root: &'static str,
    /// The files with mutants, as patterns; all files of the crate if there are none.
    pub(crate) files: &'static [&'static str],
    /// Arguments of `cargo test` that build the tests, one list for each package.
    pub(crate) tests: &'static [&'static [&'static str]],
    /// The subject of the cases that `recorded_reference` answers with the crate.
    pub(crate) cases: Option<&'static str>,
}

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        package: "k8s-strategic-merge-patch",
        root: "crates/k8s-strategic-merge-patch/src/lib.rs",
        files: &[],
        tests: &[&["-p", "k8s-strategic-merge-patch", "--lib", "--tests"]],
        cases: Some("patches"),
    },
    Subject {
        package: "k8s-crd-validation",
        root: "crates/k8s-crd-validation/src/lib.rs",
        files: &[],
        tests: &[&["-p", "k8s-crd-validation", "--lib", "--tests"]],
        cases: Some("requests"),
    },
    Subject {
        package: "k8s-cel",
        root: "crates/k8s-cel/src/lib.rs",
        files: &[
            "crates/k8s-cel/src/functions/**",
            "crates/k8s-cel/src/checker/**",
        ],
        tests: &[&["-p", "k8s-cel", "--lib", "--tests"]],
        cases: Some("expressions"),
    },
    Subject {
        package: "union-runtime",
        root: "union-runtime/src/lib.rs",
        files: &[],
        tests: &[
            &["-p", "union-runtime", "--lib", "--tests"],
            &[
                "-p",
                "union-tests",
                "--test",
                "rules",
                "--test",
                "json",
                "--test",
                "schema",
                "--test",
                "comparator",
                "--test",
                "derive",
            ],
        ],
        cases: None,
    },
    Subject {
        package: "union-derive",
        root: "union-derive/src/lib.rs",
        files: &["union-derive/src/check/**"],
        tests: &[&["-p", "union-derive", "--lib"], &["-p", "union-tests-ui"]],
        cases: None,
    },
];
