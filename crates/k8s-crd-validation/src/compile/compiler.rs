//! Compilation of schemas and CRDs, for a server of any version.

use serde_json::Value;

use super::lint::validation_options::ValidationOptions;
use super::lint::{self, LintResult};
use super::nodes;
use super::schema_checks::{SHARED_SCHEMA_PATH, build_schema, compile_rules, version_schema_path};
use crate::schema::allowed_functions::AllowedFunctions;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::dropped_keywords::Decoder;
use crate::schema::scale::ScalePaths;
use crate::schema::{ObjectIdentity, StructuralSchema};
use k8s_cel::KubeVersion;
use union_json::document::Crd;
use union_json::{SchemaError, SchemaSource as UnionSource, Unions};
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Report, Violation, ViolationKind};

impl StructuralSchema {
    /// Compiles a schema, the value of `openAPIV3Schema`, for the latest version of a server.
    /// `status` is an ordinary field. Use [`compiler`](Self::compiler) for other settings.
    ///
    /// ```
    /// use serde_json::json;
    /// use k8s_crd_validation::StructuralSchema;
    ///
    /// let schema = json!({"type": "object", "properties": {"size": {}}});
    /// let report = StructuralSchema::compile(&schema).unwrap_err();
    /// assert_eq!(
    ///     report.to_string(),
    ///     "spec.validation.openAPIV3Schema.properties[size].type: Required value: \
    ///      must not be empty for specified object fields",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Compiler::schema`].
    pub fn compile(schema: &Value) -> Result<Self, Report> {
        Self::compiler().schema(schema)
    }

    /// Returns a compiler with default settings: for new schemas, on a server of the latest
    /// version. The [`Compiler`] also compiles CRDs.
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}

/// The treatment of `status` in a schema without a CRD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StatusHandling {
    /// `status` is an ordinary field.
    #[default]
    Field,
    /// `status` is a subresource: only requests to `/status` change it.
    Subresource,
}

/// A compiler of schemas and CRDs, which accepts and rejects schemas as an API server does.
///
/// ```
/// use serde_json::json;
/// use k8s_crd_validation::{StructuralSchema, KubeVersion};
///
/// let schema = json!({"type": "object", "properties": {"address": {
///     "type": "string", "maxLength": 40,
///     "x-kubernetes-validations": [{"rule": "ip(self).family() == 4"}],
/// }}});
/// let older: KubeVersion = "1.30".parse()?;
/// let newer: KubeVersion = "1.31".parse()?;
/// let compiler = StructuralSchema::compiler();
/// assert!(compiler.version(newer).schema(&schema).is_ok());
/// // 1.30 introduced `ip`: stored rules may call it from 1.30 on, new rules from 1.31 on.
/// let report = compiler.version(older).schema(&schema).unwrap_err();
/// assert!(report.to_string().contains("undeclared reference to 'ip'"));
/// assert!(compiler.version(older).stored().schema(&schema).is_ok());
/// # Ok::<(), k8s_cel::ParseVersionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a compiler does nothing until it gets a schema or a CRD"]
pub struct Compiler {
    status: StatusHandling,
    mode: CompileMode,
    server: Decoder,
}

/// The origin of a schema.
#[derive(Clone, Copy, Debug, Default)]
enum CompileMode {
    /// A new schema.
    #[default]
    New,
    /// A schema that a server has stored.
    Stored,
}

impl Compiler {
    /// Returns the compiler for a server of another version. New rules may call the functions of
    /// [`KubeVersion::of_new_rules`], and stored rules the functions of the version. Rule keywords
    /// that are unknown to the server are ignored.
    pub const fn version(mut self, version: KubeVersion) -> Self {
        self.server.version = version;
        self
    }

    /// Returns the compiler for a server with the feature gate `CRDValidationRatcheting` on or off.
    /// If the gate is off, a server of 1.30 to 1.32 drops `optionalOldSelf` from new rules. Other
    /// versions ignore the setting: older servers do not check the gate for rules, and newer
    /// servers cannot switch the gate off.
    pub const fn ratchet(mut self, gate: Option<bool>) -> Self {
        self.server.ratchet = gate;
        self
    }

