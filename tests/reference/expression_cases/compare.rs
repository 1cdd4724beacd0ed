//! Runs cases on both sides, and groups the differences.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use k8s_cel::{DeclaredTypes, KubeVersion, Signature, Type};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::case::{Case, Demand};
use crate::counts::Counts;
use crate::declared;
use crate::explain;
use crate::make::{self, kind_of};
use crate::older_texts::is_older_text;
use crate::reference::Reference;
use crate::table::{MACROS, Table};

/// A schema with which cases are run.
struct Schema {
    name: String,
    declared: DeclaredTypes,
    optional_old_self: bool,
    version: KubeVersion,
}

/// The number of schemas for the newest version.
const NEWEST: usize = 3;

/// Returns the versions below the server's, with a schema for each.
fn older(server: KubeVersion) -> impl Iterator<Item = KubeVersion> {
    KubeVersion::all().filter(move |version| *version < server)
}

/// The number of times that the reference is queried again if its result may be random.
const MAX_REPEATS: usize = 20;

pub(crate) struct Comparison {
    reference: Reference,
    schemas: Vec<Schema>,
    server: KubeVersion,
    agree: usize,
    rejected: usize,
    failed: usize,
    /// The number of results that differ in more than a message.
    verdicts: usize,
    explained: BTreeMap<&'static str, usize>,
    groups: BTreeMap<String, Group>,
    /// The indexes of the overloads that were called.
    called: BTreeSet<usize>,
    /// The demands that were met.
    met_demands: BTreeSet<Demand>,
}

/// Differences of one kind.
struct Group {
    count: usize,
    /// The case with the shortest expression.
    case: Case,
    schema: String,
    ours: Answer,
    theirs: Answer,
}

impl Comparison {
    pub(crate) fn new(program: &str, server: KubeVersion) -> Result<Self, Box<dyn Error>> {
        let mut reference = Reference::start(program)?;
        let mut schemas = Vec::new();
        let newest = [
            ("bounded", true, false),
            ("unbounded", false, false),
            ("optional", true, true),
        ];
        let newest = newest.map(|(name, bounded, is_optional)| {
            let schema = (name.to_owned(), bounded, is_optional);
            (schema, server)
        });
        let older = older(server).map(|version| ((version.to_string(), true, false), version));
        for ((name, bounded, optional_old_self), version) in newest.into_iter().chain(older) {
            let (schema, declared) = declared::schema(bounded)?;
            reference.ask(&json!({
                "declare": name, "schema": schema, "version": version.to_string(), "optionalOldSelf": optional_old_self,
            }))?;
            reference.answer()?;
            schemas.push(Schema {
                name,
                declared: declared.with_server_version(server),
                optional_old_self,
                version,
            });
        }
        Ok(Self {
            reference,
            schemas,
            server,
            agree: 0,
            rejected: 0,
            failed: 0,
            verdicts: 0,
            explained: BTreeMap::new(),
            groups: BTreeMap::new(),
            called: BTreeSet::new(),
            met_demands: BTreeSet::new(),
        })
    }

    /// Returns the server's table of functions, for new expressions or for stored expressions.
    pub(crate) fn table(
        &mut self,
        version: KubeVersion,
        stored: bool,
    ) -> Result<Value, Box<dyn Error>> {
        self.reference
            .ask(&json!({"table": version.to_string(), "stored": stored}))?;
        self.reference.answer()
    }

    pub(crate) fn run(&mut self, cases: Vec<Case>) -> Result<(), Box<dyn Error>> {
        let older = self.schemas.len() - NEWEST;
        self.run_by(cases, |at| match at % 8 {
            7 => NEWEST - 1,
            5 => NEWEST + at / 8 % older,
            at => at % 2,
        })
    }

    /// Runs one case with each schema, in the same way as [`run`](Self::run).
    pub(crate) fn run_by_each(&mut self, case: &Case) -> Result<(), Box<dyn Error>> {
        self.run_by(vec![case.clone(); self.schemas.len()], |at| at)
    }

