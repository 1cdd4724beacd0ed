//! The table of features that depend on the version of Kubernetes.

use core::fmt;

use super::version::KubeVersion;

/// A row of the table.
struct FeatureRow {
    name: &'static str,
    kind: FeatureKind,
    /// The minor version that introduced the feature.
    introduced: u16,
    /// The first minor version that has the feature by default.
    since: u16,
    /// The first minor version in which the feature cannot be turned off.
    locked: u16,
    source: &'static str,
}

/// The kind of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeatureKind {
    /// A part of a CEL library. New rules have the libraries of
    /// [`KubeVersion::of_new_rules`], stored rules the libraries of the server's version.
    Library,
    /// A part of the CEL language, which depends on the server's version of cel-go. New rules and
    /// stored rules have the language of the server's version.
    Language,
    /// A feature gate, which is off by default in some versions.
    Gate,
    /// A behavior of the server itself.
    Server,
    /// A kind of objects in one version of its API.
    Api,
}

/// Returns the row of a CEL library.
const fn library(name: &'static str, introduced: u16) -> FeatureRow {
    FeatureRow {
        name,
        kind: FeatureKind::Library,
        introduced,
        since: introduced,
        locked: introduced,
        source: "apiserver, `pkg/cel/environment/base.go`",
    }
}

/// Returns the row of a part of the language.
const fn language(name: &'static str, since: u16) -> FeatureRow {
    FeatureRow {
        name,
        kind: FeatureKind::Language,
        introduced: since,
        since,
        locked: since,
        source: "cel-go, in the version of the server's `go.mod`",
    }
}

/// Returns the row of a behavior of the server.
const fn server(name: &'static str, since: u16, source: &'static str) -> FeatureRow {
    FeatureRow {
        name,
        kind: FeatureKind::Server,
        introduced: since,
        since,
        locked: since,
        source,
    }
}

/// Returns the row of a feature gate, with its first version, the first version in which the gate
/// is on by default, and the first version in which the gate is always on.
const fn gate(
    name: &'static str,
    [introduced, since, locked]: [u16; 3],
    source: &'static str,
) -> FeatureRow {
    FeatureRow {
        name,
        kind: FeatureKind::Gate,
        introduced,
        since,
        locked,
        source,
    }
}

/// Returns the row of a kind of objects.
const fn api(name: &'static str, since: u16, source: &'static str) -> FeatureRow {
    FeatureRow {
        name,
        kind: FeatureKind::Api,
        introduced: since,
        since,
        locked: since,
        source,
    }
}

