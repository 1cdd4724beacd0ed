//! The unions of a schema, and what they make of an object.

use serde::de::{DeserializeSeed as _, Deserializer};
use serde_json::Value;

use super::compiler::Compiler;
use super::error::SchemaError;
use super::limits::Limits;
use super::part::Part;
use super::places::Place as SchemaPlace;
use super::shape::{Shape, ShapeId};
use super::walk::{Stopped, Walk};
use crate::report::changes::Changes;
use crate::report::violation::{Found, Violation};
use crate::report::violations::Violations;
use crate::rules::admit::{Accepted, Admitted};
use crate::rules::apply;
use crate::rules::apply::Against;
use crate::rules::judge::{FindingAt, Which, judge};
use crate::rules::normalize::{Normalizer, by_model};
use crate::rules::ratchet::Ratchet;
use crate::rules::settings::Settings;
use crate::spec::UnionSpec;
use crate::walk::node::Node;
use crate::walk::node::{Visitor, VisitorMut};
use crate::walk::place::Place;
use k8s_json_internals::keyed::Indexes;

/// The unions of a schema, read once for any number of objects.
///
/// The methods are those of [`Union`](crate::Union) and the free functions [`normalize`](crate::normalize),
/// [`validate`](crate::validate), [`validate_update`](crate::validate_update), [`admit`](crate::admit) and
/// [`normalize_apply`](crate::normalize_apply), for JSON; every rule is the same, being the same code.
#[derive(Clone, Debug, Default)]
pub struct Unions {
    shapes: Vec<Shape>,
    limits: Limits,
}

impl Unions {
    const ROOT: ShapeId = 0;

    pub(super) const fn new(shapes: Vec<Shape>, limits: Limits) -> Self {
        Self { shapes, limits }
    }

    /// Reads the unions of a schema alone; references in it lead into itself. The [module](super) has an example.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the schema.
    pub fn of_schema(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiler().schema(schema)
    }

    /// Reads the unions of a version of a CRD, by default the one that is stored, from its schema and from
    /// [`ANNOTATION`](super::ANNOTATION).
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::Settings;
    /// use union_runtime::engine::{ANNOTATION, Unions};
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
    /// # Ok::<(), union_runtime::engine::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Compiler::crd`].
    pub fn of_crd(crd: &Value, version: Option<&str>) -> Result<Self, SchemaError> {
        Self::compiler().crd(crd, version)
    }

    /// Reads the unions of a schema in an `OpenAPI` document, by its name.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::engine::Unions;
    ///
    /// let document = json!({"components": {"schemas": {"com.example.Source": {
    ///     "properties": {"git": {}, "bucket": {}},
    ///     "x-kubernetes-unions": [{"fields-to-discriminateBy": {"git": "Git", "bucket": "Bucket"}}],
    /// }}}});
    /// let unions = Unions::of_openapi(&document, "com.example.Source")?;
    /// assert_eq!(unions.iter().count(), 1);
    /// # Ok::<(), union_runtime::engine::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Compiler::openapi`].
    pub fn of_openapi(document: &Value, name: &str) -> Result<Self, SchemaError> {
        Self::compiler().openapi(document, name)
    }

    /// Reads with limits of yours, and unions of types that belong to others.
    #[must_use]
    pub fn compiler() -> Compiler {
        Compiler::default()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Where the schema has them, from the object itself on; `None` if there are none.
    #[must_use]
    pub fn places(&self) -> Option<SchemaPlace<'_>> {
        SchemaPlace::root(&self.shapes)
    }

