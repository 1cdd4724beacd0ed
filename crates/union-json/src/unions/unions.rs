//! The unions of a schema, and their rules for JSON objects.

use serde::de::{DeserializeSeed as _, Deserializer};
use serde_json::Value;

use crate::limits::Limits;
use crate::unions::places::Place as SchemaPlace;
use crate::walk::part::Part;
use crate::walk::shape::{Shape, ShapeId};
use crate::walk::walk::{Stopped, Walk};
use k8s_json_internals::keyed::Indexes;
use union_runtime::view::{Node, Place, Visitor, VisitorMut};
use union_runtime::{
    Accepted, Admitted, Against, Changes, Found, Requests, Settings, UnionSpec, Violation,
    Violations,
};

/// The unions of a schema, read once for any number of objects.
///
/// The methods are the methods of [`Union`](union_runtime::Union) and the free functions
/// [`normalize`](union_runtime::normalize), [`validate`](union_runtime::validate),
/// [`validate_update`](union_runtime::validate_update), [`admit`](union_runtime::admit) and
/// [`normalize_apply`](union_runtime::normalize_apply), for JSON. All rules are the same, because
/// they are the same code.
#[derive(Clone, Debug, Default)]
pub struct Unions {
    shapes: Vec<Shape>,
    limits: Limits,
}

impl Unions {
    const ROOT: ShapeId = 0;

    pub(crate) const fn new(shapes: Vec<Shape>, limits: Limits) -> Self {
        Self { shapes, limits }
    }

