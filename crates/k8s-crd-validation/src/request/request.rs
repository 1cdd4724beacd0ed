//! A request, with the duplicate keys and the unknown fields of its body.

use serde_json::Value;

use super::advice::{Advice, AdviceList};
use super::checks::RequestValidation;
use super::generation::{prepare_create, prepare_update, restore_generation};
use super::stored_object::copy_field;

use crate::decode::ratchet::OldObject;
use crate::decode::strict::{self, BodyType, DuplicateKey};
use crate::metadata::{METADATA, meta};
use crate::schema::StructuralSchema;
use crate::schema::unknown::unknown_fields::{UnknownField, UnknownFields};
use crate::settings::{FieldValidation, ServerSettings};
use crate::validate::errors::origin::{ErrorOrigin, ErrorOrigins};
use k8s_cel::Feature;
use k8s_json_internals::deep;
use union_runtime::path::FieldPath;
use union_runtime::{Report, ReportParts, Violation};

/// A request for a custom resource, which returns its unknown fields as data. The request also
/// accepts the duplicate keys that a parser of the body found.
///
/// [`StructuralSchema::create`], [`update`](StructuralSchema::update) and
/// [`update_status`](StructuralSchema::update_status) return the same reports.
///
/// ```
/// use k8s_crd_validation::{FieldValidation, Request, ServerSettings, StructuralSchema};
/// use serde_json::json;
///
/// let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
///     "spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
/// }}))?;
/// let strict = ServerSettings::default().field_validation(FieldValidation::Strict);
/// let mut request = Request::new(&schema, &strict);
/// let report = request.create(&mut json!({"kind": "Web", "spec": {"replcas": 3}}));
/// assert_eq!(
///     report.errors()[0].detail(),
///     "Web in version \"\" cannot be handled as a Web: strict decoding error: \
///      unknown field \"spec.replcas\"",
/// );
/// let [unknown] = request.unknown_fields() else { panic!("one field is unknown") };
/// assert_eq!(unknown.path(), "spec.replcas");
/// assert_eq!(unknown.near_name(), Some("replicas"));
/// # Ok::<(), k8s_crd_validation::Report>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a request does nothing until it gets an object"]
pub struct Request<'s> {
    schema: &'s StructuralSchema,
    settings: &'s ServerSettings,
    duplicate_keys: &'s [DuplicateKey],
    unknown_fields: Vec<UnknownField<'s>>,
    gives_advice: bool,
    advice: Vec<Advice>,
    records_origins: bool,
    origins: Option<ErrorOrigins>,
}

impl<'s> Request<'s> {
    /// Returns a request to a server with these settings.
    pub const fn new(schema: &'s StructuralSchema, settings: &'s ServerSettings) -> Self {
        Self {
            schema,
            settings,
            duplicate_keys: &[],
            unknown_fields: Vec::new(),
            gives_advice: false,
            advice: Vec::new(),
            records_origins: false,
            origins: None,
        }
    }

    /// Returns the request with [`advice`](Self::advice) on its errors. The validation of valid
    /// objects does not take longer.
    pub const fn with_advice(mut self) -> Self {
        self.gives_advice = true;
        self
    }

    /// Returns the advice on the errors of the last object, if
    /// [`with_advice`](Self::with_advice) was called: the changes that satisfy `anyOf`, `oneOf` or
    /// `not`, and the reason why an update does not tolerate an error that the stored object has
    /// too. At most 100 errors get advice.
    ///
    /// ```
    /// use k8s_crd_validation::{Request, ServerSettings, StructuralSchema};
    /// use serde_json::json;
    ///
    /// let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
    ///     "spec": {
    ///         "type": "object",
    ///         "properties": {"git": {"type": "string"}, "bucket": {"type": "string"}},
    ///         "oneOf": [{"required": ["git"]}, {"required": ["bucket"]}],
    ///     },
    /// }}))?;
    /// let settings = ServerSettings::default();
    /// let mut request = Request::new(&schema, &settings).with_advice();
    /// let report = request.create(&mut json!({"spec": {"git": "x", "bucket": "y"}}));
    /// assert!(!report.is_accepted());
    /// assert_eq!(
    ///     request.advice()[0].to_string(),
    ///     "`git` and `bucket` are both set: remove `git` or `bucket`",
    /// );
    /// # Ok::<(), k8s_crd_validation::Report>(())
    /// ```
    #[must_use]
    pub fn advice(&self) -> &[Advice] {
        &self.advice
    }

    /// Returns the request with the [`origins`](Self::origins) of its errors. The validation of
    /// valid objects does not take longer.
    pub const fn with_origins(mut self) -> Self {
        self.records_origins = true;
        self
    }

