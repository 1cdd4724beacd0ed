//! The unions of a schema, which normalize and validate JSON objects.

use serde::de::{DeserializeSeed as _, Deserializer};
use serde_json::Value;

use crate::error::SchemaError;
use crate::limits::Limits;
use crate::unions::schema_node::SchemaNode;
use crate::walk::compiled_node::{CompiledNode, NodeId};
use crate::walk::partial_object::PartialObject;
use crate::walk::walk::{LimitedWalk, WalkError};
use k8s_json_internals::element_index::IndexCache;
#[cfg(doc)]
use union_runtime::Union;
use union_runtime::spec::{Baseline, Cursor, Node, Requests, Visitor, VisitorMut};
use union_runtime::{BadValue, Changes, Report, Settings, UnionSpec, Violation};

/// The unions of a schema, which is compiled once and then used for any number of objects.
///
/// The methods correspond to the methods of [`Union`](trait@union_runtime::Union), but take JSON.
/// Both have the same implementation of the rules.
#[derive(Clone, Debug, Default)]
pub struct Unions {
    nodes: Vec<CompiledNode>,
    limits: Limits,
    errors: Vec<SchemaError>,
}

impl Unions {
    const ROOT: NodeId = 0;

    pub(crate) const fn new(
        nodes: Vec<CompiledNode>,
        limits: Limits,
        errors: Vec<SchemaError>,
    ) -> Self {
        Self {
            nodes,
            limits,
            errors,
        }
    }

    /// Returns the errors in the parts of the schema that a [`lenient`](crate::Compiler::lenient)
    /// compiler skipped. The list is empty for other compilers.
    #[must_use]
    pub fn errors(&self) -> &[SchemaError] {
        &self.errors
    }

