//! The compiler, which reads the unions of schemas, `OpenAPI` documents and CRDs.

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

/// A compiler that reads the unions of schemas, with custom limits and with unions of third-party
/// types.
///
/// ```
/// use serde_json::json;
/// use union_json::{SchemaSource, Unions, union_spec};
/// use union_runtime::spec::UnionSpec;
///
/// // HTTPRoute says nothing about its unions but in CEL rules.
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
    /// The unions of third-party types, with their JSON pointers. An error in such a union is
    /// returned when a schema is compiled.
    unions: Vec<(String, Result<OwnedUnionSpec, String>)>,
    is_lenient: bool,
}

/// The schema that is compiled, or the document that contains the schema.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SchemaSource<'v> {
    /// A schema that is not part of a document. References refer to parts of the schema itself.
    Schema(&'v Value),
    /// An `OpenAPI` document, and the name of a schema in the document, such as
    /// `io.k8s.api.apps.v1.Deployment`. The schema is under `components/schemas` in v3, and under
    /// `definitions` in v2.
    OpenApi(&'v Value, &'v str),
    /// A CRD, and the name of a version, by default the stored version. The schema of the version
    /// is compiled, with the extensions that [`ANNOTATION`] contains for the version.
    ///
    /// [`ANNOTATION`]: crate::ANNOTATION
    Crd(&'v Value, Option<&'v str>),
    /// No schema: only the unions of [`Compiler::union_at`] and [`Compiler::declared_union_at`].
    /// Their JSON pointers consist of `properties`, `items` and `additionalProperties`, and
    /// describe the objects that contain the unions. Elements of lists are not correlated, because
    /// their keys are unknown.
    WithoutSchema,
}

impl Compiler {
    /// Returns the compiler with other limits, which also apply to the objects that are checked
    /// later.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the compiler with one more union, of the object whose schema is at `pointer`.
    /// `pointer` is a JSON pointer that begins at the schema, or at the whole document if it begins
    /// with `#`.
    #[must_use]
    pub fn union_at(mut self, pointer: impl Into<String>, union: UnionSpec<'static>) -> Self {
        let union = OwnedUnionSpec::from_spec(&union);
        self.unions.push((pointer.into(), Ok(union)));
        self
    }

    /// Returns the compiler with one more union, which is declared at run time. `pointer` is the
    /// same as for [`union_at`](Self::union_at).
    #[must_use]
    pub fn declared_union_at(mut self, pointer: impl Into<String>, union: &DeclaredUnion) -> Self {
        self.unions.push((pointer.into(), union.to_owned_spec()));
        self
    }

    /// Returns the compiler in a mode for third-party schemas, in which it skips invalid unions and
    /// reads all others. [`Unions::errors`] returns the errors.
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

    /// Reads the unions of a schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the document does not have the schema or the version, if the schema is
    /// not an object or a boolean, or if the schema exceeds the limits. If the compiler is not
    /// [`lenient`](Self::lenient), an invalid union, extension or annotation is an error too, and
    /// the first error is returned.
    pub fn compile(&self, source: SchemaSource<'_>) -> Result<Unions, SchemaError> {
        let problems = if self.is_lenient {
            ErrorPolicy::collecting()
        } else {
            ErrorPolicy::default()
        };
        match source {
            SchemaSource::Schema(schema) => self.compile_schema(
                AnnotatedSchema::new(SchemaInDocument::standalone(schema, "")),
                problems,
            ),
            SchemaSource::OpenApi(document, name) => {
                let schema = openapi_schema::find_openapi_schema(document, name)?;
                self.compile_schema(AnnotatedSchema::new(schema), problems)
            }
            SchemaSource::Crd(crd, version) => {
                let version = Crd::new(crd).find_version(version)?;
                let mut schema = AnnotatedSchema::new(version.located_schema()?);
                let annotation =
                    annotation::read_annotation(crd, version.name().unwrap_or_default());
                let annotation = problems.or_default(annotation)?;
                schema.annotation = annotation.key;
                // A lenient compiler skips an entry of the annotation for a missing place, and
                // reads the other entries.
                for (pointer, extension) in &annotation.extensions {
                    problems.or_default(schema.add_extension(pointer, extension))?;
                }
                self.compile_schema(schema, problems)
            }
            SchemaSource::WithoutSchema => {
                let schema = self.schema_of_unions()?;
                self.compile_schema(
                    AnnotatedSchema::new(SchemaInDocument::standalone(&schema, "")),
                    problems,
                )
            }
        }
    }