    /// Returns the compiler for stored schemas. A server continues to serve schemas that it would
    /// reject today. A rule that calls a function of a later Kubernetes version fails in each
    /// request.
    ///
    /// If a CRD has `preserveUnknownFields: true`, which a CRD of `apiextensions.k8s.io/v1beta1`
    /// may have, nothing is pruned. Its schema need not be structural. A schema that is not
    /// structural has no defaults and no rules, and updates tolerate no errors.
    ///
    /// ```
    /// use k8s_crd_validation::{ServerSettings, StructuralSchema};
    /// use serde_json::json;
    ///
    /// // A server rejects this pattern in a new schema.
    /// let name = json!({"type": "string", "pattern": "+"});
    /// let schema = json!({"type": "object", "properties": {"name": name}});
    /// assert!(StructuralSchema::compile(&schema).is_err());
    /// let stored = StructuralSchema::compiler().stored().schema(&schema)?;
    /// let report = stored.create(&mut json!({"name": "x"}), &ServerSettings::default());
    /// let error = report.errors()[0].to_string();
    /// assert!(error.contains("name in body should match '+, but pattern is invalid"));
    /// # Ok::<(), k8s_crd_validation::Report>(())
    /// ```
    pub const fn stored(mut self) -> Self {
        self.mode = CompileMode::Stored;
        self
    }

    /// Sets how `status` is handled if a schema is compiled without its CRD. For a CRD, its
    /// `subresources.status` decides.
    pub const fn status(mut self, status: StatusHandling) -> Self {
        self.status = status;
        self
    }

    /// Compiles a schema, the value of `openAPIV3Schema`. The compiled schema accepts objects of
    /// any kind, with or without a namespace.
    ///
    /// # Errors
    ///
    /// Returns an error if an API server rejects a CRD with this schema. The report has the
    /// messages of the server. A [stored](Self::stored) schema is rejected only if it cannot be
    /// decoded, or if its errors prevent a server from serving it. Problems of unions are not
    /// errors: [`union_problems`](StructuralSchema::union_problems) returns them.
    pub fn schema(&self, schema: &Value) -> Result<StructuralSchema, Report> {
        let source = CompileInput::from_schema(schema, self.status == StatusHandling::Subresource);
        source.compile(*self)
    }

    /// Compiles the schema of a version of a CRD, by default the storage version. Objects must have
    /// the group, version and kind of the CRD. The CRD decides if status is a subresource.
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
    /// let schema = StructuralSchema::compiler().crd(&crd, Some("v1"))?;
    /// let metadata = json!({"name": "a"});
    /// let version = "example.com/v1";
    /// let mut new = json!({"apiVersion": version, "kind": "Documents", "metadata": metadata});
    /// let report = schema.create(&mut new, &ServerSettings::default());
    /// let error = report.errors()[0].to_string();
    /// assert_eq!(error, r#"kind: Invalid value: "Documents": must be Document"#);
    /// # Ok::<(), union_runtime::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the version does not exist, or if an API server rejects the schema, with
    /// the messages of the server. A [stored](Self::stored) CRD is rejected only if its schema
    /// cannot be decoded, if errors prevent a server from serving it, or if the schema is not
    /// structural and has `patternProperties`, `dependencies` or lists of `items`, which this crate
    /// does not support. Problems of unions, in the schema or in the
    /// [annotation](union_json::ANNOTATION), are not errors:
    /// [`union_problems`](StructuralSchema::union_problems) returns them.
    pub fn crd(&self, crd: &Value, version: Option<&str>) -> Result<StructuralSchema, Report> {
        CompileInput::from_crd(crd, version)?.compile(*self)
    }
}

/// A schema to compile, with the facts that its CRD contains.
struct CompileInput<'v> {
    schema: &'v Value,
    /// The path of the schema in errors.
    path: FieldPath,
    status_subresource: bool,
    preserves_unknown: bool,
    scale: ScalePaths,
    identity: Option<ObjectIdentity>,
    /// The CRD, and the name of the version.
    crd: Option<(&'v Value, &'v str)>,
}

impl<'v> CompileInput<'v> {
    fn from_schema(schema: &'v Value, status_subresource: bool) -> Self {
        Self {
            schema,
            path: SHARED_SCHEMA_PATH.into(),
            status_subresource,
            preserves_unknown: false,
            scale: ScalePaths::default(),
            identity: None,
            crd: None,
        }
    }

