//! Rules for numbers, with the arithmetic of an API server: integers are compared with bounds that
//! are truncated to integers.

use serde_json::Number;

use super::errors::dotted_path::DottedPath;
use super::errors::origin::ErrorOrigin;
use super::errors::sink::ErrorSink;
use super::errors::{invalid, violation_without_field};
use super::flow::Flow;
use super::type_and_format::is_json_integer;
use super::validation::Validation;
use crate::schema::format::{Format, is_number_format};
use crate::schema::{Node, NumberKeywords, SchemaType, print};
use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::number::{JsonNumber, format_shortest, truncate};
use union_runtime::path::Path;
use union_runtime::{Violation, ViolationKind};

impl Validation<'_> {
    pub(super) fn check_number<S: ErrorSink>(
        &self,
        node: &Node,
        number: &Number,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if node
            .number
            .as_ref()
            .is_some_and(|keywords| keywords.is_always_valid(number))
        {
            return Flow::Continue(());
        }
        // Without bounds and a format, all 64-bit integers are valid.
        if node.number.is_none() && node.format.is_none() && number.is_i64() {
            return Flow::Continue(());
        }
        let range = self
            .settings
            .version
            .has(Feature::NumericRanges)
            .then(|| TypeRange::from_node(node, self.format(node)))
            .flatten()
            .filter(|_| !self.accepts_int_or_string(node));
        let value = JsonNumber::from_number(number);
        if range.is_none() && node.number.is_none() {
            return Flow::Continue(());
        }
        if let Some(range) = &range
            && !range.contains(value)
        {
            sink.report(range.origin(), || range.violation("Checked value", path))?;
        }
        let Some(keywords) = &node.number else {
            return Flow::Continue(());
        };
        let check = NumberCheck {
            keywords,
            version: self.settings.version,
            range,
            value,
            path,
        };
        check.multiple_of(sink)?;
        check.maximum(sink)?;
        check.minimum(sink)
    }
}

impl NumberKeywords {
    /// Returns true if a number is in the range that is known to be valid.
    pub(super) fn is_always_valid(&self, number: &Number) -> bool {
        self.always_valid.is_some_and(|[minimum, maximum]| {
            let integer = number.as_i64();
            integer.is_some_and(|integer| {
                i64::from(minimum) <= integer && integer <= i64::from(maximum)
            })
        })
    }
}

/// A number, and the keywords that it must satisfy.
struct NumberCheck<'a> {
    keywords: &'a NumberKeywords,
    /// The version of the server. The tolerance of `multipleOf` depends on the version.
    version: KubeVersion,
    range: Option<TypeRange<'a>>,
    value: JsonNumber,
    path: &'a Path<'a>,
}

