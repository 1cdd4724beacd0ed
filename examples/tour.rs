//! The tour as one program: `cargo run --example tour`. A test makes the page
//! `union-runtime/docs/tour.md` from this file: the lines after `//|` are its prose, and the other
//! lines of `main` are its code blocks.

#[expect(
    clippy::items_after_statements,
    clippy::too_many_lines,
    reason = "a tour has its steps in the order in which you take them"
)]
pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    //| # A tour: from a struct to a cluster
    //|
    //| The crates are in no registry yet. Clone the repository as `union-toolkit`, and create a
    //| package beside it with these dependencies. The eleven steps below build one program:
    //|
    //| ```toml
    //| [dependencies]
    //| k8s-openapi = { version = "0.29", features = ["v1_37"] }
    //| kube = { version = "5", default-features = false, features = ["derive"] }
    //| schemars = "1"
    //| serde = { version = "1", features = ["derive"] }
    //| serde_json = "1"
    //| k8s-crd-validation = { path = "../union-toolkit/crates/k8s-crd-validation" }
    //| k8s-strategic-merge-patch = { path = "../union-toolkit/crates/k8s-strategic-merge-patch" }
    //| union-compat = { path = "../union-toolkit/crates/union-compat" }
    //| union-kube = { path = "../union-toolkit/crates/union-kube" }
    //| union-json = { path = "../union-toolkit/crates/union-json" }
    //| union-runtime = { path = "../union-toolkit/union-runtime" }
    //| ```
    //|
    //| Write all steps into the body of
    //| `fn main() -> Result<(), Box<dyn std::error::Error>> { ... Ok(()) }`. The program runs
    //| after each step. In a copy of the repository, `cargo run --example tour` runs all steps.
    //|
    //| ## 1. Write the union
    //|
    //| The discriminator selects the member. Its type is an enum, with one variant for values of
    //| newer versions.
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use union_runtime::{EnumType, Union};

    #[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
    #[schemars(transform = union_runtime::add_enum::<SourceType>)]
    enum SourceType {
        /// The source is a git repository.
        Git,
        /// The source is a bucket.
        Bucket,
        #[enum_type(other)]
        #[serde(untagged)]
        Unknown(String),
    }

    #[derive(Union, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
    #[schemars(transform = union_runtime::add_unions::<Source>)]
    struct Source {
        #[union(discriminator)]
        r#type: SourceType,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        git: Option<String>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        bucket: Option<String>,
    }

    let source: Source =
        serde_json::from_str(r#"{"type": "Git", "git": "https://example.com/x"}"#)?;
    assert!(source.validate_unions().is_accepted());
    //| If a hook (`transform = ...`), a `skip_serializing_if` or a variant is missing, the code
    //| does not compile, and the error shows what to write.
    //|
    //| ## 2. Put it into a custom resource
    //|
    //| With `nested`, one call on the resource checks every union in it. Errors have the whole
    //| path.
    use kube::CustomResource;

    #[derive(
        CustomResource, Union, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema,
    )]
    #[kube(
        group = "build.example.com",
        version = "v1",
        kind = "Pipeline",
        namespaced
    )]
    #[kube(derive = "PartialEq", derive = "Union", attr = "union(nested(spec))")]
    struct PipelineSpec {
        #[union(nested)]
        source: Source,
    }

    let wrong = Source {
        r#type: SourceType::Bucket,
        git: Some("https://example.com/x".into()),
        bucket: None,
    };
    let pipeline = Pipeline::new("p", PipelineSpec { source: wrong });
    assert_eq!(
        pipeline.validate_unions().to_string(),
        "spec.source.git: Invalid value: \"\": may only be specified when `type` is \"Git\": \
         `type` is \"Bucket\"; remove `git`, or set `type` to \"Git\"",
    );
    //| ## 3. Understand what a client meant
    //|
    //| A client changed `type`, and its version does not know `git`. Normalization clears
    //| `git`, the member that the old value of `type` selected. Validation of an update
    //| tolerates errors that the stored object already has. `admit_unions` does both.
    use union_runtime::Settings;

    let old: Source = serde_json::from_str(r#"{"type": "Git", "git": "https://example.com/x"}"#)?;
    let mut new: Source =
        serde_json::from_str(r#"{"type": "Bucket", "git": "https://example.com/x"}"#)?;
    let report = new.admit_unions(Some(&old), &Settings::default());
    assert!(report.is_accepted());
    assert_eq!(report.changes().to_string(), "git: cleared");
    //| ## 4. Write the CRD
    //|
    //| The CRD for the cluster contains only what API servers accept: enums, and a CEL rule for
    //| each member. An annotation, which API servers ignore, contains the unions. `lint`
    //| reports in advance what a server would reject, and what each rule costs. The crate
    //| `union-kube` creates this CRD and provides `lint`. In a build script, use
    //| `union_kube::build`.
    use union_kube::{Crd, to_json_string};

    let crd = Crd::from_type::<Pipeline>()?;
    assert!(crd.lint().is_accepted());
    let manifest = to_json_string(crd.for_cluster());
    assert!(
        manifest.contains("has(self.type) && self.type == 'Git' ? has(self.git) : !has(self.git)")
    );
    println!("{manifest}");
    //| ## 5. Apply it
    //|
    //| Apply the CRD to any cluster, for example a cluster from `kind`:
    //|
    //| ```console
    //| $ cargo run > crd.json
    //| $ kubectl apply -f crd.json
    //| customresourcedefinition.apiextensions.k8s.io/pipelines.build.example.com created
    //| $ kubectl create -f - <<'END'
    //| apiVersion: build.example.com/v1
    //| kind: Pipeline
    //| metadata: {name: p}
    //| spec: {source: {type: Bucket, git: "https://example.com/x"}}
    //| END
    //| The Pipeline "p" is invalid: spec.source.git: Invalid value: may only be specified when `type` is "Git"
    //| ```
    //|
    //| With the CRD alone, the server rejects invalid objects, but it cannot clear a member that
    //| a client does not know. A webhook, as in step 6, can.
    //|
    //| ## 6. Check JSON
    //|
    //| A webhook does not need the Rust type. `union-json` reads the unions from the annotation,
    //| and applies the same rules. `examples/webhook` is a complete webhook, over HTTPS.
    use serde_json::json;
    use union_json::Unions;

    let unions = Unions::compile(union_json::SchemaSource::Crd(crd.for_cluster(), Some("v1")))?;
    let old = json!({"spec": {"source": {"type": "Git", "git": "x"}}});
    let mut new = json!({"spec": {"source": {"type": "Bucket", "git": "x"}}});
    let report = unions.admit(&mut new, Some(&old), &Settings::default());
    assert!(report.is_accepted());
    assert_eq!(new, json!({"spec": {"source": {"type": "Bucket"}}}));
    //| ## 7. Tighten the schema
    //|
    //| Before you add a rule to a CRD with stored objects, check which updates an API server
    //| would still accept (KEP-4008; the crate `k8s-crd-validation`). `unionctl tighten` checks a
    //| folder of objects.
    use k8s_crd_validation::{ServerSettings, StructuralSchema};

    let tighter = StructuralSchema::compile(&json!({"type": "object", "properties": {"spec": {
        "type": "object",
        "properties": {"bucket": {"type": "string", "minLength": 3}, "paused": {"type": "boolean"}},
    }}}))?;
    let stored = json!({"spec": {"bucket": "b"}});
    let mut update = json!({"spec": {"bucket": "b", "paused": true}});
    let report = tighter.update(&mut update, &stored, &ServerSettings::default());
    assert!(report.is_accepted());
    assert_eq!(report.tolerated()[0].path(), "spec.bucket");
    //| ## 8. Patch it from a client
    //|
    //| A client that switches to another member must name the fields to remove. `switch` creates
    //| the patch, in every form that servers accept (the crate `k8s-strategic-merge-patch`).
    use k8s_strategic_merge_patch::switch;

    let old = Source {
        r#type: SourceType::Git,
        git: Some("x".into()),
        bucket: None,
    };
    let new = Source {
        r#type: SourceType::Bucket,
        git: None,
        bucket: Some("b".into()),
    };
    let switched = switch(&old, &new)?.field("source").field("spec");
    assert_eq!(
        *switched.merge_patch(),
        json!({"spec": {"source": {"type": "Bucket", "git": null, "bucket": "b"}}})
    );
    //| ## 9. Match on it
    //|
    //| A controller can use the same union as a Rust enum, with the same JSON, and match on it.
    //| The variant `Other` keeps values that only a newer version knows. A list with such a value
    //| can still be read, and the value is written back unchanged.
    use union_runtime::{RawUnion, UnionEnum};

    #[derive(UnionEnum, Clone, Debug, PartialEq)] // serde's traits and the schema come with it
    #[union(discriminator = "type")]
    enum AnySource {
        Git(String),
        Bucket(Option<String>),
        #[union(other)]
        Other(RawUnion),
    }

    let stored = json!([{"type": "Git", "git": "x"}, {"type": "Oci", "oci": {"tag": "1"}}]);
    let sources: Vec<AnySource> = serde_json::from_value(stored.clone())?;
    for source in &sources {
        match source {
            AnySource::Git(url) => println!("clone {url}"),
            AnySource::Bucket(name) => println!("fetch from {name:?}"),
            AnySource::Other(raw) => println!("skipped: {raw}"), // set a condition, too
        }
    }
    assert_eq!(serde_json::to_value(&sources)?, stored);
    //| The other steps work with an enum as well. To choose between the forms, see
    //| [`migration`](crate::migration#from-the-struct-form).
    //|
    //| ## 10. Change it
    //|
    //| Which objects and clients break if the next version of your type adds or removes a value?
    //| A test in your crate finds out. Both versions validate every small object, and clients of
    //| both versions read and write. This is the crate `union-compat`; `unionctl compat` does the
    //| same for CRDs.
    use union_compat::{ApiVersion, ChangeCode, compare};

    mod v1 {
        #[derive(union_runtime::UnionEnum)]
        #[union(discriminator = "type")]
        pub(crate) enum Source {
            Git(String),
            Bucket(String),
            #[union(other)]
            Other(union_runtime::RawUnion),
        }
    }

    mod v2 {
        #[derive(union_runtime::UnionEnum)]
        #[union(discriminator = "type")]
        pub(crate) enum Source {
            Git(String),
            Oci(String),
            #[union(other)]
            Other(union_runtime::RawUnion),
        }
    }

    let found = compare(
        &ApiVersion::from_type::<v1::Source>()?,
        &ApiVersion::from_type::<v2::Source>()?,
    );
    // An object that is stored with a bucket is rejected, or loses the bucket. A new value is
    // compatible: clients of `v1` keep values that they do not know.
    let breaking: Vec<ChangeCode> = found.breaking().map(|finding| finding.code).collect();
    assert_eq!(breaking, [ChangeCode::ValueRemoved]);
    assert_eq!(found.findings[1].code, ChangeCode::ValueAdded);
    // The comparison prints the smallest objects that break, what happens to them, and the
    // remedies.
    println!("{found}");
    //| The test function `union_compat::assert_compatible::<v1::Source, v2::Source>()` fails with
    //| the same report. `union_compat::skew::<v1::Source, v2::Source>()` simulates every request
    //| between clients and servers of both versions. It reports which requests are honoured,
    //| rejected or lost.
    //|
    //| ## 11. Without a webhook
    //|
    //| Kubernetes 1.36 and later can normalize your kind without a webhook, by a
    //| `MutatingAdmissionPolicy`. `union_kube::Crd::mutating_policies` creates the policy from
    //| your type, and `unionctl policy --mutating` creates it from a CRD (the crate
    //| `union-policy`). The policy removes the members of the old discriminator. Both list the
    //| unions that the policy cannot reach, and the lists that may exceed a server's cost limit.
    Ok(())
}
