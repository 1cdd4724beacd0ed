//! The public paths of the crates for users. This file does not compile if a path is removed.
//!
//! Each module has its own block, because two modules may have items of the same name.
#![allow(unused_imports, reason = "the paths are all that counts")]
#![allow(deprecated, reason = "deprecated paths still are public")]

const _: () = {
    use union_runtime::{
        Change, ChangeKind, Changes, EnumType, Found, ObjectRef, Ratchet, RawUnion, Report,
        RestoreUnaware, Settings, Union, UnionEnum, Violation, ViolationKind, Why, add_enum,
        add_rules, add_unions, schema_for,
    };
};
const _: () = {
    use union_runtime::comparator::{
        Comparison, Correlated, Equality, OldElements, SchemaNode, Split,
    };
};
const _: () = {
    use union_runtime::path::{FieldPath, Path, Step};
};
const _: () = {
    use union_runtime::spec::{
        Against, Arity, DeducedDiscriminator, Discriminator, DiscriminatorFacts, DiscriminatorSpec,
        DiscriminatorValues, Enforce, EnumValue, Inline, Key, KeyField, Keyed, ListMap,
        MOST_VALUES, MemberSpec, Nested, NoText, Node, NodeMut, OwnedDiscriminator, OwnedMember,
        OwnedUnionSpec, Place, ReportParts, Requests, Selected, Shape, State, StateReader,
        UnionMember, UnionSpec, UnionType, UnknownMembers, Visitor, VisitorMut, Walk, WalkMut,
        schema_keys,
    };
};
const _: () = {
    use union_runtime::schema::{
        Finish, MARKS, UNIONS, add_enum, add_rules, add_unions, schema_for,
    };
};
const _: () = {
    use union_runtime::spec::schema_keys::{
        ENUM_VALUES, MERGE_KEY, POSSIBLE_VALUES, STRATEGY, UNIONS,
    };
};
const _: () = {
    use union_json::{
        ANNOTATION, Compiler, DeclaredUnion, KeywordError, Limits, OLD_ANNOTATION, Place,
        PlacedUnion, SchemaError, Source, Unions, UnionsAnnotation, annotation, find_annotation,
        union_spec,
    };
};
const _: () = {
    use union_json::document::{
        Crd, CrdVersion, Id, Located, Reached, Reader, Referred, SchemaPath, SchemaStep,
        in_openapi, is_null, named,
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
        Answer, CompileError, DeclareError, DeclaredType, DeclaredTypes, Environment, Evaluation,
        Evaluator, Fault, Operand, ParseVersionError, Program, Type, Version,
    };
};
const _: () = {
    use k8s_cel::cost::{BUDGET, CALL_LIMIT, RULE_LIMIT, TOTAL_LIMIT};
};
const _: () = {
    use k8s_cel::format::{Check, Formats};
};
const _: () = {
    use k8s_cel::pattern::{LARGEST_IN_ALL, PatternError, PatternErrorCode, Patterns, compile};
};
const _: () = {
    use k8s_cel::syntax::{Ast, AstKind, Element, Entry, Fold, Literal, Problem, Problems, parse};
};
const _: () = {
    use k8s_cel::declared::{
        Declaration, DeclareError, DeclaredId, DeclaredKind, DeclaredType, DeclaredTypes, Field,
        ListType, MAX_REQUEST,
    };
};
const _: () = {
    use k8s_crd_validation::{
        Bound, Changes, Compiler, CostReport, Formats, Multiplier, ObjectRef, Policy,
        RULES_NOT_CHECKED, Report, RuleCost, SchemaAt, SchemaError, ServerSettings, Status,
        StructuralSchema, Version, Violation, ViolationKind, as_stored, comparator, cost_report,
    };
};
const _: () = {
    use k8s_crd_validation::crd::{Review, place_rules};
};
const _: () = {
    use k8s_crd_validation::metadata::{Scope, read, read_stored, validate, validate_update};
};
const _: () = {
    use k8s_strategic_merge_patch::{
        Compiler, Conflict, Conflicts, DiffError, ElementKey, Limits, OnConflict, Owner,
        PatchError, PatchErrorKind, PatchSchema, Policy, Precondition, PreconditionFailed,
        SchemaError, Switch, SwitchError, ThreeWayOptions, check_preconditions, key_unchanged,
        metadata_key_unchanged, patch_schema, switch,
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
        Arity, Bundle, Code, Convention, Discriminator, FieldValues, Finding, LeftOut, ListRule,
        Member, Place, ReadError, Reading, Reason, Rule, Sort, Together, Union, Version, Weight,
        declare, read, read_at, read_crd, read_lists, read_place, read_schema,
    };
};
const _: () = {
    use crd_unions::bounds::{
        ALL_ROWS, COMPONENT_FIELDS, EVALUATION_STEPS, FIELD_STATES, LEVELS, LIST_ITEMS, LIST_STEPS,
        MEMBER_VALUES, PLACES, QUESTION_STEPS, SCHEMA_STEPS, SOLVER_STEPS, TABLE_FIELDS,
        TABLE_ROWS,
    };
};
const _: () = {
    use union_policy::{Gap, Policies, PolicyError, Settings, Version, mutating, validating};
};
const _: () = {
    use crd_to_rust::{Enums, File, Generated, Kind, Refused, Schema, Settings, Unions, generate};
};
const _: () = {
    use union_compat::{
        Answer, Code, Comparison, Fate, Finding, Options, Request, Values, Verdict, Version,
        VersionError, Weight, assert_compatible, compare, compare_crds, compare_versions,
    };
};
const _: () = {
    use union_compat::bounds::{
        ALL_OBJECTS, EXHAUSTIVE, LEVELS, OBJECTS, PLACES, REQUESTS, SCHEMAS, TRIES,
    };
};
const _: () = {
    use union_compat::skew::{
        Cell, ClientKind, Intent, LEGEND, LIMIT, Merged, Outcome, ROWS, Request, Row, Side, Skew,
        SkewError, Verb, Verdict, skew,
    };
};