/// Writes the enum and the table from the rows.
macro_rules! features {
    ($($(#[doc = $doc:literal])+ $feature:ident => $row:expr;)+) => {
        /// A feature that depends on the version of Kubernetes: a CEL library, a part of the
        /// language, a feature gate, a behavior of the server, or a kind of objects.
        ///
        /// The table lists all features, with their versions and sources:
        ///
        #[doc = include_str!("../../versions.md")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Feature {
            $($(#[doc = $doc])+ $feature,)+
        }

        impl Feature {
            /// All features, sorted by kind and version.
            pub const ALL: &[Self] = &[$(Self::$feature,)+];

            const fn row(self) -> &'static FeatureRow {
                match self {
                    $(Self::$feature => {
                        const ROW: FeatureRow = $row;
                        &ROW
                    })+
                }
            }
        }
    };
}

features! {
    /// The functions of the authorizer.
    Authorizer => library("functions of the authorizer", 27);
    /// Comparisons of numbers of different types, such as `1 < 1.5`.
    MixedComparisons => library("comparisons of numbers of different types", 28);
    /// Optional values: `.?`, `[?]`, `optional.of`, `optMap`.
    Optionals => library("optional values: `.?`, `[?]`, `optional.of`, `optMap`", 28);
    /// The functions of quantities.
    Quantities => library("functions of quantities: `quantity`, `isQuantity`", 28);
    /// The validation of literals of durations, timestamps, patterns and format strings.
    LiteralValidation => library("validation of literals: durations, timestamps, patterns, format strings", 29);
    /// The second version of the library of strings.
    StringsVersion2 => library("strings, version 2: `format`, `join` of strings only, `strings.quote`", 29);
    /// The functions of sets.
    Sets => library("functions of sets: `sets.contains`, `sets.equivalent`, `sets.intersects`", 29);
    /// The functions of addresses and networks.
    IpAndCidr => library("functions of addresses: `ip`, `isIP`, `cidr`, `isCIDR`", 30);
    /// Named formats, such as `format.dns1123Label()`.
    NamedFormats => library("named formats: `format.dns1123Label()` and the like", 31);
    /// Fields whose name is a reserved word, without underscores: `self.namespace`.
    ReservedFieldNames => library("fields named by a reserved word: `self.namespace` for `self.__namespace__`", 31);
    /// Macros with two variables.
    TwoVariableMacros => library("macros with two variables: `all(i, v, ...)`, `transformList` and the like", 32);
    /// The functions of semantic versions.
    Semver => library("functions of semantic versions: `semver`, `isSemver`", 33);
    /// The third version of the library of lists.
    ListsVersion3 => library("lists, version 3: `distinct`, `flatten`, `slice`, `sort`, `sortBy` and others", 34);
    /// The function `includes` of lists.
    Includes => library("`includes` of lists: `list.includes(element)`", 37);

    /// The global form of `matches`.
    GlobalMatches => language("`matches(string, pattern)`, beside `string.matches(pattern)`", 28);
    /// The macro `optFlatMap` of optional values.
    OptFlatMap => language("`optFlatMap` of optional values", 29);
    /// The requirement that the elements of a list or map literal have equal types.
    ElementTypeValidation => language("the elements of a list or map literal must have equal types; before, an element of type `dyn` matches all types", 29);
    /// The overloads of conversions.
    ConversionOverloads => language("the type of the argument selects the overload of a conversion at run time; before, `string(dyn(null))` is `null`, and `string(dyn(optional.of(1)).value())` is `1`", 29);
    /// The order in which overloads are tried.
    SortedOverloads => language("an argument of unknown type has the type of the first overload by name: `[][0] + [][0]` are bytes; before, integers", 29);
    /// The estimated costs of `has` and `.?`.
    PresenceCosts => language("the estimated cost of `has` is the cost of its operand, and `a.?b` has an estimated cost", 29);
    /// The estimated cost of `in` for a list whose size is unknown.
    UnknownListSizes => language("the estimated cost of `in` for a list of unknown size is the maximum; before, half of the maximum", 29);
    /// The sizes of the results of macros in estimated costs.
    ComprehensionSizes => language("estimated costs use the size of the list or map for the size of the result of `map`, `filter` and other macros", 30);
    /// The name of the type of optional values.
    OptionalTypeName => language("`optional_type` names the type of optional values", 31);
    /// The validation of literal templates of `format`, and mixed types in its arguments.
    FormatValidation => language("literal templates of `format` are validated, and all lists and maps inside its arguments may have elements of different types", 31);
    /// The results of `indexOf` and `lastIndexOf` for offsets beyond the end of the string.
    OffsetsBeyondEnd => language("`indexOf` and `lastIndexOf` return -1 for an offset beyond the end of the string", 32);
    /// The variables of `optMap` and `optFlatMap`, which are evaluated at their first use.
    LazyVariables => language("the variable of `optMap` and `optFlatMap` is evaluated, and has a cost, at its first use", 32);
    /// The targets of `optMap` and `optFlatMap` whose types contain type parameters.
    OptMapOfUntypedTargets => language("the target of `optMap` and `optFlatMap` may have a type with type parameters, such as `optional.none()`", 32);
    /// The second version of the library of optional values.
    OptionalsVersion2 => language("optional values, version 2: `first`, `last`, `optional.unwrap`, `unwrapOpt`", 33);
    /// The type of the second variable of a macro over a value of type `dyn`.
    DynLoopVariables => language("the second variable of a macro over a value of type `dyn` has the type `dyn`; before, no type", 33);
    /// The sizes of optional values in the costs of comparisons.
    OptionalSizes => language("the cost of comparing optional values depends on the sizes of their contents", 33);
    /// The sizes of elements and variables in estimated costs.
    ElementSizes => language("estimated costs use the sizes of elements of literals, of values of variables in macros, and of arguments of `dyn`", 33);
    /// The result of `lastIndexOf` for an empty string.
    LastIndexInEmptyString => language("`lastIndexOf` of an empty string returns -1", 34);
    /// Names of fields in backticks, for keys of maps.
    QuotedFieldNames => language("names of fields in backticks: ``self.labels.`a-b` ``", 37);
    /// Names with a leading dot that skip the variables of macros.
    RootScope => language("a leading dot skips the variables of macros: `.self` in `all(self, ...)`", 37);
    /// The absence of the conversion of integers to durations.
    NoDurationFromInt => language("`duration` does not convert integers", 37);
    /// Errors of the functions of lists for negative arguments.
    NonNegativeListArguments => language("`lists.range` and `flatten` reject negative arguments", 37);
    /// Errors of `or` and `orValue` for receivers that are not optional.
    OptionalReceivers => language("`or` and `orValue` reject a receiver that is not optional", 37);
    /// The parameters of the types `list`, `map` and `optional_type` in messages.
    DynTypeParameters => language("messages name the types `list(dyn)`, `map(dyn, dyn)` and `optional_type(dyn)`", 37);
    /// The results of `optMap` and `optFlatMap` for values of all types.
    OptionalResults => language("`optMap` and `optFlatMap` return results of all types unchanged, such as absent optional values and types", 37);
    /// The results of `indexOf` and `lastIndexOf` for empty substrings.
    EmptySubstringBounds => language("`indexOf` and `lastIndexOf` of an empty substring return an index inside of the string", 37);
    /// The schema of `oldSelf` with `optionalOldSelf`.
    OldSelfSchema => language("`oldSelf` keeps its schema with `optionalOldSelf`", 37);
    /// The cost of the string in the global form of `matches`.
    GlobalMatchesCost => language("the cost of `matches(string, pattern)` includes the length of the string", 37);
    /// The costs of `startsWith` and `endsWith`.
    AffixCost => language("the costs of `startsWith` and `endsWith` depend on the length of the argument instead of the receiver", 37);

    /// The feature gate `CRDValidationRatcheting`: an update may keep invalid values that it does
    /// not change.
    Ratcheting => gate("`CRDValidationRatcheting`: an update may keep invalid values that it does not change", [28, 30, 33], "KEP-4008; apiextensions-apiserver, `pkg/features/kube_features.go`");
    /// The feature gate `CustomResourceFieldSelectors`: the keyword `selectableFields` of a CRD.
    SelectableFields => gate("`CustomResourceFieldSelectors`: `selectableFields` of a CRD", [30, 31, 32], "KEP-4358; apiextensions-apiserver, `pkg/features/kube_features.go`");
    /// The feature gate `AuthorizeWithSelectors`: the functions `fieldSelector` and `labelSelector`
    /// of the authorizer.
    AuthorizerSelectors => gate("`AuthorizeWithSelectors`: `fieldSelector` and `labelSelector` of the authorizer", [31, 32, 34], "KEP-4601; apiserver, `pkg/features/kube_features.go`");

    /// The keyword `messageExpression` of a rule.
    MessageExpression => server("`messageExpression` of a rule", 27, "KEP-2876; apiextensions-apiserver, `pkg/apis/apiextensions/types_jsonschema.go`");
    /// The keywords `reason` and `fieldPath` of a rule.
    ReasonAndFieldPath => server("`reason` and `fieldPath` of a rule", 28, "KEP-2876; apiextensions-apiserver, `pkg/apis/apiextensions/types_jsonschema.go`");
    /// The libraries of new rules, which are the libraries of the minor version before the
    /// server's.
    CompatibilityVersion => server("new rules have the CEL libraries of the minor version before", 28, "apiserver, `pkg/cel/environment/base.go`, `DefaultCompatibilityVersion`");
    /// The keyword `optionalOldSelf` of a rule.
    OptionalOldSelf => server("`optionalOldSelf` of a rule", 29, "KEP-4008; apiextensions-apiserver, `pkg/apis/apiextensions/types_jsonschema.go`");
    /// The lengths of the values of an enum in estimated costs.
    EnumLengths => server("estimated costs use the maximum length of the values of an enum", 29, "apiserver, `pkg/cel/common/schemas.go`");
    /// The assignment of a type that accepts null to the type of null.
    SymmetricNull => server("null is assignable in both directions; before, `null == self` for an object does not compile", 29, "cel-go, `checker/types.go`");
    /// Values of objects without declared fields.
    ObjectsWithoutFields => server("rules may read an object without `properties`, `additionalProperties` and `x-kubernetes-preserve-unknown-fields`; before, reading the object is an error", 29, "apiserver, `pkg/cel/common/values.go`");
    /// The effect of a value that is not in `enum` on CEL rules.
    EnumBeforeRules => server("rules are not evaluated if a value is not in its `enum`", 29, "apiextensions-apiserver, `pkg/registry/customresource/strategy.go`, `hasBlockingErr`");
    /// The schema for an object of another version than the version of the request.
    RequestSchema => server("lists, rules and embedded resources are validated by the schema of the request; before, not at all if the `apiVersion` of the object has another version", 29, "apiextensions-apiserver, `pkg/registry/customresource/strategy.go`");
    /// Warnings about the finalizers of custom resources.
    FinalizerWarnings => server("a finalizer without a domain gets a warning", 29, "apiextensions-apiserver, `pkg/registry/customresource/strategy.go`");
    /// Rules of an unchanged schema, whose costs are not limited.
    StoredRuleCosts => server("an update of a CRD does not limit the cost of a rule in an unchanged schema", 29, "apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go`");
    /// The effect of the feature gate `CRDValidationRatcheting` on `optionalOldSelf`.
    OptionalOldSelfGate => server("new rules do not have `optionalOldSelf` if the gate `CRDValidationRatcheting` is off (1.29.0 ignores the gate, 1.29.15 does not)", 29, "KEP-4008; apiextensions-apiserver, `pkg/registry/customresourcedefinition/strategy.go`");
    /// The costs of quantities.
    QuantityCosts => server("the costs of `quantity` and `isQuantity` depend on the length of the string", 30, "apiserver, `pkg/cel/library/cost.go`");
    /// The path of an error of a rule.
    OwnFieldPaths => server("the path of an error of a rule has the `fieldPath` of this rule; before, the `fieldPath` of earlier violated rules of the same value, too", 30, "apiextensions-apiserver, `pkg/apiserver/schema/cel/validation.go`");
    /// The paths of schema errors of an update of the status.
    StatusPaths => server("the paths of schema errors of an update of the status begin with `status`", 31, "apiextensions-apiserver, `pkg/registry/customresource/status_strategy.go`");
    /// The validation of the CA bundle of a conversion webhook.
    CaBundles => server("an update of an established CRD checks `caBundle` of the conversion webhook", 31, "apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go`");
    /// The names `timestamp` and `duration` as names of types.
    TypeNamesOfFormats => server("`timestamp` and `duration` are names of types; before, they are names without a value", 32, "apiserver, `pkg/cel/types.go`");
    /// The values of named formats, which are not keys of maps.
    FormatValues => server("a map whose key is a named format, such as `{format.uri(): 1}`, fails; before, such a key is compared by its address", 32, "apiserver, `pkg/cel/library/format.go`");
    /// The result of `containsCIDR` for a network with another address.
    ContainsSubnets => server("`containsCIDR` is true for all networks inside; before, only for networks with the same address", 32, "apiserver, `pkg/cel/library/cidr.go`");
    /// The estimated costs of `==` for values of Kubernetes' own types.
    OpaqueEqualityCosts => server("estimated costs of `==` for addresses, URLs, quantities and other values of Kubernetes' own types", 32, "apiserver, `pkg/cel/library/cost.go`");
    /// The product in the format `%e`.
    CompactProducts => server("the format `%e` writes `1.5×10⁰³`; before, with narrow spaces around `×`", 33, "golang.org/x/text, `internal/number/format.go`");
    /// Updates of the status that may keep invalid values, as other updates may.
    StatusRatcheting => server("an update of the status may keep invalid values, too", 33, "KEP-4008; apiextensions-apiserver, `pkg/registry/customresource/status_strategy.go`");
    /// The formats `k8s-short-name` and `k8s-long-name` of strings.
    NameFormats => server("the formats `k8s-short-name` and `k8s-long-name` for defaults, and for other values since 1.35", 34, "apiextensions-apiserver, `pkg/apiserver/validation/formats.go`");
    /// Warnings for formats that the server does not know.
    FormatWarnings => server("an unknown format of strings in a CRD gets a warning", 34, "apiextensions-apiserver, `pkg/registry/customresourcedefinition/strategy.go`");
    /// The maximum length of an integer or string in estimated costs.
    IntOrStringLengths => server("estimated costs use the `maxLength` of `x-kubernetes-int-or-string`", 34, "apiserver, `pkg/cel/common/schemas.go`");
    /// The equality of objects with fields that are null.
    NullFieldEquality => server("`==` of objects skips fields that are null in both; before, such objects are not equal", 34, "apiserver, `pkg/cel/common/valuesunstructured.go`");
    /// Errors of CEL rules that contain the value instead of the name of its type.
    QuotedValues => server("errors of CEL rules contain the value instead of its type", 35, "apiextensions-apiserver, `pkg/apiserver/schema/cel/validation.go`");
    /// Updates of a CRD that keep more selectable fields than a new CRD may have.
    StoredSelectableFields => server("an update of a CRD may keep more than 8 selectable fields", 35, "apiextensions-apiserver, `pkg/apis/apiextensions/validation/validation.go`");
    /// The validation of numbers against the range of `int32` and `int64`.
    NumericRanges => server("numbers are validated against the range of `int32` and `int64`", 36, "apiextensions-apiserver, `pkg/apiserver/validation/formats.go`");
    /// The keywords `externalDocs` and `example` in structural schemas.
    StructuralDocumentation => server("the `anyOf` of an integer and a string must not have `externalDocs` or `example`", 36, "apiextensions-apiserver, `pkg/apiserver/schema/convert.go`");
    /// Formats that apply to the values of some types only.
    FormatsByType => server("the type of a schema decides which formats apply; before, the formats of strings apply to all types", 36, "apiextensions-apiserver, `pkg/apiserver/validation/formats.go`");
    /// The maximum lengths of `metadata.name` and `metadata.generateName` in estimated costs.
    NameLengths => server("estimated costs use the maximum length of `metadata.name` and `metadata.generateName`", 37, "apiextensions-apiserver, `pkg/apiserver/schema/cel/model/schemas.go`");
    /// The equality of sets and of lists with keys.
    SetEquality => server("`==` of sets and of lists with keys compares the elements of both sides", 37, "apiserver, `pkg/cel/common/valuesunstructured.go`");
    /// The conversion of the elements of concatenated lists.
    ConvertedSums => server("elements of concatenated lists are converted only once: `(self.a + self.b).max()` of durations", 37, "apiserver, `pkg/cel/common/valuesunstructured.go`");
    /// The keys of lists with more than three key fields.
    QuotedListKeys => server("the keys of lists with more than three key fields are quoted before they are joined", 37, "apiserver, `pkg/cel/common/valuesunstructured.go`");
    /// The tolerance of `multipleOf`.
    MultipleOfTolerance => server("`multipleOf` and the type `integer` compare a float with the nearest integer, with a tolerance", 37, "kube-openapi, `pkg/validation/validate`");
    /// The declarative validation of metadata.
    DeclarativeMetadata => server("owner references and managed fields are validated by declarative validation: errors contain the index of an owner reference", 37, "apimachinery, `pkg/api/validation/objectmeta.go`");
    /// The warning for sets whose items are objects or lists.
    SetItemsWarning => server("a CRD with a set of objects or of lists gets a warning", 37, "apiextensions-apiserver, `pkg/registry/customresourcedefinition/strategy.go`");

    /// `ValidatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`.
    ValidatingAdmissionPolicy => api("`ValidatingAdmissionPolicy` of `v1`", 30, "KEP-3488");
    /// `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1beta1`, which a feature gate
    /// enables.
    MutatingAdmissionPolicyBeta => api("`MutatingAdmissionPolicy` of `v1beta1` (gate `MutatingAdmissionPolicy`)", 34, "KEP-3962");
    /// `MutatingAdmissionPolicy` of `admissionregistration.k8s.io/v1`.
    MutatingAdmissionPolicy => api("`MutatingAdmissionPolicy` of `v1`", 36, "KEP-3962");
}

impl Feature {
    /// Returns the kind of the feature.
    #[must_use]
    pub const fn kind(self) -> FeatureKind {
        self.row().kind
    }

    /// Returns the first version that has the feature, or its gate if the feature has a gate.
    #[must_use]
    pub const fn introduced(self) -> KubeVersion {
        KubeVersion::from_table(self.row().introduced)
    }

    /// Returns the first version that has the feature, by default if the feature is a gate.
    #[must_use]
    pub const fn since(self) -> KubeVersion {
        KubeVersion::from_table(self.row().since)
    }

    /// Returns true if a server of a version has the feature, or its gate if the feature has a
    /// gate.
    #[must_use]
    pub const fn is_introduced_in(self, version: KubeVersion) -> bool {
        self.row().introduced <= version.minor_for(self as u32)
    }

    /// Returns true if a server of a version has the feature. `gate` is the setting of its feature
    /// gate; `None` is the default. A setting has no effect in versions without the gate, and in
    /// versions in which the gate is always on.
    #[must_use]
    pub const fn is_on(self, version: KubeVersion, gate: Option<bool>) -> bool {
        let row = self.row();
        let minor = version.minor_for(self as u32);
        match gate {
            Some(on) if row.introduced <= minor && minor < row.locked => on,
            _ => version.has(self),
        }
    }

    /// Returns the first version whose new CEL rules have the feature; `None` if no known version
    /// has such rules.
    #[must_use]
    pub fn since_in_new_rules(self) -> Option<KubeVersion> {
        KubeVersion::all().find(|version| RuleVersions::of_new_rules(*version).has(self))
    }

    /// Returns the source of the versions in Kubernetes: the enhancement proposal, or the module
    /// and the file.
    #[must_use]
    pub const fn source(self) -> &'static str {
        self.row().source
    }
}

impl KubeVersion {
    /// Returns true if a server of the version has a feature, by default if the feature is a gate.
    /// The features of new CEL rules are the features of [`of_new_rules`](Self::of_new_rules).
    #[must_use]
    pub const fn has(self, feature: Feature) -> bool {
        feature.since().minor() <= self.minor_for(feature as u32)
    }

    /// Returns this version with some features as in another version: a server that no release
    /// has, which shows if these features cause the difference between two versions.
    ///
    /// ```
    /// use k8s_cel::{Feature, KubeVersion};
    ///
    /// let (old, new): (KubeVersion, KubeVersion) = ("1.33".parse()?, "1.36".parse()?);
    /// let mixed = new.with_features_of(old, [Feature::NumericRanges]);
    /// assert!(!mixed.has(Feature::NumericRanges) && mixed.has(Feature::FormatsByType));
    /// # Ok::<(), k8s_cel::ParseVersionError>(())
    /// ```
    #[must_use]
    pub fn with_features_of(
        self,
        other: Self,
        features: impl IntoIterator<Item = Feature>,
    ) -> Self {
        let bits = features.into_iter().map(|feature| 1 << feature as u32);
        self.mixed(other, bits.fold(0, |set, bit: u128| set | bit))
    }

    /// Returns the version whose CEL libraries new rules of a server may use: the minor version
    /// before the server's, so that an upgrade can be undone. Stored rules may use the libraries
    /// of the server's own version, and so may all rules before
    /// [`CompatibilityVersion`](Feature::CompatibilityVersion).
    #[must_use]
    pub const fn of_new_rules(self) -> Self {
        let since = Feature::CompatibilityVersion.since().minor();
        let mixed_minor = self.mixed_minor();
        let own_decrement = (since <= self.minor_for(Feature::CompatibilityVersion as u32)) as u16;
        let mixed_decrement = (since <= mixed_minor) as u16;
        self.with_minors(self.minor() - own_decrement, mixed_minor - mixed_decrement)
    }
}

/// The versions that decide the features of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RuleVersions {
    /// The version of the libraries.
    pub(crate) libraries: KubeVersion,
    /// The version of the server, which determines the language.
    pub(crate) server: KubeVersion,
}

impl RuleVersions {
    /// Returns the versions of a stored rule.
    pub(crate) const fn of_stored_rules(server: KubeVersion) -> Self {
        let libraries = server;
        Self { libraries, server }
    }

    /// Returns the versions of a new rule.
    pub(crate) const fn of_new_rules(server: KubeVersion) -> Self {
        let libraries = server.of_new_rules();
        Self { libraries, server }
    }

    /// Returns true if the rule has a feature.
    pub(crate) const fn has(self, feature: Feature) -> bool {
        match feature.kind() {
            FeatureKind::Library => self.libraries.has(feature),
            _ => self.server.has(feature),
        }
    }
}

/// Prints the name of the feature, with code in backticks.
impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}