    /// The unions of all objects that the schema describes, each object once.
    pub fn iter(&self) -> impl Iterator<Item = UnionSpec<'_>> {
        let unions = self.shapes.iter().flat_map(|shape| &shape.unions);
        unions.map(|union| union.spec())
    }

    /// Makes an object say what its client meant, as [`normalize`](crate::normalize) does. Never fails: an object beyond
    /// the limits stays as it is, and validation refuses it.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_runtime::engine::Unions;
    /// # use union_runtime::{Settings, union_spec};
    /// # let strategy = union_spec! { discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate" };
    /// # let unions = Unions::compiler().union_at("", strategy).places()?;
    /// let old = json!({"type": "RollingUpdate", "rollingUpdate": {}});
    /// let mut new = json!({"type": "Recreate", "rollingUpdate": {}});
    /// let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    /// assert_eq!(changes.to_string(), "rollingUpdate: cleared");
    /// assert_eq!(new, json!({"type": "Recreate"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn normalize(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Changes {
        if !settings.unions || settings.leaves_settled() && self.is_settled(new) || !self.fits(new)
        {
            return Changes::default();
        }
        let mut normalizer = Normalizer::new(by_model, settings.restore_unaware);
        // It fits.
        let _ = self.walk_mut(new, old, &Place::root(&Indexes::default()), &mut normalizer);
        normalizer.changes
    }

    /// Reads of an object no more than [`normalize`](Self::normalize) looks at: what leads to unions, the objects that have
    /// them, and the keys of lists on the way. It changes the same in that as in the whole object, at the same paths. What is left out
    /// is read too, but not kept: what is wrong with it is an error.
    ///
    /// For a webhook that answers with a patch: of the bytes of an object, most are about other things.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::engine::Unions;
    /// use union_runtime::{Settings, union_spec};
    ///
    /// let source = union_spec! { discriminator = "type", "Git" => "git", "S3" => "s3" };
    /// let unions = Unions::compiler().union_at("/properties/source", source).places()?;
    /// let read = |text: &str| unions.read_part(&mut serde_json::Deserializer::from_str(text)).unwrap();
    ///
    /// let old = read(r#"{"metadata": {"name": "a"}, "source": {"type": "Git", "git": "x"}}"#);
    /// let mut new = read(r#"{"metadata": {"name": "a"}, "source": {"type": "S3", "git": "x", "s3": "y"}}"#);
    /// assert_eq!(new, json!({"source": {"type": "S3", "git": "x", "s3": "y"}}));
    /// let changes = unions.normalize(&mut new, Some(&old), &Settings::default());
    /// assert_eq!(changes.to_string(), "source.git: cleared");
    /// # Ok::<(), union_runtime::engine::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    pub fn read_part<'de, D: Deserializer<'de>>(&self, object: D) -> Result<Value, D::Error> {
        if self.is_empty() {
            let nothing = Shape::default();
            return Part::Leading(&[], &nothing, None).deserialize(object);
        }
        Part::at(&self.shapes, Self::ROOT, None).deserialize(object)
    }

    /// Checks a new object, as [`validate`](crate::validate) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_runtime::engine::Unions;
    /// # use union_runtime::{Settings, union_spec};
    /// # let strategy = union_spec! { discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate" };
    /// # let unions = Unions::compiler().union_at("", strategy).places()?;
    /// let refused = unions.validate(&json!({"type": "Recreat"}), &Settings::default()).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     r#"type: Unsupported value: "Recreat": supported values: "Recreate", "RollingUpdate""#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All violations, in the order of the schema; that the object is beyond the limits.
    pub fn validate(&self, new: &Value, settings: &Settings) -> Result<(), Violations> {
        if !settings.unions || self.is_settled(new) {
            return Ok(());
        }
        self.judge(new, None, |_, _| true, &mut |_| false).map(drop)
    }

    /// Checks an update of `old`, as [`validate_update`](crate::validate_update) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_runtime::engine::Unions;
    /// # use union_runtime::{Settings, union_spec};
    /// # let strategy = union_spec! { discriminator = "type", "Recreate" => (), "RollingUpdate" => "rollingUpdate" };
    /// # let unions = Unions::compiler().union_at("", strategy).places()?;
    /// let old = json!({"type": "RollingUpdate", "note": "old"});
    /// let new = json!({"type": "RollingUpdate", "note": "new"});
    /// let outcome = unions.validate_update(&new, &old, &Settings::default())?;
    /// assert_eq!(outcome.ratcheted[0].path(), "rollingUpdate");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The violations that are new; the tolerated ones come with them. That the object is beyond the limits.
    pub fn validate_update(
        &self,
        new: &Value,
        old: &Value,
        settings: &Settings,
    ) -> Result<Accepted, Violations> {
        if !settings.unions || self.is_settled(new) {
            return Ok(Accepted::default());
        }
        let mut tolerates = |found: &FindingAt<'_, '_>| match settings.ratchet {
            Ratchet::SameReason => found.has_same_reason(|| Some([new, old])),
            Ratchet::Unchanged => found.is_unchanged(Some([new, old])),
            Ratchet::Off => false,
        };
        self.judge(new, Some(old), |_, _| true, &mut tolerates)
    }

    /// The whole flow of a request, as [`admit`](crate::admit): normalizes `new`, then validates it; `old` is `None` on a
    /// create.
    ///
    /// # Errors
    ///
    /// The violations that are new; the tolerated ones come with them. `new` stays normalized. That the object is beyond
    /// the limits.
    pub fn admit(
        &self,
        new: &mut Value,
        old: Option<&Value>,
        settings: &Settings,
    ) -> Result<Admitted, Violations> {
        let changes = self.normalize(new, old, settings);
        let outcome = match old {
            Some(old) => self.validate_update(new, old, settings)?,
            None => self.validate(new, settings).map(|()| Accepted::default())?,
        };
        let ratcheted = outcome.ratcheted;
        Ok(Admitted { changes, ratcheted })
    }

    /// Normalizes the object that a server-side apply makes, as [`normalize_apply`](crate::normalize_apply) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_runtime::engine::Unions;
    /// # use union_runtime::{Settings, union_spec};
    /// let source = union_spec! { at_most_one, "Git" => "git", "Bucket" => "bucket" };
    /// let unions = Unions::compiler().union_at("", source).places()?;
    ///
    /// let (applied, live) = (json!({"git": "x"}), json!({"bucket": "y"}));
    /// let mut merged = json!({"git": "x", "bucket": "y"});
    /// unions.normalize_apply(&applied, Some(&live), &mut merged, &Settings::default())?;
    /// assert_eq!(merged, applied);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// In the 2019 model, where `applied` does not say one thing; and where an object is beyond the limits. `merged` stays
    /// as it was then.
    pub fn normalize_apply(
        &self,
        applied: &Value,
        live: Option<&Value>,
        merged: &mut Value,
        settings: &Settings,
    ) -> Result<Changes, Violations> {
        if !settings.unions {
            return Ok(Changes::default());
        }
        self.judge(applied, None, apply::contradicts, &mut |_| false)?;
        if let Err(stopped) = self.walk(merged, None, &mut Nothing) {
            return Err(Violations::new(vec![refused(stopped)], Vec::new()));
        }
        Ok(apply::normalize(
            settings.restore_unaware,
            &mut |against, visitor| {
                let indexes = Indexes::default();
                let (other, at) = match against {
                    Against::Live => (live, Place::root(&indexes)),
                    Against::Applied => (Some(applied), Place::applied(&indexes)),
                };
                // It fits.
                let _ = self.walk_mut(merged, other, &at, visitor);
            },
        ))
    }

    fn is_settled(&self, value: &Value) -> bool {
        self.is_empty() || self.start().is_settled(Self::ROOT, value)
    }

    fn fits(&self, value: &Value) -> bool {
        self.walk(value, None, &mut Nothing).is_ok()
    }

    fn start(&self) -> Walk<'_> {
        Walk::new(&self.shapes, self.limits)
    }

    fn walk<'a>(
        &'a self,
        new: &Value,
        old: Option<&'a Value>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Stopped> {
        if self.is_empty() {
            return Ok(());
        }
        let indexes = Indexes::default();
        let at = &Place::root(&indexes);
        self.start().walk(Self::ROOT, new, old, at, visitor)
    }

    fn walk_mut<'a>(
        &'a self,
        new: &mut Value,
        old: Option<&'a Value>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn VisitorMut,
    ) -> Result<(), Stopped> {
        if self.is_empty() {
            return Ok(());
        }
        self.start().walk_mut(Self::ROOT, new, old, at, visitor)
    }

    /// Judges by the findings that count, and refuses an object beyond the limits.
    #[cold]
    fn judge(
        &self,
        new: &Value,
        old: Option<&Value>,
        which: Which,
        tolerates: &mut dyn FnMut(&FindingAt<'_, '_>) -> bool,
    ) -> Result<Accepted, Violations> {
        let mut stopped = None;
        let outcome = judge(
            &mut |visitor| stopped = self.walk(new, old, visitor).err(),
            which,
            tolerates,
        );
        match stopped {
            None => outcome,
            Some(stopped) => {
                let found = match outcome {
                    Ok(outcome) => Violations::new(Vec::new(), outcome.ratcheted),
                    Err(violations) => violations,
                };
                Err(found.with(refused(stopped)))
            }
        }
    }
}

/// What is said of an object beyond the limits.
fn refused(stopped: Stopped) -> Violation {
    Violation::invalid(stopped.path, Found::Nothing, stopped.why)
}

/// Looks at nothing: the walk itself tells whether an object is within the limits.
struct Nothing;

impl Visitor for Nothing {
    fn visit(&mut self, _: &dyn Node, _: Option<&dyn Node>, _: &Place<'_, '_>) {}
}
