//! Compiles the schema of a CRD into tables.

pub(crate) mod cost;
mod defaults;
pub(crate) mod lint;
mod nodes;

use serde_json::Value;

use self::lint::Linted;
use self::lint::demands::Demands;
use crate::schema::libraries::Libraries;
use crate::schema::place::Place;
use crate::schema::programs::Programs;
use crate::schema::scale::Scale;
use crate::schema::{Facts, Identity, Node, StructuralSchema};
use k8s_cel::Version;
use union_json::document::find_version;
use union_json::{SchemaError, Unions};
use union_runtime::path::FieldPath;
use union_runtime::{Found, Violation, ViolationKind, Violations};

/// The path of a schema that stands alone, or that all versions of a CRD share.
pub(crate) const BARE: [&str; 3] = ["spec", "validation", "openAPIV3Schema"];

impl StructuralSchema {
    /// Compiles a schema, as it stands under `openAPIV3Schema`. Status is not a resource of its own.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::StructuralSchema;
    ///
    /// let refused = StructuralSchema::compile(&json!({"type": "object", "properties": {"size": {}}})).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "spec.validation.openAPIV3Schema.properties[size].type: Required value: \
    ///      must not be empty for specified object fields",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, as an API server words it when a CRD is written. What is wrong with unions in it,
    /// [`union_problems`](Self::union_problems) tells.
    pub fn compile(schema: &Value) -> Result<Self, Violations> {
        Self::compile_for(schema, Version::LATEST)
    }

    /// As [`compile`](Self::compile), as an API server of another version does it: rules may call the functions that its libraries
    /// have.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::{StructuralSchema, Version};
    ///
    /// let schema = json!({"type": "object", "properties": {"address": {
    ///     "type": "string", "maxLength": 40, "x-kubernetes-validations": [{"rule": "ip(self).family() == 4"}],
    /// }}});
    /// assert!(StructuralSchema::compile_for(&schema, Version::minor(30)).is_ok());
    /// let refused = StructuralSchema::compile_for(&schema, Version::minor(29)).unwrap_err();
    /// assert!(refused.to_string().contains("undeclared reference to 'ip'"));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_for(schema: &Value, version: Version) -> Result<Self, Violations> {
        Source::bare(schema).compile(&Written::New(version))
    }

    /// As [`compile`](Self::compile), where status is a resource of its own.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn compile_with_status(schema: &Value) -> Result<Self, Violations> {
        let mut source = Source::bare(schema);
        source.status_subresource = true;
        source.compile(&Written::New(Version::LATEST))
    }

    /// Compiles the schema of a version of a CRD, by default the one that is stored. Objects have to be of its group,
    /// version and kind then; whether status is a resource of its own, the CRD says.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::{ServerSettings, StructuralSchema};
    ///
    /// let crd = json!({"spec": {
    ///     "group": "example.com", "names": {"kind": "Document"}, "scope": "Cluster",
    ///     "versions": [{"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {
    ///         "type": "object", "properties": {"text": {"type": "string"}},
    ///     }}}],
    /// }});
    /// let schema = StructuralSchema::compile_crd(&crd, Some("v1"))?;
    /// let metadata = json!({"name": "a"});
    /// let mut new = json!({"apiVersion": "example.com/v1", "kind": "Documents", "metadata": metadata});
    /// let outcome = schema.create(&mut new, &ServerSettings::default());
    /// assert_eq!(outcome.errors[0].to_string(), r#"kind: Invalid value: "Documents": must be Document"#);
    /// # Ok::<(), union_runtime::Violations>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The version is missing; or an API server rejects the schema, with its messages. Errors in
    /// unions, in the schema or in the [annotation](union_json::ANNOTATION), are returned by
    /// [`union_problems`](Self::union_problems).
    pub fn compile_crd(crd: &Value, version: Option<&str>) -> Result<Self, Violations> {
        Self::compile_crd_for(crd, version, Version::LATEST)
    }

    /// As [`compile_crd`](Self::compile_crd), as an API server of another version does it: see [`compile_for`](Self::compile_for).
    ///
    /// # Errors
    ///
    /// As [`compile_crd`](Self::compile_crd).
    pub fn compile_crd_for(
        crd: &Value,
        version: Option<&str>,
        server: Version,
    ) -> Result<Self, Violations> {
        Source::of_crd(crd, version)?.compile(&Written::New(server))
    }

    /// As [`compile_crd`](Self::compile_crd), for a CRD that a server has already: it goes on with schemas that it would
    /// refuse today, and with rules that call any function. Where the CRD says `preserveUnknownFields: true`, as one may that was
    /// written as `apiextensions.k8s.io/v1beta1`, nothing is pruned; its schema need not be structural, and then has no defaults and
    /// no rules, and an update tolerates nothing.
    ///
    /// # Errors
    ///
    /// That there is no such version, that its schema cannot be read, that it has what keeps a server from serving it, or that it is
    /// not structural and judges by `patternProperties`, `dependencies` or lists of `items`, which this crate does not know.
    pub fn compile_stored(crd: &Value, version: Option<&str>) -> Result<Self, Violations> {
        Source::of_crd(crd, version)?.compile(&Written::Stored)
    }

    /// As [`compile_stored`](Self::compile_stored), for a schema alone: objects may be of any kind, and live in a namespace or not.
    ///
    /// ```
    /// use k8s_crd_validation::{ServerSettings, StructuralSchema};
    /// use serde_json::json;
    ///
    /// // Nobody could write such a pattern today.
    /// let schema = json!({"type": "object", "properties": {"name": {"type": "string", "pattern": "+"}}});
    /// assert!(StructuralSchema::compile(&schema).is_err());
    /// let stored = StructuralSchema::compile_stored_schema(&schema, false)?;
    /// let outcome = stored.create(&mut json!({"name": "x"}), &ServerSettings::default());
    /// assert!(outcome.errors[0].to_string().contains("name in body should match '+, but pattern is invalid"));
    /// # Ok::<(), k8s_crd_validation::Violations>(())
    /// ```
    ///
    /// # Errors
    ///
    /// That the schema cannot be read, or has what keeps a server from serving it.
    pub fn compile_stored_schema(
        schema: &Value,
        status_subresource: bool,
    ) -> Result<Self, Violations> {
        let mut source = Source::bare(schema);
        source.status_subresource = status_subresource;
        source.compile(&Written::Stored)
    }

    /// As [`compile`](Self::compile), whatever a server says of the schema.
    pub(super) fn compile_unlinted(schema: &Value) -> Result<Self, Violations> {
        Self::compile_stored_schema(schema, false)
    }
}

