//! A compiler that reads the unions of schemas, `OpenAPI` documents and CRDs.

use serde_json::{Value, json};

use crate::compile::annotated_schema::AnnotatedSchema;
use crate::compile::error_policy::ErrorPolicy;
use crate::compile::node_compiler;
use crate::compile::schema_graph::SchemaGraph;
use crate::document::crd::Crd;
use crate::document::openapi_schema;
use crate::document::schema_in_document::SchemaInDocument;
use crate::error::SchemaError;
use crate::extension::annotation;
use crate::extension::declared_union::DeclaredUnion;
use crate::limits::Limits;
use crate::pointer::unescape;
use crate::unions::unions::Unions;
use union_runtime::MemberSpec;
use union_runtime::UnionSpec;
use union_runtime::spec::OwnedUnionSpec;

/// A compiler that reads the unions of schemas. The limits can be changed, and unions can be added
/// to third-party types.
///
/// ```
/// use serde_json::json;
/// use union_json::{SchemaSource, Unions, union_spec};
/// use union_runtime::spec::UnionSpec;
///
/// // The schema of HTTPRoute declares its unions only as CEL rules.
/// const FILTER: UnionSpec<'static> = union_spec! {
///     discriminator = "type",
///     "RequestRedirect" => "requestRedirect",
///     "URLRewrite" => "urlRewrite",
/// };
/// let unions = Unions::compiler()
///     .union_at("/properties/rules/items/properties/filters/items", FILTER)
///     .compile(SchemaSource::WithoutSchema)?;
///
/// let route = json!({"rules": [{"filters": [{"type": "URLRewrite", "requestRedirect": {}}]}]});
/// let report = unions.validate(&route);
/// assert_eq!(report.errors().len(), 2);
/// assert!(report.to_string().starts_with("rules[0].filters[0].requestRedirect: Invalid value"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    limits: Limits,
    /// The unions of third-party types by JSON pointer. An error in such a union is returned when a
    /// schema is compiled.
    unions: Vec<(String, Result<OwnedUnionSpec, String>)>,
    is_lenient: bool,
}

/// The schema to compile, or the document that contains the schema.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SchemaSource<'v> {
    /// A schema that is not part of a document. References are resolved in the schema itself.
    Schema(&'v Value),
    /// An `OpenAPI` document, and the name of a schema in the document, such as
    /// `io.k8s.api.apps.v1.Deployment`. The schema is under `components/schemas` in v3, and under
    /// `definitions` in v2.
    OpenApi(&'v Value, &'v str),
    /// A CRD, and the name of a version. The default is the stored version. The schema of the
    /// version is compiled, with the extensions that [`ANNOTATION`] contains for the version.
    ///
    /// [`ANNOTATION`]: crate::ANNOTATION
    Crd(&'v Value, Option<&'v str>),
    /// No schema, only the unions of [`Compiler::union_at`] and [`Compiler::declared_union_at`].
    /// Their JSON pointers consist of `properties`, `items` and `additionalProperties`, and lead to
    /// the objects with the unions. Elements of lists are not correlated, because their keys are
    /// unknown.
    WithoutSchema,
}

impl Compiler {
    /// Sets the limits of schemas, and of the objects that are checked later.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds a union to the object whose schema is at the JSON pointer `pointer`. The pointer is
    /// relative to the schema, or to the whole document if the pointer begins with `#`.
    #[must_use]
    pub fn union_at(mut self, pointer: impl Into<String>, union: UnionSpec<'static>) -> Self {
        let union = OwnedUnionSpec::from_spec(&union);
        self.unions.push((pointer.into(), Ok(union)));
        self
    }

    /// Adds a union that is declared at run time. `pointer` is the same as for
    /// [`union_at`](Self::union_at).
    #[must_use]
    pub fn declared_union_at(mut self, pointer: impl Into<String>, union: &DeclaredUnion) -> Self {
        self.unions.push((pointer.into(), union.to_owned_spec()));
        self
    }

    /// Makes the compiler skip invalid unions and read all other unions, for third-party schemas.
    /// [`Unions::errors`] returns the errors.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::{SchemaSource, Unions};
    ///
    /// let object = |properties, members| json!({
    ///     "properties": properties,
    ///     "x-kubernetes-unions": [{"fields-to-discriminateBy": members}],
    /// });
    /// let valid = object(json!({"git": {}, "s3": {}}), json!({"git": "Git", "s3": "S3"}));
    /// let invalid = object(json!({"file": {}}), json!({"fiel": "File"}));
    /// let schema = json!({"properties": {"source": valid, "target": invalid}});
    /// let unions = Unions::compiler().lenient().compile(SchemaSource::Schema(&schema))?;
    /// assert_eq!(unions.iter().count(), 1);
    /// let problem = unions.errors()[0].to_string();
    /// assert!(problem.contains(r#"has a field "fiel", which is not a property of the object"#));
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    #[must_use]
    pub const fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Compiles a schema, and returns its unions.
    ///
    /// # Errors
    ///
    /// Returns an error if the document does not contain the schema or the version, if the schema
    /// is neither an object nor a boolean, or if the schema exceeds the limits. An invalid union,
    /// extension or annotation is an error too, unless the compiler is [`lenient`](Self::lenient).
    /// Only the first error is returned.
    pub fn compile(&self, source: SchemaSource<'_>) -> Result<Unions, SchemaError> {
        let policy = if self.is_lenient {
            ErrorPolicy::collecting()
        } else {
            ErrorPolicy::default()
        };
        match source {
            SchemaSource::Schema(schema) => self.compile_schema(
                AnnotatedSchema::new(SchemaInDocument::standalone(schema, "")),
                policy,
            ),
            SchemaSource::OpenApi(document, name) => {
                let schema = openapi_schema::find_openapi_schema(document, name)?;
                self.compile_schema(AnnotatedSchema::new(schema), policy)
            }
            SchemaSource::Crd(crd, version) => {
                let version = Crd::new(crd).find_version(version)?;
                let mut schema = AnnotatedSchema::new(version.located_schema()?);
                let annotation =
                    annotation::read_annotation(crd, version.name().unwrap_or_default());
                let annotation = policy.or_default(annotation)?;
                schema.annotation = annotation.key;
                // A lenient compiler skips an entry whose pointer leads to no schema, and reads the
                // other entries.
                for (pointer, extension) in &annotation.extensions {
                    policy.or_default(schema.add_extension(pointer, extension))?;
                }
                self.compile_schema(schema, policy)
            }
            SchemaSource::WithoutSchema => {
                let schema = self.schema_for_unions()?;
                self.compile_schema(
                    AnnotatedSchema::new(SchemaInDocument::standalone(&schema, "")),
                    policy,
                )
            }
        }
    }

