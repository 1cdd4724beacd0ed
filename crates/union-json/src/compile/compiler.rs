//! Reads the unions of schemas, documents and CRDs.

use serde_json::{Value, json};

use crate::compile::compile::Graph;
use crate::compile::merge;
use crate::compile::problems::Problems;
use crate::compile::source::Source;
use crate::document::crd::Crd;
use crate::document::find;
use crate::document::located::Located;
use crate::error::SchemaError;
use crate::extension::annotation::{self, Annotated};
use crate::extension::declared::DeclaredUnion;
use crate::limits::Limits;
use crate::pointer::unescape;
use crate::unions::unions::Unions;
use union_runtime::MemberSpec;
use union_runtime::UnionSpec;
use union_runtime::view::OwnedUnionSpec;

/// Reads the unions of schemas, with custom limits, and with unions of third-party types.
///
/// ```
/// use serde_json::json;
/// use union_json::Unions;
/// use union_json::union_spec;
/// use union_runtime::{Settings, UnionSpec};
///
/// // HTTPRoute says nothing about its unions but in CEL rules.
/// const FILTER: UnionSpec<'static> = union_spec! {
///     discriminator = "type",
///     "RequestRedirect" => "requestRedirect",
///     "URLRewrite" => "urlRewrite",
/// };
/// let unions = Unions::compiler()
///     .union_at("/properties/rules/items/properties/filters/items", FILTER)
///     .places()?;
///
/// let route = json!({"rules": [{"filters": [{"type": "URLRewrite", "requestRedirect": {}}]}]});
/// let refused = unions.validate(&route, &Settings::default()).unwrap_err();
/// assert_eq!(refused.iter().count(), 2);
/// assert!(refused.to_string().starts_with("rules[0].filters[0].requestRedirect: Invalid value"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    limits: Limits,
    /// The unions of third-party types, by their pointers. An error is reported when a schema is
    /// read.
    unions: Vec<(String, Result<OwnedUnionSpec, String>)>,
}

impl Compiler {
    /// Returns the compiler with other limits, which apply to the objects too.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the compiler with a union of the object whose schema is at `pointer`: a JSON pointer
    /// below the schema, or, if it begins with `#`, in the whole document.
    #[must_use]
    pub fn union_at(mut self, pointer: impl Into<String>, union: UnionSpec<'static>) -> Self {
        let union = OwnedUnionSpec::of(&union);
        self.unions.push((pointer.into(), Ok(union)));
        self
    }

    /// Returns the compiler with a union that is declared at run time, at a pointer as for
    /// [`union_at`](Self::union_at).
    #[must_use]
    pub fn declared_at(mut self, pointer: impl Into<String>, union: &DeclaredUnion) -> Self {
        self.unions.push((pointer.into(), union.owned()));
        self
    }

    /// Reads a schema alone; references refer to parts of the schema itself.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is invalid: the first error that is found.
    pub fn schema(&self, schema: &Value) -> Result<Unions, SchemaError> {
        self.read(Source::new(Located::alone(schema, "")))
    }

    /// Reads a schema of an `OpenAPI` document, by its name, such as
    /// `io.k8s.api.apps.v1.Deployment`: under `components/schemas` in v3, and `definitions` in v2.
    ///
    /// # Errors
    ///
    /// Returns an error if the document has no such schema, or if the schema is invalid: the first
    /// error that is found.
    pub fn openapi(&self, document: &Value, name: &str) -> Result<Unions, SchemaError> {
        self.read(Source::new(find::in_openapi(document, name)?))
    }

    /// Reads the schema of a version of a CRD, by default the stored version, with the extensions
    /// that [`ANNOTATION`] has for it.
    ///
    /// [`ANNOTATION`]: crate::ANNOTATION
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD has no such version, if the version has no schema, or if the
    /// schema or the annotation is invalid: the first error that is found.
    pub fn crd(&self, crd: &Value, version: Option<&str>) -> Result<Unions, SchemaError> {
        let version = Crd::new(crd).find_version(version)?;
        let mut source = Source::new(version.located_schema()?);
        let annotation = annotation::of_version(crd, version.name().unwrap_or_default())?;
        source.add_extensions(&annotation)?;
        self.read(source)
    }