    fn from_crd(crd: &'v Value, version: Option<&str>) -> Result<Self, Report> {
        let document = Crd::new(crd);
        let version = document.find_version(version).map_err(|error| {
            rejection(
                ViolationKind::Invalid,
                ["spec", "versions"].into(),
                error.message(),
            )
        })?;
        let path = if has_shared_schema(document) {
            SHARED_SCHEMA_PATH.into()
        } else {
            version_schema_path(version.index())
        };
        let Some(schema) = version.schema() else {
            return Err(rejection(
                ViolationKind::Required,
                path,
                "schemas are required",
            ));
        };
        let group = document.group().unwrap_or_default();
        let name = version.name().unwrap_or_default();
        let identity = ObjectIdentity {
            api_version: format!("{group}/{name}"),
            kind: document.kind().unwrap_or_default().to_owned(),
            is_namespaced: document.is_namespaced(),
        };
        Ok(Self {
            schema,
            path,
            status_subresource: version.has_status_subresource(),
            preserves_unknown: crd.pointer("/spec/preserveUnknownFields") == Some(&true.into()),
            scale: ScalePaths::from_version(version.json()),
            identity: Some(identity),
            crd: Some((crd, name)),
        })
    }

    /// Returns the valid unions of the schema, or of an annotation of the CRD.
    fn unions(&self) -> Result<Unions, SchemaError> {
        let source = match self.crd {
            Some((crd, version)) => UnionSource::Crd(crd, Some(version)),
            None => UnionSource::Schema(self.schema),
        };
        Unions::compiler().lenient().compile(source)
    }

    /// Returns the errors of a new schema that a server of the version finds before it compiles the
    /// rules.
    fn lint(&self, decoded_schema: &Value, version: KubeVersion) -> LintResult {
        lint::lint(
            decoded_schema,
            &self.path,
            self.status_subresource,
            ValidationOptions::ALL,
            version,
        )
    }

    fn compile(self, compiler: Compiler) -> Result<StructuralSchema, Report> {
        let server = compiler.server;
        let stored_functions = AllowedFunctions::for_stored(server.version);
        let is_new = matches!(compiler.mode, CompileMode::New);
        let (decoded_schema, functions) = if is_new {
            let functions = AllowedFunctions::for_create(server.version);
            (server.new_schema(self.schema), functions)
        } else {
            let functions = stored_functions.clone();
            (server.stored_schema(self.schema), functions)
        };
        let lint_result = if is_new {
            self.lint(&decoded_schema, server.version)
        } else {
            LintResult::without_errors()
        };
        if !lint_result.is_structural {
            return Err(lint_result.into_report());
        }
        let is_structural = is_new
            || lint::is_served_structural(&decoded_schema, &self.path, self.preserves_unknown)?;
        let (unions, unions_error) = match self.unions() {
            Ok(unions) => (unions, None),
            Err(problem) => (Unions::default(), Some(problem)),
        };
        let mut nodes = nodes::build_nodes(&decoded_schema, &CrdPath::root(&self.path))
            .map_err(|violation| Report::from_iter([violation]))?;
        if !is_structural {
            nodes::strip_structural_keywords(&mut nodes);
        }
        let path = self.path;
        let mut schema = StructuralSchema {
            status_subresource: self.status_subresource,
            preserves_unknown: self.preserves_unknown,
            correlates: is_structural,
            scale: self.scale,
            identity: self.identity,
            unions,
            unions_error,
            ..build_schema(nodes, functions)
        };
        if is_new {
            let errors = lint::lint_compiled(&schema, &path, server.version, lint_result);
            if !errors.is_empty() {
                return Err(Report::from_iter(errors));
            }
            // A server checks a new rule with the functions for new rules, but evaluates the rule
            // with the functions for stored rules.
            if !AllowedFunctions::are_equal(server.version) {
                compile_rules(&mut schema, stored_functions);
            }
        }
        if !schema.preserves_unknown {
            schema.prune_defaults(&path)?;
        }
        Ok(schema)
    }
}

/// Returns true if all versions have the same schema. A server then stores the schema once, and
/// reports errors at the path of the shared schema.
fn has_shared_schema(crd: Crd<'_>) -> bool {
    let mut schemas = crd.versions().map(|version| version.json().get("schema"));
    let first_schema = schemas.next();
    schemas.all(|schema| Some(schema) == first_schema)
}

fn rejection(kind: ViolationKind, path: FieldPath, detail: &str) -> Report {
    let violation = Violation::from_parts(kind, path, BadValue::Omitted, detail.to_owned());
    Report::from_iter([violation])
}
