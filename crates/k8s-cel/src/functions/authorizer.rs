//! Functions of the authorizer. An API server declares them for all expressions, but CRD rules have
//! no authorizer, so no call can run.

use super::actual_cost;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::operators::no_overload;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::types::feature::Feature;

const RESOURCE_CHECK_SETTERS: &[&str] = &["ResourceCheck.string -> ResourceCheck"];
const DECISION_STRINGS: &[&str] = &["Decision. -> string"];
const DECISION_TESTS: &[&str] = &["Decision. -> bool"];

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "path",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Authorizer.string -> PathCheck"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "group",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Authorizer.string -> GroupCheck"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "serviceAccount",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["Authorizer.string, string -> Authorizer"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "resource",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["GroupCheck.string -> ResourceCheck"],
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "subresource",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            RESOURCE_CHECK_SETTERS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "namespace",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            RESOURCE_CHECK_SETTERS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "name",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            RESOURCE_CHECK_SETTERS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "fieldSelector",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            RESOURCE_CHECK_SETTERS,
            ALWAYS,
            no_overload,
            ActualCost::by_function(actual_cost::selector),
            estimated_cost::selector,
        )
        .early()
        .language(Feature::AuthorizerSelectors)],
    ),
    function(
        "labelSelector",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            RESOURCE_CHECK_SETTERS,
            ALWAYS,
            no_overload,
            ActualCost::by_function(actual_cost::selector),
            estimated_cost::selector,
        )
        .early()
        .language(Feature::AuthorizerSelectors)],
    ),
    function(
        "check",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &[
                "PathCheck.string -> Decision",
                "ResourceCheck.string -> Decision",
            ],
            ALWAYS,
            no_overload,
            ActualCost::by_function(actual_cost::check),
            estimated_cost::check,
        )],
    ),
    function(
        "allowed",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            DECISION_TESTS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "errored",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            DECISION_TESTS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "reason",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            DECISION_STRINGS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "error",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            DECISION_STRINGS,
            ALWAYS,
            no_overload,
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];