impl NumberCheck<'_> {
    /// Reports a bound that is outside of the range of the type. Returns true if the bound is in
    /// the range, false if it is not, and an error if the walk may stop.
    fn check_bound<S: ErrorSink>(
        &self,
        bound: f64,
        keyword: &'static str,
        bound_name: &str,
        sink: &mut S,
    ) -> Result<bool, ()> {
        match &self.range {
            Some(range) if !range.contains(JsonNumber::Float(bound)) => {
                let origin = ErrorOrigin::of_keyword(keyword);
                let reported = sink.report(origin, || range.violation(bound_name, self.path));
                if reported.is_break() {
                    Err(())
                } else {
                    Ok(false)
                }
            }
            _ => Ok(true),
        }
    }

    /// Returns the value and a bound as they are compared: both as integers, or both as floats. An
    /// integer is compared with a bound that is in the range of the type (`in_range`) as an
    /// integer.
    fn comparable_pair(&self, bound: f64, in_range: bool) -> (JsonNumber, JsonNumber) {
        match self.value {
            JsonNumber::Int(value) if in_range => {
                (JsonNumber::Int(value), JsonNumber::Int(truncate(bound)))
            }
            value => (
                JsonNumber::Float(value.as_float()),
                JsonNumber::Float(bound),
            ),
        }
    }

    fn maximum<S: ErrorSink>(&self, sink: &mut S) -> Flow {
        let Some(bound) = self.keywords.maximum else {
            return Flow::Continue(());
        };
        let Ok(is_in_range) = self.check_bound(bound, "maximum", "Maximum boundary value", sink)
        else {
            return Flow::Break(());
        };
        let (value, bound) = self.comparable_pair(bound, is_in_range);
        let is_exclusive = self.keywords.exclusive_maximum;
        if is_below(value, bound) || !is_exclusive && value == bound {
            return Flow::Continue(());
        }
        let than = if is_exclusive {
            "than"
        } else {
            "than or equal to"
        };
        sink.report(ErrorOrigin::of_keyword("maximum"), || {
            self.violation(value, &format!("should be less {than} {bound}"))
        })
    }

    fn minimum<S: ErrorSink>(&self, sink: &mut S) -> Flow {
        let Some(bound) = self.keywords.minimum else {
            return Flow::Continue(());
        };
        let Ok(is_in_range) = self.check_bound(bound, "minimum", "Minimum boundary value", sink)
        else {
            return Flow::Break(());
        };
        let (value, bound) = self.comparable_pair(bound, is_in_range);
        let is_exclusive = self.keywords.exclusive_minimum;
        if is_below(bound, value) || !is_exclusive && value == bound {
            return Flow::Continue(());
        }
        let than = if is_exclusive {
            "than"
        } else {
            "than or equal to"
        };
        sink.report(ErrorOrigin::of_keyword("minimum"), || {
            self.violation(value, &format!("should be greater {than} {bound}"))
        })
    }

    fn multiple_of<S: ErrorSink>(&self, sink: &mut S) -> Flow {
        let Some(factor) = self.keywords.multiple_of else {
            return Flow::Continue(());
        };
        let Ok(is_in_range) = self.check_bound(factor, "multipleOf", "MultipleOf value", sink)
        else {
            return Flow::Break(());
        };
        let (value, factor) = self.comparable_pair(factor, is_in_range);
        if factor.as_float() <= 0.0 {
            return sink.report(ErrorOrigin::of_keyword("multipleOf"), || {
                let path = DottedPath::from_path(self.path);
                let rule = format!("must be positive: {factor}");
                let detail = format!("factor MultipleOf declared for {path} {rule}");
                let bad_value = print::bad_number(factor);
                Violation::from_parts(ViolationKind::Invalid, path.into_path(), bad_value, detail)
                    .with_rule(&rule)
            });
        }
        let is_multiple = match (value, factor) {
            (JsonNumber::Int(value), JsonNumber::Int(factor)) => {
                value.checked_rem(factor) == Some(0)
            }
            (value, factor) => {
                let (value, factor) = (value.as_float(), factor.as_float());
                let quotient = if factor < 1.0 {
                    1.0 / factor * value
                } else {
                    value / factor
                };
                is_json_integer(quotient, self.version)
            }
        };
        if is_multiple {
            return Flow::Continue(());
        }
        sink.report(ErrorOrigin::of_keyword("multipleOf"), || {
            self.violation(value, &format!("should be a multiple of {factor}"))
        })
    }

    fn violation(&self, value: JsonNumber, rule: &str) -> Violation {
        invalid(self.path, print::bad_number(value), rule)
    }
}

fn is_below(a: JsonNumber, b: JsonNumber) -> bool {
    match (a, b) {
        (JsonNumber::Int(a), JsonNumber::Int(b)) => a < b,
        (a, b) => a.as_float() < b.as_float(),
    }
}

/// The range of numbers of a type and a format.
struct TypeRange<'n> {
    kind: SchemaType,
    format: Option<&'n str>,
}

impl<'n> TypeRange<'n> {
    fn from_node(node: &'n Node, format: Option<&'n Format>) -> Option<Self> {
        let kind = node
            .schema_type
            .filter(|kind| matches!(kind, SchemaType::Integer | SchemaType::Number))?;
        Some(Self {
            kind,
            format: format
                .map(|format| &*format.name)
                .filter(|name| is_number_format(kind, name)),
        })
    }

    /// Returns the keyword that limits the range.
    const fn origin(&self) -> ErrorOrigin {
        ErrorOrigin::of_keyword(if self.format.is_some() {
            "format"
        } else {
            "type"
        })
    }

    fn contains(&self, value: JsonNumber) -> bool {
        match self.kind {
            SchemaType::Integer => {
                let is_32 = self.format == Some("int32");
                match value {
                    JsonNumber::Int(value) => !is_32 || i32::try_from(value).is_ok(),
                    JsonNumber::Float(value) => is_integer(value) && (!is_32 || is_32_bits(value)),
                }
            }
            _ => self.format != Some("float") || is_float_32(value.as_float()),
        }
    }

    fn violation(&self, what: &str, path: &Path<'_>) -> Violation {
        let kind = self.kind.as_str();
        let format = match self.format {
            Some(format) => format!("with format {format}"),
            None => "(default format)".to_owned(),
        };
        let rule = format!("{what} must be of type {kind} {format}");
        violation_without_field(
            path,
            format!("{rule} in {}", DottedPath::from_path(path)),
            &rule,
        )
    }
}