    /// Returns true if the schema contains no unions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node of the whole object, from which all nodes can be reached, or `None` if the
    /// schema contains no unions.
    #[must_use]
    pub fn root_node(&self) -> Option<SchemaNode<'_>> {
        SchemaNode::root(&self.nodes)
    }

    /// Returns all unions of the schema. The unions of a schema to which several references refer
    /// are returned once.
    pub fn iter(&self) -> impl Iterator<Item = UnionSpec<'_>> {
        let unions = self.nodes.iter().flat_map(|node| &node.unions);
        unions.map(|union| union.spec())
    }

    /// Changes an object to the object that the client meant, as [`Union::normalize_unions`] does.
    /// The method never fails. An object that exceeds the limits is not changed, and validation
    /// rejects such an object.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::{SchemaSource, Unions};
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
    /// # let strategy = union_spec! {
    /// #     discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate",
    /// # };
    /// # let unions = Unions::compiler().union_at("", strategy).compile(SchemaSource::WithoutSchema)?;
    /// let old = json!({"type": "RollingUpdate", "rollingUpdate": {}});
    /// let mut new = json!({"type": "Recreate", "rollingUpdate": {}});
    /// let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    /// assert_eq!(changes.to_string(), "rollingUpdate: cleared");
    /// assert_eq!(new, json!({"type": "Recreate"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn normalize(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Changes {
        if !settings.unions
            || settings.keeps_settled_objects() && self.is_settled(new)
            || !self.is_within_limits(new)
        {
            return Changes::default();
        }
        Requests::new(*settings).normalize(&mut |cursor, visitor| {
            // The walk cannot fail, because `is_within_limits` has checked the limits.
            let _ = self.walk_mut(new, old, cursor, visitor);
        })
    }

    /// Deserializes only the parts of an object that [`normalize`](Self::normalize) reads: the
    /// objects with unions, the fields that contain such objects, and the keys of lists that
    /// contain such objects.
    /// Normalization makes the same changes to these parts as to the whole object, at the same
    /// paths. All other parts are parsed but not kept, so invalid JSON in these parts is an error.
    ///
    /// This method saves time in a webhook that responds with a patch, because most parts of an
    /// object contain no unions.
    ///
    /// ```
    /// use serde_json::{Deserializer, json};
    /// use union_json::{SchemaSource, Unions, union_spec};
    /// use union_runtime::Settings;
    ///
    /// let source = union_spec! { discriminator = "type", "Git" => "git", "S3" => "s3" };
    /// let compiler = Unions::compiler().union_at("/properties/source", source);
    /// let unions = compiler.compile(SchemaSource::WithoutSchema)?;
    /// let read = |json: &str| unions.read_partial(&mut Deserializer::from_str(json)).unwrap();
    ///
    /// let old = read(r#"{"kind": "A", "source": {"type": "Git", "git": "x"}}"#);
    /// let mut new = read(r#"{"kind": "A", "source": {"type": "S3", "git": "x", "s3": "y"}}"#);
    /// assert_eq!(new, json!({"source": {"type": "S3", "git": "x", "s3": "y"}}));
    /// let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    /// assert_eq!(changes.to_string(), "source.git: cleared");
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the deserializer returns an error.
    pub fn read_partial<'de, D: Deserializer<'de>>(&self, object: D) -> Result<Value, D::Error> {
        if self.is_empty() {
            let empty_node = CompiledNode::default();
            return PartialObject::FieldsWithUnions(&[], &empty_node, None).deserialize(object);
        }
        PartialObject::new(&self.nodes, Self::ROOT, None).deserialize(object)
    }

    /// Validates a new object, as [`Union::validate_unions`] does. The errors are in the order of
    /// the schema. The report also has an error if the object exceeds the limits.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::{SchemaSource, Unions};
    /// # use union_json::union_spec;
    /// # let strategy = union_spec! {
    /// #     discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate",
    /// # };
    /// # let unions = Unions::compiler().union_at("", strategy).compile(SchemaSource::WithoutSchema)?;
    /// let report = unions.validate(&json!({"type": "Recreat"}));
    /// assert_eq!(
    ///     report.to_string(),
    ///     r#"type: Unsupported value: "Recreat": supported values: "Recreate", "RollingUpdate""#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the report shows if the object is rejected"]
    pub fn validate(&self, new: &Value) -> Report {
        if self.is_settled(new) {
            return Report::default();
        }
        let mut limit_error = None;
        let report = Requests::new(Settings::default()).validate(&mut |cursor, visitor| {
            limit_error = self.walk(new, None, cursor, visitor).err();
        });
        add_limit_violation(limit_error, report)
    }

    /// Validates an update from `old` to `new`, as [`Union::validate_unions_update`] does. The
    /// report also has an error if the object exceeds the limits.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::{SchemaSource, Unions};
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
    /// # let strategy = union_spec! {
    /// #     discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate",
    /// # };
    /// # let unions = Unions::compiler().union_at("", strategy).compile(SchemaSource::WithoutSchema)?;
    /// let old = json!({"type": "RollingUpdate", "note": "old"});
    /// let new = json!({"type": "RollingUpdate", "note": "new"});
    /// let report = unions.validate_update(&new, &old, &Settings::default());
    /// assert!(report.is_accepted());
    /// assert_eq!(report.tolerated()[0].path(), "rollingUpdate");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the report shows if the object is rejected"]
    pub fn validate_update(&self, new: &Value, old: &Value, settings: &Settings) -> Report {
        if !settings.unions || self.is_settled(new) {
            return Report::default();
        }
        let mut limit_error = None;
        let report = Requests::new(*settings).validate_update(
            &|| Some([new, old]),
            &mut |cursor, visitor| {
                limit_error = self.walk(new, Some(old), cursor, visitor).err();
            },
        );
        add_limit_violation(limit_error, report)
    }

    /// Normalizes and validates `new`, as [`Union::admit_unions`] does. `old` is `None` if the
    /// request creates the object. The report also has an error if the object exceeds the limits.
    #[must_use = "the report shows if the object is rejected"]
    pub fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report {
        let changes = self.normalize(new, old, settings);
        let report = match old {
            Some(old) => self.validate_update(new, old, settings),
            None if settings.unions => self.validate(new),
            None => Report::default(),
        };
        report.with_changes(changes)
    }

    /// Normalizes the object that results from a server-side apply, as
    /// [`Union::normalize_unions_apply`] does. The report has errors if `applied` is ambiguous in
    /// the 2019 model, or if an object exceeds the limits. In both cases, `merged` is not changed.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::{SchemaSource, Unions};
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
    /// let source = union_spec! { at_most_one, "Git" => "git", "Bucket" => "bucket" };
    /// let unions = Unions::compiler().union_at("", source).compile(SchemaSource::WithoutSchema)?;
    ///
    /// let (applied, live) = (json!({"git": "x"}), json!({"bucket": "y"}));
    /// let mut merged = json!({"git": "x", "bucket": "y"});
    /// let settings = Settings::default();
    /// let report = unions.normalize_apply(&mut merged, &applied, Some(&live), &settings);
    /// assert!(report.is_accepted());
    /// assert_eq!(merged, applied);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "the report shows if the object is rejected"]
    pub fn normalize_apply(
        &self,
        merged: &mut Value,
        applied: &Value,
        live: Option<&Value>,
        settings: &Settings,
    ) -> Report {
        if !settings.unions {
            return Report::default();
        }
        let requests = Requests::new(*settings);
        let mut limit_error = None;
        let report = requests.validate_applied(&mut |cursor, visitor| {
            limit_error = self.walk(applied, None, cursor, visitor).err();
        });
        let mut report = add_limit_violation(limit_error, report);
        if report.is_accepted() {
            report = add_limit_violation(self.exceeded_limit(merged), report);
        }
        if !report.is_accepted() {
            return report;
        }
        let changes = requests.normalize_merged(&mut |baseline, cursor, visitor| {
            let old = match baseline {
                Baseline::Live => live,
                Baseline::Applied => Some(applied),
            };
            // The walk cannot fail, because `exceeded_limit` has checked the limits.
            let _ = self.walk_mut(merged, old, cursor, visitor);
        });
        report.with_changes(changes)
    }

    fn is_settled(&self, value: &Value) -> bool {
        self.is_empty() || self.limited_walk().is_settled(Self::ROOT, value)
    }

    fn is_within_limits(&self, value: &Value) -> bool {
        self.exceeded_limit(value).is_none()
    }

    /// Returns the error of an object that exceeds the limits.
    fn exceeded_limit(&self, value: &Value) -> Option<WalkError> {
        let index_cache = IndexCache::default();
        self.walk(value, None, &Cursor::root(&index_cache), &mut NoopVisitor)
            .err()
    }

    fn limited_walk(&self) -> LimitedWalk<'_> {
        LimitedWalk::new(&self.nodes, self.limits)
    }

    fn walk<'a>(
        &'a self,
        new: &Value,
        old: Option<&'a Value>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), WalkError> {
        if self.is_empty() {
            return Ok(());
        }
        self.limited_walk()
            .walk(Self::ROOT, new, old, cursor, visitor)
    }

    fn walk_mut<'a>(
        &'a self,
        new: &mut Value,
        old: Option<&'a Value>,
        cursor: &Cursor<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), WalkError> {
        if self.is_empty() {
            return Ok(());
        }
        self.limited_walk()
            .walk_mut(Self::ROOT, new, old, cursor, visitor)
    }
}

/// Adds the error of a walk to a report, if there is an error.
fn add_limit_violation(limit_error: Option<WalkError>, mut report: Report) -> Report {
    if let Some(limit_error) = limit_error {
        report.push(limit_violation(limit_error));
    }
    report
}

/// Converts the error of a walk to an error of a report.
fn limit_violation(limit_error: WalkError) -> Violation {
    Violation::invalid(limit_error.path, BadValue::Omitted, limit_error.reason)
}

/// A visitor that does nothing, for a walk that only checks the limits.
struct NoopVisitor;

impl Visitor for NoopVisitor {
    fn visit(&mut self, _: &dyn Node, _: Option<&dyn Node>, _: &Cursor<'_, '_>) {}
}