    fn run_by(
        &mut self,
        cases: Vec<Case>,
        schema_of: impl Fn(usize) -> usize,
    ) -> Result<(), Box<dyn Error>> {
        for (at, case) in cases.iter().enumerate() {
            let schema = &self.schemas[schema_of(at)];
            self.reference.ask(&case.question(&schema.name))?;
        }
        let mut ours = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            let schema = &self.schemas[schema_of(at)];
            let answer = catch_unwind(AssertUnwindSafe(|| {
                Answer::of(
                    case,
                    &schema.declared,
                    schema.optional_old_self,
                    schema.version,
                )
            }));
            ours.push(answer.unwrap_or_else(|_| Answer {
                panic: "ours".to_owned(),
                ..Answer::default()
            }));
        }
        let mut theirs = Vec::new();
        for _ in &cases {
            theirs.push(Answer::read(&self.reference.answer()?));
        }
        for (at, ((case, ours), theirs)) in cases.into_iter().zip(ours).zip(theirs).enumerate() {
            self.judge(case, schema_of(at), ours, theirs)?;
        }
        Ok(())
    }

    fn judge(
        &mut self,
        case: Case,
        schema: usize,
        ours: Answer,
        theirs: Answer,
    ) -> Result<(), Box<dyn Error>> {
        self.called.extend(&case.calls);
        if !theirs.value.is_empty() {
            self.met_demands.insert(case.demand);
        }
        self.rejected += usize::from(!theirs.compile.is_empty());
        self.failed += usize::from(!theirs.error.is_empty());
        if ours == theirs {
            self.agree += 1;
            return Ok(());
        }
        let name = self.schemas[schema].name.clone();
        if let Some(predicate) = explain::explaining_predicate(&case, &ours, &theirs) {
            *self.explained.entry(predicate).or_default() += 1;
            return Ok(());
        }
        if self.differs_by_older_text(&ours, &theirs) {
            *self.explained.entry("older-text").or_default() += 1;
            return Ok(());
        }
        if case.expression.contains('{') || case.expression.contains("self.") {
            for _ in 0..MAX_REPEATS {
                self.reference.ask(&case.question(&name))?;
            }
            let mut met = false;
            for _ in 0..MAX_REPEATS {
                met |= Answer::read(&self.reference.answer()?) == ours;
            }
            if met {
                *self.explained.entry("several-answers").or_default() += 1;
                return Ok(());
            }
        }
        self.differs(case, name, ours, theirs);
        Ok(())
    }

    /// Returns true if only a message of an older version differs. The value of
    /// `format.qualifiedName().validate(...)` is such a message.
    fn differs_by_older_text(&self, ours: &Answer, theirs: &Answer) -> bool {
        let is_older = |message: &str| is_older_text(self.server, message);
        let same_value = Answer {
            value: theirs.value.clone(),
            ..ours.clone()
        };
        (is_older(&theirs.compile) || is_older(&theirs.error)) && !ours.is_another_verdict(theirs)
            || is_older(&theirs.value) && same_value == *theirs
    }

    fn differs(&mut self, case: Case, schema: String, ours: Answer, theirs: Answer) {
        self.verdicts += usize::from(ours.is_another_verdict(&theirs));
        let parts = ours.differing(&theirs).join("+");
        let key = format!("{} {parts}: {}", case.head, shape(&ours, &theirs));
        let group = self.groups.entry(key).or_insert_with(|| Group {
            count: 0,
            case: case.clone(),
            schema: schema.clone(),
            ours: ours.clone(),
            theirs: theirs.clone(),
        });
        group.count += 1;
        if case.expression.len() < group.case.expression.len() {
            *group = Group {
                count: group.count,
                case,
                schema,
                ours,
                theirs,
            };
        }
    }

    /// Prints the differences. Returns true if both sides agree, and everything was tried.
    pub(crate) fn finish(&self, table: Option<&Table>, most: usize) -> bool {
        let mut groups: Vec<(&String, &Group)> = self.groups.iter().collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
        let differ: usize = groups.iter().map(|(_, group)| group.count).sum();
        for (key, group) in groups.iter().take(most) {
            println!("{:6} x {key}", group.count);
            println!("         {} [{}]", group.case.expression, group.schema);
            println!(
                "         self {} old {}",
                group.case.this,
                group.case.old.is_some()
            );
            println!("         ours   {}", group.ours.show());
            println!("         theirs {}", group.theirs.show());
        }
        for (predicate, count) in &self.explained {
            println!("{count:8} explained by {predicate}");
        }
        let never = table.map_or_else(Vec::new, |table| self.never(table));
        for name in &never {
            println!("no value from {name}");
        }
        let explained: usize = self.explained.values().sum();
        println!(
            "{} cases: {} agree ({} rejected, {} failed), {explained} explained, {differ} differ in {} ways; {} overloads, {} macros",
            self.agree + explained + differ,
            self.agree,
            self.rejected,
            self.failed,
            groups.len(),
            table.map_or(0, |table| table.overloads.len()),
            MACROS.len(),
        );
        let counts = Counts {
            questions: self.agree + explained + differ,
            verdicts: self.verdicts,
            texts: differ - self.verdicts,
        };
        counts.print("expressions", self.server);
        differ == 0 && never.is_empty()
    }

    /// Returns the overloads that were not called, and the demands that were not met.
    fn never(&self, table: &Table) -> Vec<String> {
        let mut never = Vec::new();
        for (at, overload) in table.overloads.iter().enumerate() {
            if !self.called.contains(&at) {
                never.push(format!("called: {} {}", overload.name, overload.id));
            }
        }
        for demand in self.missing(table) {
            let name = match table.overloads.get(demand.head) {
                Some(overload) => format!("{} {}", overload.name, overload.id),
                None => MACROS[demand.head - table.overloads.len()].name.to_owned(),
            };
            let kind = demand
                .kind
                .map_or_else(String::new, |kind| format!(" of {}", kind_of(kind)));
            never.push(format!("a value: {name}{kind}"));
        }
        never
    }

    /// Returns the demands that were not met, except demands that no call can meet.
    pub(crate) fn missing(&self, table: &Table) -> Vec<Demand> {
        let mut demands = make::demands(table);
        demands.retain(|demand| {
            let overload = table.overloads.get(demand.head);
            !self.met_demands.contains(demand)
                && !overload.is_some_and(|overload| is_without_values(overload, demand.kind))
        });
        demands
    }
}