/// Where a schema comes from.
enum Written {
    /// Somebody writes it, to a server of that version.
    New(Version),
    /// A server has it.
    Stored,
}

/// A schema, and what is said of it around it.
struct Source<'v> {
    schema: &'v Value,
    path: FieldPath,
    status_subresource: bool,
    preserves_unknown: bool,
    scale: Scale,
    identity: Option<Identity>,
    /// The CRD around it, and the version.
    crd: Option<(&'v Value, &'v str)>,
}

impl<'v> Source<'v> {
    fn bare(schema: &'v Value) -> Self {
        Self {
            schema,
            path: BARE.into(),
            status_subresource: false,
            preserves_unknown: false,
            scale: Scale::default(),
            identity: None,
            crd: None,
        }
    }

    fn of_crd(crd: &'v Value, version: Option<&str>) -> Result<Self, Violations> {
        let (number, version) = find_version(crd, version).map_err(|error| {
            refused(
                ViolationKind::Invalid,
                ["spec", "versions"].into(),
                error.problem(),
            )
        })?;
        let path = if is_common(crd) {
            BARE.into()
        } else {
            of_version(number)
        };
        let Some(schema) = version.pointer("/schema/openAPIV3Schema") else {
            return Err(refused(
                ViolationKind::Required,
                path,
                "schemas are required",
            ));
        };
        let text = |pointer: &str| {
            let text = crd.pointer(pointer).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let group = text("/spec/group");
        let name = version
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let identity = Identity {
            api_version: format!("{group}/{name}"),
            kind: text("/spec/names/kind"),
            is_namespaced: text("/spec/scope") != "Cluster",
        };
        Ok(Self {
            schema,
            path,
            status_subresource: version
                .pointer("/subresources/status")
                .is_some_and(Value::is_object),
            preserves_unknown: crd.pointer("/spec/preserveUnknownFields") == Some(&true.into()),
            scale: Scale::of(version),
            identity: Some(identity),
            crd: Some((crd, name)),
        })
    }

    /// The unions that the schema, or an annotation of the CRD, tells of, and what is wrong with others.
    fn unions(&self) -> (Unions, Vec<SchemaError>) {
        let sound = Unions::compiler().sound();
        let read = match self.crd {
            Some((crd, version)) => sound.crd(crd, Some(version)),
            None => sound.schema(self.schema),
        };
        read.unwrap_or_else(|problem| (Unions::default(), vec![problem]))
    }

    fn compile(self, written: &Written) -> Result<StructuralSchema, Violations> {
        let (lints, libraries) = match written {
            Written::New(version) => (true, Libraries::of(*version)),
            Written::Stored => (false, Libraries::ALL),
        };
        let linted = if lints {
            let status = self.status_subresource;
            lint::lint(self.schema, &self.path, status, Demands::ALL)
        } else {
            Linted::fine()
        };
        if !linted.is_readable {
            return Err(linted.into_violations());
        }
        let is_structural =
            lints || lint::is_served_structural(self.schema, &self.path, self.preserves_unknown)?;
        let (unions, union_problems) = self.unions();
        let mut nodes = match nodes::read(self.schema, &Place::root(&self.path)) {
            Ok(nodes) => nodes,
            Err(_) if !linted.is_fine() => return Err(linted.into_violations()),
            Err(violation) => return Err(Violations::new(vec![violation], Vec::new())),
        };
        if !is_structural {
            nodes::keep_keywords_alone(&mut nodes);
        }
        let path = self.path;
        let mut schema = StructuralSchema {
            status_subresource: self.status_subresource,
            preserves_unknown: self.preserves_unknown,
            correlates: is_structural,
            scale: self.scale,
            identity: self.identity,
            unions,
            union_problems,
            ..of_nodes(nodes, libraries)
        };
        if lints {
            let errors = lint::lint_compiled(&schema, &path, linted);
            if !errors.is_empty() {
                return Err(Violations::new(errors, Vec::new()));
            }
        }
        if !schema.preserves_unknown {
            schema.prune_defaults(&path)?;
        }
        Ok(schema)
    }
}

/// The tables of a schema alone, its rules compiled.
fn of_nodes(nodes: Vec<Node>, libraries: Libraries) -> StructuralSchema {
    let mut schema = StructuralSchema {
        nodes,
        status_subresource: false,
        scale: Scale::default(),
        identity: None,
        facts: Facts::default(),
        programs: None,
        preserves_unknown: false,
        correlates: true,
        unions: Unions::default(),
        union_problems: Vec::new(),
    };
    schema.facts.rules = schema.count_rules(StructuralSchema::ROOT);
    let root = StructuralSchema::ROOT;
    schema.facts.shows_generation = schema.has_values(root)
        || !schema.node(root).rules.is_empty()
        || schema.is_about_generation(root);
    if schema.facts.rules > 0 {
        let programs = Programs::compile(&schema, libraries);
        schema.programs = Some(programs);
    }
    schema
}

/// Finds what an API server refuses in a schema at `path`. What is wrong with unions in it is none of that.
pub(crate) fn lint_schema(
    schema: &Value,
    path: &FieldPath,
    has_status: bool,
    demands: Demands,
    libraries: &Libraries,
) -> Vec<Violation> {
    let linted = lint::lint(schema, path, has_status, demands);
    match nodes::read(schema, &Place::root(path)) {
        Ok(nodes) if linted.is_readable => {
            lint::lint_compiled(&of_nodes(nodes, libraries.clone()), path, linted)
        }
        Err(violation) if linted.is_fine() => vec![violation],
        _ => linted.into_list(),
    }
}

/// Whether every value has a type, and combinators only judge.
pub(crate) fn is_structural(schema: &Value) -> bool {
    lint::lint(schema, &BARE.into(), false, Demands::ALL).is_structural()
}

/// Whether a default in a schema has fields that it does not describe.
pub(crate) fn has_unpruned_defaults(schema: &Value) -> bool {
    let Ok(nodes) = nodes::read(schema, &Place::root(&BARE.into())) else {
        return false;
    };
    let schema = of_nodes(nodes, Libraries::ALL);
    let mut ids = (StructuralSchema::ROOT..).take(schema.nodes.len());
    ids.any(|id| {
        let default = schema.node(id).default.as_deref();
        default.is_some_and(|default| !schema.is_pruned_at(id, default))
    })
}

/// Whether all versions have one schema: a server keeps and prints it as that of the CRD then.
fn is_common(crd: &Value) -> bool {
    let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
    let mut schemas = versions
        .into_iter()
        .flatten()
        .map(|version| version.pointer("/schema"));
    let first = schemas.next();
    schemas.all(|schema| Some(schema) == first)
}

/// Returns the path of the schema that a version has of its own.
pub(crate) fn of_version(number: usize) -> FieldPath {
    let versions = FieldPath::from(["spec", "versions"]);
    versions
        .index(number)
        .field("schema")
        .field("openAPIV3Schema")
}

fn refused(kind: ViolationKind, path: FieldPath, detail: &str) -> Violations {
    let violation = Violation::found(kind, path, Found::Nothing, detail.to_owned());
    Violations::new(vec![violation], Vec::new())
}