    /// Returns a schema that only describes the objects that contain the unions of third-party
    /// types.
    fn schema_of_unions(&self) -> Result<Value, SchemaError> {
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
                object_in(object_in(object, "properties"), field);
            }
            // The objects may have other fields, which the schema does not describe.
            object_in(object, "additionalProperties");
        }
        Ok(schema)
    }

    fn compile_schema(
        &self,
        mut schema: AnnotatedSchema<'_>,
        problems: ErrorPolicy,
    ) -> Result<Unions, SchemaError> {
        for (pointer, union) in &self.unions {
            problems.or_default(schema.add_union(pointer, union))?;
        }
        let graph = SchemaGraph::build(&schema, self.limits, &problems)?;
        let unread = schema.check_all_read(graph.ids().map(|id| graph.schema(id).object));
        problems.or_default(unread)?;
        let shapes = node_compiler::compile_nodes(&graph, &schema, self.limits, &problems)?;
        Ok(Unions::new(shapes, self.limits, problems.into_errors()))
    }
}

/// Adds the schemas along a JSON pointer to a schema, and returns the last of them.
fn add_schemas_along<'s>(
    schema: &'s mut Value,
    pointer: &str,
    limits: Limits,
) -> Result<&'s mut Value, SchemaError> {
    let wrong = || {
        // The place of the error is empty, because there is no document.
        SchemaError::new(
            "",
            format!(
                "`union_at` has a union for {pointer:?}, which is not a path through a schema; use \
                 a JSON pointer of `properties` and a name, `items` and `additionalProperties`, \
                 such as \"/properties/rules/items\""
            ),
        )
    };
    // A level of an object takes up to two steps of the pointer, and deeper levels are not visited.
    let most = 2 * limits.effective_max_depth();
    if pointer.matches('/').count() > most {
        return Err(SchemaError::new(
            "",
            format!(
                "the JSON pointer of `union_at` has more than {most} steps, which exceeds the \
                 maximum depth of objects; shorten the pointer, or raise `Limits::max_depth`"
            ),
        ));
    }
    let mut at = schema;
    let mut steps = pointer.split('/');
    if steps.next() != Some("") {
        return Err(wrong());
    }
    while let Some(step) = steps.next() {
        at = match step {
            "items" | "additionalProperties" => object_in(at, step),
            "properties" => {
                let name = steps
                    .next()
                    .filter(|name| !name.is_empty())
                    .ok_or_else(wrong)?;
                let name = unescape(name);
                object_in(object_in(at, "properties"), &name)
            }
            _ => return Err(wrong()),
        };
    }
    Ok(at)
}

/// Returns the object under a key. Inserts an empty object if the value is missing or is not an
/// object.
fn object_in<'v>(value: &'v mut Value, key: &str) -> &'v mut Value {
    match value {
        Value::Object(object) => {
            let inner = object.entry(key).or_insert(Value::Null);
            if !inner.is_object() {
                *inner = json!({});
            }
            inner
        }
        other => other,
    }
}

impl Unions {
    /// Reads the unions of a schema, with the default limits.
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
    /// Returns an error in the cases of [`Compiler::compile`].
    pub fn compile(source: SchemaSource<'_>) -> Result<Self, SchemaError> {
        Self::compiler().compile(source)
    }

    /// Returns a compiler, which can be configured with custom limits and unions of third-party
    /// types.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}