    /// Creates a schema that describes only the objects with unions of third-party types.
    fn schema_for_unions(&self) -> Result<Value, SchemaError> {
        let mut schema = json!({});
        for (pointer, union) in &self.unions {
            let object = add_schemas_along(&mut schema, pointer, self.limits)?;
            let Ok(union) = union else { continue };
            let union = union.spec();
            let discriminator = union
                .discriminator()
                .map(union_runtime::DiscriminatorSpec::name);
            for field in discriminator
                .into_iter()
                .chain(union.members().map(MemberSpec::name))
            {
                get_or_insert_object(get_or_insert_object(object, "properties"), field);
            }
            // The objects may have other fields, so the schema must allow them.
            get_or_insert_object(object, "additionalProperties");
        }
        Ok(schema)
    }

    fn compile_schema(
        &self,
        mut schema: AnnotatedSchema<'_>,
        policy: ErrorPolicy,
    ) -> Result<Unions, SchemaError> {
        for (pointer, union) in &self.unions {
            policy.or_default(schema.add_union(pointer, union))?;
        }
        let graph = SchemaGraph::build(&schema, self.limits, &policy)?;
        let read_schemas = graph.ids().map(|id| graph.schema(id).object);
        policy.or_default(schema.check_all_read(read_schemas))?;
        let nodes = node_compiler::compile_nodes(&graph, &schema, self.limits, &policy)?;
        Ok(Unions::new(nodes, self.limits, policy.into_errors()))
    }
}

/// Adds the schemas along a JSON pointer to a schema, and returns the innermost schema.
fn add_schemas_along<'s>(
    schema: &'s mut Value,
    pointer: &str,
    limits: Limits,
) -> Result<&'s mut Value, SchemaError> {
    let error = || {
        // The JSON pointer of the error is empty, because there is no document.
        SchemaError::new(
            "",
            format!(
                "`union_at` has a union for {pointer:?}, which is not a path through a schema; use \
                 a JSON pointer of `properties` and a name, `items` and `additionalProperties`, \
                 such as \"/properties/rules/items\""
            ),
        )
    };
    // A level of an object needs up to two tokens of the pointer. Deeper levels are never visited.
    let max = 2 * limits.effective_max_depth();
    if pointer.matches('/').count() > max {
        return Err(SchemaError::new(
            "",
            format!(
                "the JSON pointer of `union_at` has more than {max} steps, which exceeds the \
                 maximum depth of objects; shorten the pointer, or raise `Limits::max_depth`"
            ),
        ));
    }
    let mut schema = schema;
    let mut tokens = pointer.split('/');
    if tokens.next() != Some("") {
        return Err(error());
    }
    while let Some(token) = tokens.next() {
        schema = match token {
            "items" | "additionalProperties" => get_or_insert_object(schema, token),
            "properties" => {
                let name = tokens
                    .next()
                    .filter(|name| !name.is_empty())
                    .ok_or_else(error)?;
                let name = unescape(name);
                get_or_insert_object(get_or_insert_object(schema, "properties"), &name)
            }
            _ => return Err(error()),
        };
    }
    Ok(schema)
}

/// Returns the object under a key of an object. Inserts an empty object if the value under the key
/// is missing or not an object.
fn get_or_insert_object<'v>(value: &'v mut Value, key: &str) -> &'v mut Value {
    match value {
        Value::Object(object) => {
            let inner_value = object.entry(key).or_insert(Value::Null);
            if !inner_value.is_object() {
                *inner_value = json!({});
            }
            inner_value
        }
        value => value,
    }
}

impl Unions {
    /// Compiles a schema with the default limits, and returns its unions.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::{ANNOTATION, SchemaSource, Unions};
    ///
    /// let union = json!({"fields-to-discriminateBy": {"git": "Git", "bucket": "Bucket"}});
    /// let list = json!({"v1": {"/properties/spec": [union]}});
    /// let spec = json!({"properties": {"git": {}, "bucket": {}}});
    /// let schema = json!({"openAPIV3Schema": {"properties": {"spec": spec}}});
    /// let crd = json!({
    ///     "metadata": {"annotations": {ANNOTATION: list.to_string()}},
    ///     "spec": {"versions": [{"name": "v1", "storage": true, "schema": schema}]},
    /// });
    /// let unions = Unions::compile(SchemaSource::Crd(&crd, None))?;
    /// let both = json!({"spec": {"git": "x", "bucket": "y"}});
    /// assert!(!unions.validate(&both).is_accepted());
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Compiler::compile`].
    pub fn compile(source: SchemaSource<'_>) -> Result<Self, SchemaError> {
        Self::compiler().compile(source)
    }

    /// Creates a compiler, for custom limits and for unions of third-party types.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}
