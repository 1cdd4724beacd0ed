//! The public paths of the crates for users. This file does not compile if a path is removed.
//!
//! A module has its own block, because two modules may have items of the same name.
#![allow(unused_imports, reason = "the paths are all that counts")]
#![allow(deprecated, reason = "deprecated paths still are public")]

const _: () = {
    use union_runtime::{
        BadValue, Change, ChangeKind, Changes, EnumType, ObjectRef, Ratchet, RawUnion,
        RawUnionReason, Report, RestoreUnaware, Settings, Union, UnionEnum, Violation,
        ViolationKind, add_enum, add_rules, add_unions, schema_for,
    };
};
const _: () = {
    use union_runtime::comparator::{
        Comparison, Correlated, CorrelationSchema, Equality, OldElements, RatchetedErrors,
    };
};
const _: () = {
    use union_runtime::path::{FieldPath, Path, PathStep};
};
const _: () = {
    use union_runtime::spec::{
        Baseline, Cursor, DeducedDiscriminator, Discriminator, DiscriminatorFacts,
        DiscriminatorSpec, DiscriminatorValues, Enforcement, EnumValue, ExtensionShape, Inline,
        Key, KeyField, Keyed, ListMap, MAX_VALUES, MemberSpec, Nested, Node, NodeMut,
        NonStringValue, OwnedDiscriminator, OwnedMember, OwnedUnionSpec, ReportParts, Requests,
        Selected, State, StateBuilder, UnionMember, UnionModel, UnionSpec, UnionType,
        UnknownMembers, Visitor, VisitorMut, Walk, WalkMut, schema_keys,
    };
};
const _: () = {
    use union_runtime::schema::{
        FinishSchema, MARKS, UNIONS, add_enum, add_rules, add_unions, schema_for,
    };
};
const _: () = {
    use union_runtime::spec::schema_keys::{
        ENUM_VALUES, MERGE_KEY, POSSIBLE_VALUES, STRATEGY, UNIONS,
    };
};
const _: () = {
    use union_json::{
        ANNOTATION, Compiler, DeclaredUnion, KeywordError, Limits, OLD_ANNOTATION, SchemaError,
        SchemaNode, SchemaSource, UnionAtNode, Unions, UnionsAnnotation, annotation,
        find_annotation, union_spec,
    };
};
const _: () = {
    use union_json::document::{
        Crd, CrdVersion, ReferencedSchema, SchemaGraphReader, SchemaId, SchemaInDocument,
        SchemaOrigin, SchemaPath, SchemaStep, allows_only_null, find_openapi_schema, named_schemas,
    };
};
const _: () = {
    use union_json::openapi::{PruneEnums, prune_enums, to_openapi_v2, to_openapi_v3};
};
const _: () = {
    use union_json::pointer::{escape, unescape};
};
const _: () = {
    use k8s_cel::{
        Binding, CelValue, CompileError, DeclareError, DeclaredType, DeclaredTypes, Environment,
        EvalError, EvalResult, Evaluator, KubeVersion, ParseVersionError, Program, Type,
    };
};
const _: () = {
    use k8s_cel::cost::{
        PER_CALL_LIMIT, RUNTIME_COST_BUDGET, STATIC_ESTIMATED_COST_LIMIT,
        STATIC_ESTIMATED_CRD_COST_LIMIT,
    };
};
const _: () = {
    use k8s_cel::format::{FormatCheck, Formats};
};
const _: () = {
    use k8s_cel::pattern::{MAX_TOTAL_SIZE, PatternError, PatternErrorCode, PatternSet, compile};
};
const _: () = {
    use k8s_cel::syntax::{
        Ast, AstKind, Comprehension, Element, Entry, Literal, SourceError, SourceErrors, parse,
    };
};
const _: () = {
    use k8s_cel::declared::{
        Declaration, DeclareError, DeclaredId, DeclaredKind, DeclaredType, DeclaredTypes, Field,
        ListType, MAX_REQUEST,
    };
};
const _: () = {
    use k8s_crd_validation::{
        Cardinality, Changes, ComparatorSchema, Compiler, CostReport, Formats, KubeVersion,
        ObjectRef, RULES_NOT_CHECKED, RatchetingPolicy, Report, RuleCost, SchemaError,
        ServerSettings, StatusHandling, StructuralSchema, SuggestedBound, Violation, ViolationKind,
        comparator, cost_report, normalize_numbers,
    };
};
const _: () = {
    use k8s_crd_validation::crd::{Review, place_rules};
};
const _: () = {
    use k8s_crd_validation::metadata::{Scope, decode, decode_stored, validate, validate_update};
};
const _: () = {
    use k8s_strategic_merge_patch::{
        Compiler, Conflict, Conflicts, DiffError, ElementKey, FieldOwner, Limits, OnConflict,
        Patch, PatchError, PatchErrorKind, PatchSchema, PatchWarning, PatchWarningKind,
        Precondition, PreconditionFailedError, SchemaError, Switch, SwitchError, ThreeWayOptions,
        UnknownFieldPolicy, check_preconditions, patch_schema, require_key_unchanged,
        require_metadata_key_unchanged, switch,
    };
};
const _: () = {
    use union_kube::{Crd, CrdError, openapi, to_json_string};
};
const _: () = {
    use union_kube::admission::response;
};
const _: () = {
    use union_kube::build::Output;
};
const _: () = {
    use crd_unions::{
        AlternativeFieldSets, AnalyzeError, AnalyzedObject, AnalyzedVersion, ConditionalField,
        Confidence, Discriminator, FieldValues, Finding, FindingCode, ItemClass, ItemRelation,
        ListRule, Member, NamingHint, NoUnionReason, ObjectAnalysis, Rule, Union, UnionModel,
        add_unions_to, analyze_at, analyze_crd, analyze_lists, analyze_located, analyze_object,
        analyze_schema,
    };
};
const _: () = {
    use crd_unions::bounds::{
        ALL_TABLE_ROWS, COMPONENT_FIELDS, EVALUATION_STEPS, FIELD_STATES, LEVELS, LIST_ITEMS,
        LIST_RULE_COST, MEMBER_VALUES, QUERY_STEPS, SCHEMA_STEPS, SOLVER_STEPS, SUBSCHEMAS,
        TABLE_FIELDS, TABLE_ROWS,
    };
};
const _: () = {
    use union_policy::{
        KubeVersion, Limitation, Policies, PolicyError, Settings, builtin_mutating_policies,
        builtin_validating_policies, mutating_policies, validating_policies,
    };
};
const _: () = {
    use crd_to_rust::{
        GenerateError, GeneratedFile, GeneratedKind, GeneratedModules, SchemaOutput, Settings,
        StringEnums, UnionStyle, generate,
    };
};
const _: () = {
    use union_compat::{
        ApiVersion, ChangeCode, CompatReport, Decision, Decisions, Finding, Options,
        RequestOutcome, Severity, UpdateExample, ValueSource, VersionError, assert_compatible,
        compare, compare_crds, compare_versions,
    };
};
const _: () = {
    use union_compat::bounds::{
        ALL_OBJECTS, EXHAUSTIVE_MEMBERS, LEVELS, OBJECTS, SCHEMAS, UNION_OBJECTS, UPDATE_TRIES,
        VALUE_TRIES,
    };
};
const _: () = {
    use union_compat::skew::{
        ClientType, Intent, IntentOutcome, LEGEND, LOST_BY_LIMIT, MergedObject, ROW_LEGEND,
        Request, RequestVerb, SkewCell, SkewError, SkewMatrix, SkewOutcome, SkewRow, VersionSide,
        skew,
    };
};