    /// Returns true if there are no unions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Returns the place of the object itself, from which the places of all unions can be reached;
    /// `None` if there are no unions.
    #[must_use]
    pub fn places(&self) -> Option<SchemaPlace<'_>> {
        SchemaPlace::root(&self.shapes)
    }

    /// Returns the unions of all objects that the schema describes, each object once.
    pub fn iter(&self) -> impl Iterator<Item = UnionSpec<'_>> {
        let unions = self.shapes.iter().flat_map(|shape| &shape.unions);
        unions.map(|union| union.spec())
    }

    /// Changes an object to what its client meant, as [`normalize`](union_runtime::normalize) does.
    /// Never fails: an object that exceeds the limits stays as it is, and validation rejects it.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::Unions;
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
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
        Requests::new(*settings).normalize(&mut |at, visitor| {
            // `fits` has checked the limits.
            let _ = self.walk_mut(new, old, at, visitor);
        })
    }

    /// Reads only the parts of an object that [`normalize`](Self::normalize) reads: the fields that
    /// lead to unions, the objects with unions, and the keys of lists on the way. Normalization
    /// changes the same fields in these parts as in the whole object, at the same paths. The other
    /// parts are parsed too, but not kept: an error in them is an error.
    ///
    /// For a webhook that answers with a patch: most bytes of an object are not about unions.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::Unions;
    /// use union_json::union_spec;
    /// use union_runtime::Settings;
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
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the deserializer does.
    pub fn read_part<'de, D: Deserializer<'de>>(&self, object: D) -> Result<Value, D::Error> {
        if self.is_empty() {
            let nothing = Shape::default();
            return Part::Leading(&[], &nothing, None).deserialize(object);
        }
        Part::at(&self.shapes, Self::ROOT, None).deserialize(object)
    }

    /// Checks a new object, as [`validate`](union_runtime::validate) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::Unions;
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
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
    /// Returns an error with all violations, in the order of the schema, or if the object exceeds
    /// the limits.
    pub fn validate(&self, new: &Value, settings: &Settings) -> Result<(), Violations> {
        if !settings.unions || self.is_settled(new) {
            return Ok(());
        }
        let mut stopped = None;
        let outcome = Requests::new(*settings)
            .validate(&mut |at, judge| stopped = self.walk(new, None, at, judge).err());
        within(stopped, outcome, |()| Vec::new())
    }

    /// Checks an update of `old`, as [`validate_update`](union_runtime::validate_update) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::Unions;
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
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
    /// Returns an error with the new violations, and the tolerated violations beside them, or if an
    /// object exceeds the limits.
    pub fn validate_update(
        &self,
        new: &Value,
        old: &Value,
        settings: &Settings,
    ) -> Result<Accepted, Violations> {
        if !settings.unions || self.is_settled(new) {
            return Ok(Accepted::default());
        }
        let mut stopped = None;
        let outcome =
            Requests::new(*settings).validate_update(&|| Some([new, old]), &mut |at, judge| {
                stopped = self.walk(new, Some(old), at, judge).err();
            });
        within(stopped, outcome, |accepted| accepted.ratcheted)
    }

    /// Normalizes and validates `new`, as [`admit`](union_runtime::admit) does for a whole request;
    /// `old` is `None` on a create.
    ///
    /// # Errors
    ///
    /// Returns an error with the new violations, and the tolerated violations beside them, or if an
    /// object exceeds the limits. `new` stays normalized.
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
        Ok(outcome.after(changes))
    }

    /// Normalizes the object that results from a server-side apply, as
    /// [`normalize_apply`](union_runtime::normalize_apply) does.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use union_json::Unions;
    /// # use union_json::union_spec;
    /// # use union_runtime::Settings;
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
    /// Returns an error in the 2019 model if `applied` is ambiguous, and if an object exceeds the
    /// limits. `merged` stays as it was.
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
        let requests = Requests::new(*settings);
        let mut stopped = None;
        let outcome = requests
            .validate_applied(&mut |at, judge| stopped = self.walk(applied, None, at, judge).err());
        within(stopped, outcome, |()| Vec::new())?;
        within(self.beyond(merged), Ok(()), |()| Vec::new())?;
        Ok(requests.normalize_merged(&mut |against, at, visitor| {
            let other = match against {
                Against::Live => live,
                Against::Applied => Some(applied),
            };
            // `fits` has checked the limits.
            let _ = self.walk_mut(merged, other, at, visitor);
        }))
    }

    fn is_settled(&self, value: &Value) -> bool {
        self.is_empty() || self.start().is_settled(Self::ROOT, value)
    }

    fn fits(&self, value: &Value) -> bool {
        self.beyond(value).is_none()
    }

    /// Returns the place at which an object exceeds the limits, if it does.
    fn beyond(&self, value: &Value) -> Option<Stopped> {
        let indexes = Indexes::default();
        self.walk(value, None, &Place::root(&indexes), &mut Nothing)
            .err()
    }

    fn start(&self) -> Walk<'_> {
        Walk::new(&self.shapes, self.limits)
    }

    fn walk<'a>(
        &'a self,
        new: &Value,
        old: Option<&'a Value>,
        at: &Place<'_, 'a>,
        visitor: &mut dyn Visitor,
    ) -> Result<(), Stopped> {
        if self.is_empty() {
            return Ok(());
        }
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
}

/// Adds the violation of an object that exceeds the limits.
#[cold]
fn within<T>(
    stopped: Option<Stopped>,
    outcome: Result<T, Violations>,
    ratcheted: impl FnOnce(T) -> Vec<Violation>,
) -> Result<T, Violations> {
    let Some(stopped) = stopped else {
        return outcome;
    };
    let mut found = outcome.map_or_else(
        |violations| violations,
        |accepted| Violations::new(Vec::new(), ratcheted(accepted)),
    );
    found.push(refused(stopped));
    Err(found)
}

/// Returns the violation of an object that exceeds the limits.
fn refused(stopped: Stopped) -> Violation {
    Violation::invalid(stopped.path, Found::Nothing, stopped.why)
}

/// A visitor that does nothing: the walk itself finds out if an object exceeds the limits.
struct Nothing;

impl Visitor for Nothing {
    fn visit(&mut self, _: &dyn Node, _: Option<&dyn Node>, _: &Place<'_, '_>) {}
}