    /// Reads only the unions of [`union_at`](Self::union_at), without a schema, in objects that
    /// their pointers describe. Elements of lists are not correlated, because their keys are not
    /// known.
    ///
    /// # Errors
    ///
    /// Returns an error if a pointer is not a JSON pointer, or leads through other keywords than
    /// `properties`, `items` and `additionalProperties`.
    pub fn places(&self) -> Result<Unions, SchemaError> {
        let mut schema = json!({});
        for (pointer, union) in &self.unions {
            let object = add_place(&mut schema, pointer, self.limits)?;
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
            // The schema does not describe other fields.
            object_in(object, "additionalProperties");
        }
        self.schema(&schema)
    }

    /// Returns a compiler that skips invalid unions, for third-party schemas: an error in one union
    /// does not keep the other unions from being read.
    #[must_use]
    pub const fn sound(self) -> Sound {
        Sound(self)
    }

    fn read(&self, source: Source<'_>) -> Result<Unions, SchemaError> {
        self.read_with(source, &Problems::default())
    }

    fn read_with(
        &self,
        mut source: Source<'_>,
        problems: &Problems,
    ) -> Result<Unions, SchemaError> {
        for (pointer, union) in &self.unions {
            problems.or_default(source.add_union(pointer, union))?;
        }
        let graph = Graph::read(&source, self.limits, problems)?;
        let unread = source.refuse_unread(graph.ids().map(|id| graph.schema(id).object));
        problems.or_default(unread)?;
        let shapes = merge::shapes(&graph, &source, self.limits, problems)?;
        Ok(Unions::new(shapes, self.limits))
    }
}

/// Reads the valid unions of a schema, and reports all errors in the others: see
/// [`Compiler::sound`].
///
/// ```
/// use serde_json::json;
/// use union_json::Unions;
///
/// let union = |members| json!([{"fields-to-discriminateBy": members}]);
/// let schema = json!({"properties": {
///     "source": {"properties": {"git": {}, "bucket": {}}, "x-kubernetes-unions": union(json!({"git": "Git", "bucket": "Bucket"}))},
///     "target": {"properties": {"file": {}}, "x-kubernetes-unions": union(json!({"fiel": "File"}))},
/// }});
/// let sound = Unions::compiler().sound().schema(&schema)?;
/// assert_eq!(sound.unions.iter().count(), 1);
/// assert!(sound.problems[0].to_string().contains(r#"has a field "fiel", which is not a property of the object"#));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sound(Compiler);

/// The valid unions of a schema, and the errors in the others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SoundUnions {
    /// The valid unions.
    pub unions: Unions,
    /// The errors in the other unions.
    pub problems: Vec<SchemaError>,
}

impl Sound {
    /// Reads a schema alone, as [`Compiler::schema`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is not an object or a boolean, or exceeds the limits.
    pub fn schema(&self, schema: &Value) -> Result<SoundUnions, SchemaError> {
        self.read(Source::new(Located::alone(schema, "")), Vec::new())
    }

    /// Reads a schema of an `OpenAPI` document, as [`Compiler::openapi`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the document has no such schema, or if the schema exceeds the limits.
    pub fn openapi(&self, document: &Value, name: &str) -> Result<SoundUnions, SchemaError> {
        let source = Source::new(find::in_openapi(document, name)?);
        self.read(source, Vec::new())
    }