    /// Returns the keywords that report an error of the last object, if
    /// [`with_origins`](Self::with_origins) was called. Several keywords may report errors with the
    /// same message. The result is empty for errors that no schema causes, such as errors of
    /// `metadata`.
    ///
    /// ```
    /// use k8s_crd_validation::{Request, ServerSettings, StructuralSchema};
    /// use serde_json::json;
    ///
    /// let schema = StructuralSchema::compile(&json!({"type": "object", "properties": {
    ///     "size": {"type": "integer", "x-kubernetes-validations": [
    ///         {"rule": "self < 3", "message": "size in body should be at most 3"},
    ///     ]},
    /// }}))?;
    /// let settings = ServerSettings::default();
    /// let mut request = Request::new(&schema, &settings).with_origins();
    /// let report = request.create(&mut json!({"size": 7}));
    /// let [origin] = request.origins(&report.errors()[0]) else { panic!("one keyword") };
    /// assert_eq!((origin.keyword, origin.rule_index), ("x-kubernetes-validations", Some(0)));
    /// # Ok::<(), k8s_crd_validation::Report>(())
    /// ```
    #[must_use]
    pub fn origins(&self, error: &Violation) -> &[ErrorOrigin] {
        let origins = self.origins.as_ref();
        origins
            .map(|origins| origins.get(error))
            .unwrap_or_default()
    }