/// Returns true if the shortest digits of a float, as a server prints them, parse as a 64-bit
/// integer.
fn is_integer(value: f64) -> bool {
    // 2^53. Above this limit, the printed digits can differ from the exact value.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.abs() < EXACT {
        value.fract() == 0.0
    } else {
        value.to_string().parse::<i64>().is_ok()
    }
}

/// Returns true if the shortest digits of a float parse as a finite 32-bit float, as
/// `strconv.ParseFloat` parses them. Numbers slightly above the greatest 32-bit float round to it.
fn is_float_32(value: f64) -> bool {
    value.abs() <= f64::from(f32::MAX)
        || format_shortest(value)
            .parse()
            .is_ok_and(|float: f32| float.is_finite())
}

fn is_32_bits(value: f64) -> bool {
    (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{ServerSettings, StructuralSchema};

    const MAX_INT32: i64 = 2_147_483_647;

    /// Returns schemas of numbers, with bounds of all kinds.
    fn number_schemas() -> Vec<Value> {
        let bounds = [
            json!(null),
            json!(-3),
            json!(0),
            json!(2.5),
            json!(7),
            json!(MAX_INT32),
            json!(MAX_INT32 + 1),
            json!(-MAX_INT32 - 1),
            json!(1e300),
        ];
        let pairs = bounds
            .iter()
            .flat_map(|minimum| bounds.iter().map(move |maximum| (minimum, maximum)));
        let mut schemas = Vec::new();
        for (minimum, maximum) in pairs {
            for (kind, format) in [
                ("integer", json!(null)),
                ("integer", json!("int32")),
                ("integer", json!("int64")),
                ("number", json!("float")),
            ] {
                for exclusive in [false, true] {
                    schemas.push(json!({
                        "type": kind, "format": format, "minimum": minimum, "maximum": maximum,
                        "exclusiveMinimum": exclusive, "exclusiveMaximum": exclusive,
                    }));
                }
            }
        }
        schemas
    }

    #[test]
    fn the_format_float_accepts_numbers_that_round_to_a_finite_32_bit_float() {
        let schema =
            json!({"type": "object", "properties": {"n": {"type": "number", "format": "float"}}});
        let schema = StructuralSchema::compiler()
            .stored()
            .schema(&schema)
            .expect("the schema is valid");
        for (source, is_accepted) in [
            ("3.4028234663852886e+38", true),
            ("-3.4028234663852886e+38", true),
            ("3.4028235e38", true),
            ("3.4028235677973366e38", true),
            ("3.402823567797337e38", false),
            ("3.4028236e38", false),
            ("-1e39", false),
            ("1e-60", true),
        ] {
            let number: Value = serde_json::from_str(source).expect("a number");
            let report = schema.create(&mut json!({"n": number}), &ServerSettings::default());
            assert_eq!(report.is_accepted(), is_accepted, "{source}");
        }
    }

    #[test]
    fn the_fast_path_accepts_the_integers_that_the_slow_path_accepts() {
        let accepts = |schema: &StructuralSchema, number: i64| {
            let report = schema.create(&mut json!({"n": number}), &ServerSettings::default());
            report.is_accepted()
        };
        let mut always_valid_count = 0;
        for number_schema in number_schemas() {
            let schema = json!({"type": "object", "properties": {"n": number_schema}});
            let schema = StructuralSchema::compiler()
                .stored()
                .schema(&schema)
                .unwrap_or_else(|errors| panic!("{number_schema}: {errors}"));
            let mut slow_schema = schema.clone();
            let nodes = slow_schema.nodes.iter_mut();
            for keywords in nodes.filter_map(|node| node.number.as_mut()) {
                always_valid_count += usize::from(keywords.always_valid.take().is_some());
            }
            for number in (-5..10).chain([
                -MAX_INT32 - 2,
                -MAX_INT32 - 1,
                -MAX_INT32,
                MAX_INT32 - 1,
                MAX_INT32,
                MAX_INT32 + 1,
            ]) {
                let fast_result = accepts(&schema, number);
                let slow_result = accepts(&slow_schema, number);
                assert_eq!(fast_result, slow_result, "{number_schema} {number}");
            }
        }
        assert!(
            always_valid_count > 100,
            "{always_valid_count} schemas have a range of valid integers"
        );
    }
}