    /// Reads the schema of a version of a CRD, as [`Compiler::crd`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the CRD has no such version, if the version has no schema, or if the
    /// schema exceeds the limits.
    pub fn crd(&self, crd: &Value, version: Option<&str>) -> Result<SoundUnions, SchemaError> {
        let version = Crd::new(crd).find_version(version)?;
        let mut source = Source::new(version.located_schema()?);
        let mut problems = Vec::new();
        let annotation = annotation::of_version(crd, version.name().unwrap_or_default());
        let annotation = annotation.unwrap_or_else(|problem| {
            problems.push(problem);
            Annotated::default()
        });
        source.annotation = annotation.key;
        // An entry of the annotation for a missing place does not keep the other entries from being
        // read.
        for (pointer, extension) in &annotation.extensions {
            problems.extend(source.add_extension(pointer, extension).err());
        }
        self.read(source, problems)
    }

    fn read(
        &self,
        source: Source<'_>,
        mut found: Vec<SchemaError>,
    ) -> Result<SoundUnions, SchemaError> {
        let problems = Problems::kept();
        let unions = self.0.read_with(source, &problems)?;
        found.extend(problems.into_list());
        Ok(SoundUnions {
            unions,
            problems: found,
        })
    }
}

/// Adds the place of a pointer to a schema, and returns the schema at this place.
fn add_place<'s>(
    schema: &'s mut Value,
    pointer: &str,
    limits: Limits,
) -> Result<&'s mut Value, SchemaError> {
    let wrong = || {
        // The error has no place: there is no document.
        SchemaError::new(
            "",
            format!(
                "`union_at` has a union for {pointer:?}, which does not lead through a schema; write a JSON pointer of \
                 `properties` and a name, `items` and `additionalProperties`, as \"/properties/rules/items\""
            ),
        )
    };
    // Objects are not visited below this depth.
    let most = 2 * limits.deepest();
    if pointer.matches('/').count() > most {
        return Err(SchemaError::new(
            "",
            format!(
                "`union_at` has a union at a place of more than {most} steps, deeper than objects are looked at; \
                 correct the JSON pointer, or raise `Limits::depth`"
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

/// Returns the object under a key; inserts an empty object if there is none.
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

/// Shorthands of [`Compiler`].
impl Unions {
    /// Reads the unions of a schema alone; references refer to parts of the schema itself. The
    /// [crate](crate) has an example.
    ///
    /// # Errors
    ///
    /// Returns an error if the schema is invalid: the first error that is found.
    pub fn of_schema(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiler().schema(schema)
    }

    /// Reads the unions of a version of a CRD, by default the stored version, from its schema and
    /// from [`ANNOTATION`](crate::ANNOTATION).
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::Settings;
    /// use union_json::{ANNOTATION, Unions};
    ///
    /// let list = json!({"v1": {"/properties/spec": [{"fields-to-discriminateBy": {"git": "Git", "bucket": "Bucket"}}]}});
    /// let crd = json!({
    ///     "metadata": {"annotations": {ANNOTATION: list.to_string()}},
    ///     "spec": {"versions": [{"name": "v1", "storage": true, "schema": {"openAPIV3Schema": {"properties": {
    ///         "spec": {"properties": {"git": {}, "bucket": {}}},
    ///     }}}}]},
    /// });
    /// let unions = Unions::of_crd(&crd, None)?;
    /// let both = json!({"spec": {"git": "x", "bucket": "y"}});
    /// assert!(unions.validate(&both, &Settings::default()).is_err());
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the cases of [`Compiler::crd`].
    pub fn of_crd(crd: &Value, version: Option<&str>) -> Result<Self, SchemaError> {
        Self::compiler().crd(crd, version)
    }

    /// Reads the unions of a schema in an `OpenAPI` document, by its name.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::Unions;
    ///
    /// let document = json!({"components": {"schemas": {"com.example.Source": {
    ///     "properties": {"git": {}, "bucket": {}},
    ///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"git": "Git", "bucket": "Bucket"}}],
    /// }}}});
    /// let unions = Unions::of_openapi(&document, "com.example.Source")?;
    /// assert_eq!(unions.iter().count(), 1);
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the cases of [`Compiler::openapi`].
    pub fn of_openapi(document: &Value, name: &str) -> Result<Self, SchemaError> {
        Self::compiler().openapi(document, name)
    }

    /// Returns a compiler, for custom limits and for unions of third-party types.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }
}