/// Returns true if the call cannot return a value: a rule has no authorizer, `duration(int)` is
/// declared without code, and maps are looked up only by scalar keys.
fn is_without_values(overload: &Signature, kind: Option<usize>) -> bool {
    let is_scalar = |ty: Type| {
        matches!(
            ty,
            Type::Bool | Type::Int | Type::Uint | Type::Double | Type::String | Type::Dyn
        )
    };
    if let ("_[_]" | "_[?_]", [Type::Map(_), _], Some(kind)) =
        (overload.name, &*overload.args, kind)
    {
        return !is_scalar(kind_of(kind));
    }
    match overload.args.first() {
        Some(Type::Opaque(name)) => name.starts_with("kubernetes.authorization."),
        Some(Type::Int) => overload.name == "duration",
        _ => false,
    }
}

/// Returns a description of the difference, without the parts that are specific to the case.
fn shape(ours: &Answer, theirs: &Answer) -> String {
    let of = |answer: &Answer| {
        let text = if answer.compile.is_empty() {
            &answer.error
        } else {
            &answer.compile
        };
        let text = text
            .strip_prefix("compilation failed: ERROR: ")
            .unwrap_or(text);
        let text = text.lines().next().unwrap_or_default();
        let text: String = text
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .take(60)
            .collect();
        text
    };
    format!("{} | {}", of(ours), of(theirs))
}