    fn validation(&mut self) -> RequestValidation<'s> {
        self.start(RequestValidation::new(self.schema, self.settings))
    }

    fn start(&mut self, mut validation: RequestValidation<'s>) -> RequestValidation<'s> {
        self.advice.clear();
        validation.advice = self.gives_advice.then(AdviceList::default);
        validation.origins = self.records_origins.then(ErrorOrigins::default);
        validation
    }

    /// Returns the report of a finished validation, and keeps its advice.
    fn finish(&mut self, validation: RequestValidation<'s>) -> Report {
        self.advice = validation
            .advice
            .map(|list| list.advice)
            .unwrap_or_default();
        self.origins = validation.origins;
        validation.report.into()
    }

    /// Returns the request with the duplicate keys of its body, in the order of the body. They are
    /// reported as [`ServerSettings::field_validation`] prescribes.
    pub const fn duplicate_keys(mut self, keys: &'s [DuplicateKey]) -> Self {
        self.duplicate_keys = keys;
        self
    }

    /// Returns the unknown fields of the last object, which the schema does not describe, in the
    /// order in which a server reports them. The list is empty with [`FieldValidation::Ignore`], or
    /// if the object cannot be decoded.
    ///
    /// As on a server, at most 100 of the fields are in the metadata. The list ends when the paths
    /// exceed 4 MiB in total; the report then has the number of omitted fields.
    #[must_use]
    pub fn unknown_fields(&self) -> &[UnknownField<'s>] {
        &self.unknown_fields
    }

    /// Validates the creation of an object, as [`StructuralSchema::create`] does.
    #[must_use = "the report shows if the request is rejected"]
    pub fn create(&mut self, new: &mut Value) -> Report {
        let schema = self.schema;
        let version = self.settings.version;
        let mut request = self.validation();
        if let Err(violation) = self.decode_new(new, &mut request) {
            return Report::from_iter([*violation]);
        }
        if schema.status_subresource
            && let Some(object) = new.as_object_mut()
        {
            deep::remove(object, "status");
        }
        request.admit_unions(new, None);
        let depends_on_generation = schema.facts.depends_on_generation;
        let sent_generation = if depends_on_generation {
            prepare_create(new)
        } else {
            None
        };
        if request.check_identity(new) {
            if schema.has_metadata(new) {
                let scope = schema.scope(new);
                let mut errors = Vec::new();
                let metadata = new.get("metadata");
                meta::validate_created_object_meta(metadata, scope, version, &mut errors);
                request.add_metadata_errors(errors);
            }
            request.check_schema(StructuralSchema::ROOT, new, None, &FieldPath::root());
            request.check_scale(new, false);
        }
        if request.has_schema_of(new) {
            let mut embedded_errors = Vec::new();
            meta::validate_embedded(schema, new, version, &mut embedded_errors);
            request.record_embedded_errors(&embedded_errors);
            request.add_metadata_errors(embedded_errors);
            request.check_new_lists(new);
            request.check_rules(new, None);
        }
        request.add_metadata_warnings(new, None);
        if depends_on_generation {
            restore_generation(new, sent_generation);
        }
        self.finish(request)
    }

    /// Validates an update of `old`, as [`StructuralSchema::update`] does.
    #[must_use = "the report shows if the request is rejected"]
    pub fn update(&mut self, new: &mut Value, old: &Value) -> Report {
        let schema = self.schema;
        let mut request = self.validation();
        if let Err(violation) = self.decode_new(new, &mut request) {
            return Report::from_iter([*violation]);
        }
        let old = request.decode_stored(old);
        if schema.status_subresource {
            copy_field("status", old.partially_decoded(), new);
        }
        request.admit_unions(new, Some(&old));
        let depends_on_generation = schema.facts.depends_on_generation;
        let sent_generation = if depends_on_generation {
            prepare_update(new, old.decoded())
        } else {
            None
        };
        request.check_metadata(new, &old);
        if request.check_identity(new) {
            let old_object: Option<&dyn OldObject> = Some(&old);
            request.check_schema(StructuralSchema::ROOT, new, old_object, &FieldPath::root());
            request.check_scale(new, false);
        }
        if request.has_schema_of(new) {
            request.check_embedded(new, &old);
            request.check_lists(new, &old);
            request.check_rules(new, Some(&old));
        }
        request.add_metadata_warnings(new, Some(old.partially_decoded()));
        if depends_on_generation {
            restore_generation(new, sent_generation);
        }
        self.finish(request)
    }

    /// Validates an update of the status of `old`, as [`StructuralSchema::update_status`] does.
    #[must_use = "the report shows if the request is rejected"]
    pub fn update_status(&mut self, new: &mut Value, old: &Value) -> Report {
        let schema = self.schema;
        let mut request = self.start(RequestValidation::for_status(schema, self.settings));
        if let Err(violation) = self.decode_new_status(new, &mut request) {
            return Report::from_iter([*violation]);
        }
        let old = schema.undecoded(old);
        StructuralSchema::take_status(new, old.decoded());
        request.admit_status_unions(new, old.decoded());
        request.check_metadata(new, &old);
        if request.check_identity(new) {
            let status_id = schema.node(StructuralSchema::ROOT).property("status");
            if let (Some(status), Some(id)) = (new.get("status"), status_id) {
                // On an API server, a missing old status counts as null.
                let old_status = old.decoded().get("status").unwrap_or(&Value::Null);
                let old_status: Option<&dyn OldObject> = Some(old_status);
                let path = if self.settings.version.has(Feature::StatusPaths) {
                    ["status"].into()
                } else {
                    FieldPath::default()
                };
                request.check_schema(id, status, old_status, &path);
            }
            request.check_scale(new, true);
        }
        if request.has_schema_of(new) {
            request.check_lists(new, &old);
            request.check_rules(new, Some(&old));
        }
        self.finish(request)
    }

    fn decode_new(
        &mut self,
        new: &mut Value,
        request: &mut RequestValidation<'s>,
    ) -> Result<(), Box<Violation>> {
        let mut unknown = self.start_unknown_fields();
        let decoded = request.decode_new(new, &mut unknown);
        decoded.map_err(|error| Box::new(self.complete_decode_error(*error, new)))?;
        self.report_unknown(unknown, new, &mut request.report)
    }

    /// Decodes an object whose status replaces the status of the stored object.
    fn decode_new_status(
        &mut self,
        new: &mut Value,
        request: &mut RequestValidation<'s>,
    ) -> Result<(), Box<Violation>> {
        let mut unknown = self.start_unknown_fields();
        let decoded = self.schema.decode_new(new, &[], &mut (), &mut unknown);
        decoded.map_err(|error| Box::new(self.complete_decode_error(*error, new)))?;
        self.report_unknown(unknown, new, &mut request.report)
    }

    /// Adds the type of the body to the message of an error about invalid metadata, as a server
    /// does. Returns other errors unchanged.
    fn complete_decode_error(&self, error: Violation, new: &Value) -> Violation {
        if *error.path() == METADATA.to_field_path() {
            self.body_type(new).decode_error(error.detail())
        } else {
            error
        }
    }

    /// Returns the type of the object `new`, for errors.
    fn body_type<'b>(&'b self, new: &'b Value) -> BodyType<'b> {
        let mut body_type = BodyType::of(new);
        if let Some(identity) = &self.schema.identity {
            body_type.resource_kind = &identity.kind;
        }
        body_type
    }

    /// Clears the unknown fields of the last object, and returns the collection for the next
    /// object.
    fn start_unknown_fields(&mut self) -> UnknownFields<'s> {
        self.unknown_fields.clear();
        match self.settings.field_validation {
            FieldValidation::Ignore => UnknownFields::off(),
            FieldValidation::Warn | FieldValidation::Strict => UnknownFields::default(),
        }
    }

    fn report_unknown(
        &mut self,
        unknown: UnknownFields<'s>,
        new: &Value,
        report: &mut ReportParts,
    ) -> Result<(), Box<Violation>> {
        let body = || self.body_type(new);
        let validation = self.settings.field_validation;
        let result = strict::report(&unknown, self.duplicate_keys, validation, body, report);
        self.unknown_fields = unknown.fields;
        result
    }
}
