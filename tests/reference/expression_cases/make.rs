//! Generates random expressions: calls of all functions in the table, with arguments generated in
//! the same way.

use k8s_cel::{Signature, Type};
use serde_json::{Map, Value};
use union_random::Random;

use crate::case::{Case, Demand};
use crate::edges::Reading;
use crate::fields::{self, Field, OBJECT};
use crate::literal;
use crate::table::{MACROS, Macro, Table};

/// Generates one case.
pub(crate) struct Generator<'t> {
    pub(crate) random: &'t mut Random,
    table: &'t Table,
    fields: &'t [Field],
    /// The variables of the enclosing macros, with their types.
    pub(crate) scope: Vec<(String, Type)>,
    /// The fields of `self`.
    this: Map<String, Value>,
    /// The number of variables so far.
    names: usize,
    /// The indexes of the called overloads in the table.
    calls: Vec<usize>,
}

/// Returns the number of possible heads. The head of a case is the overload or the macro that its
/// outermost call uses.
fn head_count(table: &Table) -> usize {
    table.overloads.len() + MACROS.len()
}

/// Returns the demands, one for each overload and macro. An overload with arguments of any type has
/// a demand for each type.
pub(crate) fn demands(table: &Table) -> Vec<Demand> {
    let mut demands = Vec::new();
    for head in 0..head_count(table) {
        match table.overloads.get(head) {
            Some(overload) if takes_any(overload) => {
                demands.extend((0..KINDS).map(|kind| Demand {
                    head,
                    kind: Some(kind),
                }));
            }
            _ => demands.push(Demand { head, kind: None }),
        }
    }
    demands
}

/// Returns the case with a number. Successive cases use each head in turn. After all heads were
/// used, the next round uses the next type of argument.
pub(crate) fn numbered(
    random: &mut Random,
    table: &Table,
    fields: &[Field],
    number: usize,
) -> Case {
    let head = number % head_count(table);
    let is_any = table.overloads.get(head).is_some_and(takes_any);
    let kind = is_any.then_some(number / head_count(table) % KINDS);
    case(random, table, fields, Demand { head, kind })
}

/// Returns true if the overload has arguments of any type.
fn takes_any(of: &Signature) -> bool {
    fn mentions(ty: &Type) -> bool {
        match ty {
            Type::Var(number) => *number == 0,
            Type::List(of) | Type::Optional(of) | Type::Type(of) => mentions(of),
            Type::Map(of) => mentions(&of.0) || mentions(&of.1),
            _ => false,
        }
    }
    of.args.iter().any(mentions)
}

/// The number of types that [`kind_of`] returns.
const KINDS: usize = 26;

/// Returns a type of arguments by its number, below [`KINDS`].
pub(crate) fn kind_of(number: usize) -> Type {
    let list = |of| Type::List(Box::new(of));
    let optional = |of| Type::Optional(Box::new(of));
    match number {
        0 => Type::Int,
        1 => Type::String,
        2 => Type::Bool,
        3 => Type::Double,
        4 => Type::Uint,
        5 => Type::Bytes,
        6 => Type::Timestamp,
        7 => Type::Duration,
        8 => Type::Null,
        9 => Type::Dyn,
        10 => OBJECT,
        11 => Type::Type(Box::new(Type::Int)),
        12 => list(Type::Int),
        13 => list(Type::String),
        14 => list(Type::Dyn),
        15 => list(OBJECT),
        16 => Type::Map(Box::new((Type::String, Type::Int))),
        17 => Type::Map(Box::new((Type::Int, Type::String))),
        18 => optional(Type::Int),
        19 => optional(Type::String),
        number => Type::Opaque(OPAQUE[number % OPAQUE.len()]),
    }
}

/// Generates a case for the demand.
pub(crate) fn case(random: &mut Random, table: &Table, fields: &[Field], demand: Demand) -> Case {
    let head = demand.head;
    let mut generator = Generator {
        random,
        table,
        fields,
        scope: Vec::new(),
        this: Map::new(),
        names: 0,
        calls: Vec::new(),
    };
    let depth = generator.random.weighted(&[(3, 1), (5, 2), (1, 3)]);
    let (name, expression) = if let Some(overload) = table.overloads.get(head) {
        let kind = demand.kind.map(kind_of);
        let mut bound: Vec<(u32, Type)> = kind.into_iter().map(|kind| (0, kind)).collect();
        (overload.name, generator.call(head, &mut bound, depth))
    } else {
        let of = MACROS[head - table.overloads.len()];
        (of.name, generator.macro_call(of, None, depth))
    };
    let expression = match generator.random.below(40) {
        0 => format!("[{expression}]"),
        1 => format!("{{'a': {expression}}}"),
        2 => format!("optional.of({expression})"),
        3 => format!("type({expression})"),
        4 => format!("dyn({expression})"),
        5 => format!("{expression} == {expression}"),
        _ => expression,
    };
    let expression = respelled(generator.random, expression);
    let old = match generator.random.below(3) {
        0 => None,
        _ => Some(Value::Object(generator.this.clone())),
    };
    Case {
        expression,
        old,
        this: Value::Object(generator.this),
        head: name,
        demand,
        calls: generator.calls,
    }
}

/// Returns the expression, in a few cases with quoted names of fields, with a leading dot before
/// `self`, or with a macro variable that is called `self`.
fn respelled(random: &mut Random, mut expression: String) -> String {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut replace = |from: &str, to: &str| {
        let mut replaced = String::new();
        let mut rest = expression.as_str();
        while let Some((before, after)) = rest.split_once(from) {
            replaced.push_str(before);
            let starts_word = from.starts_with('.') || !is_word(before.chars().next_back());
            let is_whole = starts_word && !is_word(after.chars().next());
            replaced.push_str(if is_whole { to } else { from });
            rest = after;
        }
        replaced.push_str(rest);
        expression = replaced;
    };
    // A case never has both changes: see `hidden-root` in DIFFERENCES.md.
    match random.below(25) {
        0 => replace("x", "self"),
        1 => replace("self", ".self"),
        _ => {}
    }
    if random.chance(4) {
        for name in ["k", "v", "a", "s", "labels", "counts"] {
            replace(&format!(".{name}"), &format!(".`{name}`"));
        }
    }
    expression
}

/// Returns a case for a given expression, with an object that has all fields.
pub(crate) fn given(random: &mut Random, fields: &[Field], mut written: Value) -> Case {
    let expression = written.get("expression").unwrap_or(&written);
    let expression = expression.as_str().unwrap_or_default().to_owned();
    let values = fields.iter().map(|field| {
        let value = fields::value(random, field.name, &field.ty, field.reading);
        (field.name.to_owned(), value)
    });
    let random = Value::Object(values.collect());
    let this = written.get_mut("self").map_or(random, Value::take);
    Case {
        expression,
        old: Some(this.clone()),
        this,
        head: "given",
        demand: Demand {
            head: usize::MAX,
            kind: None,
        },
        calls: Vec::new(),
    }
}

impl Generator<'_> {
    /// Returns an expression, which has the type `ty` in most cases. Strings have the form of
    /// `reading`. The expression nests calls up to `depth` levels.
    pub(crate) fn make(&mut self, ty: &Type, reading: Reading, depth: usize) -> String {
        match self.random.below(100) {
            0..=2 => {
                let other = self.any_type();
                let other = self.plain(&other, Reading::Plain, depth);
                return if self.random.chance(50) {
                    other
                } else {
                    format!("dyn({other})")
                };
            }
            3..=5 => return format!("dyn({})", self.plain(ty, reading, depth)),
            6 => return format!("dyn({})", self.random.pick(STRANGE)),
            _ => {}
        }
        self.plain(ty, reading, depth)
    }

    /// Returns an expression of the type, like [`make`](Self::make).
    fn plain(&mut self, ty: &Type, reading: Reading, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty, reading);
        }
        match self.random.below(100) {
            0..=54 => self.call_for(ty, depth),
            55..=64 => self.macro_call_for(ty, reading, depth),
            65..=68 => {
                let condition = self.make(&Type::Bool, Reading::Plain, 0);
                let [yes, no] = [(); 2].map(|()| self.make(ty, reading, depth - 1));
                format!("({condition} ? {yes} : {no})")
            }
            69..=71 => {
                let inner = self.make(ty, reading, depth - 1);
                match self.random.below(3) {
                    0 => format!("[{inner}][0]"),
                    1 => format!("{{'a': {inner}}}.a"),
                    _ => format!("{{1: {inner}}}[1]"),
                }
            }
            _ => self.leaf(ty, reading),
        }
    }

    /// Returns a call whose result has the type.
    fn call_for(&mut self, ty: &Type, depth: usize) -> String {
        let mut fitting = Vec::new();
        for (at, overload) in self.table.overloads.iter().enumerate() {
            let mut bound = Vec::new();
            if binds(&overload.result, ty, &mut bound) {
                // An overload whose result has any type fits every type, so it gets less weight.
                let is_any = matches!(overload.result, Type::Var(_) | Type::Dyn);
                fitting.push((if is_any { 1 } else { 4 }, at));
            }
        }
        if fitting.is_empty() {
            return self.leaf(ty, Reading::Plain);
        }
        let at = self.random.weighted(&fitting);
        let mut bound = Vec::new();
        if let Some(overload) = self.table.overloads.get(at) {
            binds(&overload.result, ty, &mut bound);
        }
        self.call(at, &mut bound, depth)
    }

    /// Returns a call of the overload with the index `at`. `bound` contains the types of its type
    /// parameters; other type parameters get a random type.
    fn call(&mut self, at: usize, bound: &mut Vec<(u32, Type)>, depth: usize) -> String {
        let table = self.table;
        let Some(overload) = table.overloads.get(at) else {
            return String::new();
        };
        if (overload.name, &*overload.args) == ("_+_", &[Type::Bytes, Type::Bytes])
            && !self.scope.is_empty()
        {
            // In a macro, the server may write the next sum of bytes into the memory of the
            // previous sum, so its result is wrong.
            return self.leaf(&Type::Bytes, Reading::Plain);
        }
        self.calls.push(at);
        // An expression cannot call a function with `@` in its name. Only macros expand to such
        // calls.
        if overload.name.contains('@') && overload.name != "@in" {
            let callers = MACROS.iter().filter(|caller| caller.calls == overload.name);
            let callers: Vec<Macro> = callers.copied().collect();
            let caller = *self.random.pick(&callers);
            let key = match overload.args.get(1) {
                Some(Type::List(key)) => Some((**key).clone()),
                _ => None,
            };
            return self.macro_call(caller, key, depth);
        }
        let mut args: Vec<String> = Vec::new();
        for (number, arg) in overload.args.iter().enumerate() {
            if overload.name == "lists.range" {
                // A server builds a list of any requested length, until it is out of memory.
                args.push((*self.random.pick(COUNTS)).to_owned());
                continue;
            }
            if overload.name == "slice" && number > 0 && self.random.chance(60) {
                args.push((*self.random.pick(&["0", "1", "2"])).to_owned());
                continue;
            }
            let ty = self.bind(arg, bound);
            let reading = Reading::of(overload.name, number);
            args.push(self.make(&ty, reading, depth - 1));
        }
        // A map rarely contains a random key, so some maps are replaced by a map with the key.
        if let ("_[_]" | "_[?_]", [Type::Map(of), _], [map, key]) =
            (overload.name, &*overload.args, &mut *args)
            && self.random.chance(30)
        {
            let value = self.bind(&of.1, bound);
            *map = format!("{{{key}: {}}}", self.leaf(&value, Reading::Plain));
        }
        // A few calls have an argument too many, or lack an argument.
        match self.random.below(100) {
            0 => args.push(self.leaf(&Type::Int, Reading::Plain)),
            1 => drop(args.pop()),
            _ => {}
        }
        let other_form = self.random.chance(1);
        let parentheses = !self.random.chance(10);
        written(overload, &args, other_form, parentheses)
    }

    /// Returns the type with its type parameters replaced by the types in `bound`. A type parameter
    /// that is not in `bound` gets a random type, which is added to `bound`.
    fn bind(&mut self, ty: &Type, bound: &mut Vec<(u32, Type)>) -> Type {
        match ty {
            Type::Var(number) => {
                if let Some((_, ty)) = bound.iter().find(|(other, _)| other == number) {
                    return ty.clone();
                }
                let ty = self.any_type();
                bound.push((*number, ty.clone()));
                ty
            }
            Type::List(of) => Type::List(Box::new(self.bind(of, bound))),
            Type::Optional(of) => Type::Optional(Box::new(self.bind(of, bound))),
            Type::Type(of) => Type::Type(Box::new(self.bind(of, bound))),
            Type::Map(of) => {
                // CEL rejects keys of other types, so such keys are rare.
                let key = match self.bind(&of.0, bound) {
                    key @ (Type::String | Type::Int | Type::Bool | Type::Uint) => key,
                    _ if self.random.chance(90) => Type::String,
                    key => key,
                };
                Type::Map(Box::new((key, self.bind(&of.1, bound))))
            }
            ty => ty.clone(),
        }
    }

    pub(crate) fn any_type(&mut self) -> Type {
        let list = |of| Type::List(Box::new(of));
        match self.random.below(34) {
            0..=4 => Type::Int,
            5..=8 => Type::String,
            9..=10 => Type::Bool,
            11..=12 => Type::Double,
            13..=14 => Type::Uint,
            15 => Type::Bytes,
            16 => Type::Timestamp,
            17 => Type::Duration,
            18 => Type::Null,
            19 => Type::Dyn,
            20 => OBJECT,
            21 => Type::Type(Box::new(Type::Int)),
            22 => list(Type::Int),
            23 => list(Type::String),
            24 => list(Type::Dyn),
            25 => list(OBJECT),
            26 => Type::Map(Box::new((Type::String, Type::Int))),
            27 => Type::Map(Box::new((Type::Int, Type::String))),
            28 => Type::Optional(Box::new(Type::Int)),
            29 => Type::Optional(Box::new(Type::String)),
            30 => list(list(Type::Int)),
            _ => {
                let name: &&'static str = self.random.pick(OPAQUE);
                Type::Opaque(name)
            }
        }
    }

    /// Returns an expression that reads a field. At the first use of the field, the object gets a
    /// value for the field, or rarely none.
    pub(crate) fn field(&mut self, at: usize) -> String {
        let fields = self.fields;
        let field = &fields[at];
        if !self.this.contains_key(field.name) && !self.random.chance(4) {
            let value = fields::value(self.random, field.name, &field.ty, field.reading);
            self.this.insert(field.name.to_owned(), value);
        }
        let object = if self.random.chance(3) {
            "oldSelf"
        } else {
            "self"
        };
        format!("{object}.{}", field.name)
    }

    fn field_for(&mut self, ty: &Type, reading: Reading) -> Option<String> {
        let fields = self.fields;
        let fits = |field: &&(usize, &Field)| field.1.ty == *ty;
        let all: Vec<(usize, &Field)> = fields.iter().enumerate().collect();
        let fitting: Vec<usize> = all.iter().filter(fits).map(|field| field.0).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = *self.random.pick(&fitting);
        let name = fields[at].name;
        if *ty == Type::String && !self.this.contains_key(name) {
            self.this
                .insert(name.to_owned(), reading.text(self.random).into());
        }
        Some(self.field(at))
    }

    /// Returns a variable, a field or a literal.
    pub(crate) fn leaf(&mut self, ty: &Type, reading: Reading) -> String {
        if self.random.chance(50) {
            let fits = |of: &&(String, Type)| of.1 == *ty;
            let names: Vec<&(String, Type)> = self.scope.iter().filter(fits).collect();
            if !names.is_empty() {
                return self.random.pick(&names).0.clone();
            }
        }
        if self.random.chance(30)
            && let Some(field) = self.field_for(ty, reading)
        {
            return field;
        }
        self.literal(ty, reading)
    }

    fn literal(&mut self, ty: &Type, reading: Reading) -> String {
        match ty {
            Type::Null => "null".to_owned(),
            Type::Bool => if self.random.chance(50) {
                "true"
            } else {
                "false"
            }
            .to_owned(),
            Type::Int => literal::int(self.random),
            Type::Uint => literal::uint(self.random),
            Type::Double => literal::double(self.random),
            Type::Bytes => literal::bytes(self.random),
            Type::String => {
                let text = reading.text(self.random);
                literal::text(self.random, &text)
            }
            Type::Timestamp => self.call_with_string("timestamp", Reading::Timestamp),
            Type::Duration => self.call_with_string("duration", Reading::Duration),
            Type::List(of) => self.list(of, reading),
            Type::Map(of) => self.map(&of.0, &of.1),
            Type::Optional(of) => self.optional(of),
            Type::Type(_) => (*self.random.pick(TYPES)).to_owned(),
            Type::Object(_) if self.random.chance(30) => "{'k': 'a'}".to_owned(),
            Type::Object(_) => {
                let at = self.fields.len() - 1;
                self.field(at)
            }
            Type::Opaque(name) => self.opaque(name),
            _ => {
                let ty = self.any_type();
                let inner = if ty.to_string() == "dyn" {
                    "1".to_owned()
                } else {
                    self.leaf(&ty, reading)
                };
                if self.random.chance(70) {
                    format!("dyn({inner})")
                } else {
                    inner
                }
            }
        }
    }

    /// Returns a call of a function with a string that is valid in most cases.
    fn call_with_string(&mut self, function: &str, reading: Reading) -> String {
        let text = if self.random.chance(80) {
            reading.mostly_valid(self.random)
        } else {
            reading.text(self.random)
        };
        format!("{function}({})", literal::text(self.random, &text))
    }

    fn opaque(&mut self, name: &str) -> String {
        match name {
            "kubernetes.URL" => self.call_with_string("url", Reading::Url),
            "kubernetes.Quantity" => self.call_with_string("quantity", Reading::Quantity),
            "kubernetes.Semver" => self.call_with_string("semver", Reading::Semver),
            "net.IP" => self.call_with_string("ip", Reading::Ip),
            "net.CIDR" => self.call_with_string("cidr", Reading::Cidr),
            "kubernetes.NamedFormat" => {
                let name = *self.random.pick(&Reading::FormatName.edges()[..13]);
                format!("format.{name}()")
            }
            _ => "dyn(1)".to_owned(),
        }
    }

    fn list(&mut self, of: &Type, reading: Reading) -> String {
        let mut elements = Vec::new();
        for _ in 0..self.random.below(5) {
            let element = if self.random.chance(10) {
                let optional = self.optional(of);
                format!("?{optional}")
            } else {
                self.make(of, reading, 0)
            };
            elements.push(element);
        }
        format!("[{}]", elements.join(", "))
    }

    fn map(&mut self, key: &Type, value: &Type) -> String {
        let mut entries = Vec::new();
        for _ in 0..self.random.below(3) {
            let key = self.make(key, Reading::Plain, 0);
            let entry = if self.random.chance(10) {
                format!("?{key}: {}", self.optional(value))
            } else {
                format!("{key}: {}", self.make(value, Reading::Plain, 0))
            };
            entries.push(entry);
        }
        format!("{{{}}}", entries.join(", "))
    }

    pub(crate) fn optional(&mut self, of: &Type) -> String {
        if self.random.chance(15)
            && let Some(field) = self.field_for(of, Reading::Plain)
        {
            return field.replacen('.', ".?", 1);
        }
        match self.random.below(7) {
            0..=1 => "optional.none()".to_owned(),
            2..=4 => format!("optional.of({})", self.leaf(of, Reading::Plain)),
            5 => format!("optional.ofNonZeroValue({})", self.leaf(of, Reading::Plain)),
            _ => format!("[{}][?0]", self.leaf(of, Reading::Plain)),
        }
    }

    pub(crate) fn name(&mut self) -> String {
        self.names += 1;
        match self.names {
            number if number <= 3 => ["x", "y", "z"][number - 1].to_owned(),
            number => format!("v{number}"),
        }
    }
}

/// Returns true if the type matches the pattern, and adds the types of the pattern's type
/// parameters to `bound`.
fn binds(pattern: &Type, ty: &Type, bound: &mut Vec<(u32, Type)>) -> bool {
    match (pattern, ty) {
        (Type::Var(number), ty) => {
            if let Some((_, other)) = bound.iter().find(|(other, _)| other == number) {
                return other == ty;
            }
            bound.push((*number, ty.clone()));
            true
        }
        (Type::List(pattern), Type::List(ty))
        | (Type::Optional(pattern), Type::Optional(ty))
        | (Type::Type(pattern), Type::Type(ty)) => binds(pattern, ty, bound),
        (Type::Map(pattern), Type::Map(ty)) => {
            binds(&pattern.0, &ty.0, bound) && binds(&pattern.1, &ty.1, bound)
        }
        (pattern, ty) => pattern == ty,
    }
}

/// Returns the source of a call. With `other_form`, a method is called as a function, and a
/// function is called as a method.
fn written(of: &Signature, args: &[String], other_form: bool, parentheses: bool) -> String {
    let wrap = |text: String| {
        if parentheses {
            format!("({text})")
        } else {
            text
        }
    };
    match (of.name, args) {
        ("-_", [of]) => wrap(format!("-{of}")),
        ("!_", [of]) => wrap(format!("!{of}")),
        ("_?_:_", [condition, yes, no]) => wrap(format!("{condition} ? {yes} : {no}")),
        ("_[_]", [of, at]) => format!("{of}[{at}]"),
        ("_[?_]", [of, at]) => format!("{of}[?{at}]"),
        ("@in", [of, list]) => wrap(format!("{of} in {list}")),
        (name, [one, other]) if name.starts_with('_') => {
            let operator = name.trim_matches('_');
            wrap(format!("{one} {operator} {other}"))
        }
        (name, [one, ..]) if name.starts_with('_') || name.starts_with('-') => one.clone(),
        (name, []) if name.starts_with(['_', '-', '!', '@']) => "1".to_owned(),
        (name, [target, rest @ ..]) if of.is_member != other_form => {
            format!("{target}.{name}({})", rest.join(", "))
        }
        (name, args) => format!("{name}({})", args.join(", ")),
    }
}

/// Arguments of `lists.range`.
const COUNTS: &[&str] = &[
    "0",
    "1",
    "2",
    "5",
    "100",
    "(-1)",
    "(-9223372036854775808)",
    "dyn(3)",
    "dyn(2u)",
    "'a'",
];

/// Odd expressions of any type, as arguments of functions that do not expect them.
const STRANGE: &[&str] = &[
    "-1.0",
    "9.3e18",
    "18446744073709551615u",
    "9223372036854775808u",
    "net.IP",
    "[1] + [2]",
    "[dyn(ip('::1'))] + [dyn(1)]",
    "[timestamp(0)] + self.times",
    "['a', dyn(url('http://a'))]",
    "'a,b'.split(',', 9223372036854775807)",
    "self.ints + [1]",
    "self.set + ['q']",
    "optional.none()",
    "optional.of(1)",
    "optional.of('abcabcabcabcabcabc')",
    "optional.of([1, 2])",
    "optional.of(optional.of('abcabcabcabcabc'))",
    "optional.of(self.ints)",
    "optional.of(quantity('+1'))",
    "optional.of(int)",
    "self.set",
    "self.keyed",
    "[optional.of(1)]",
    "[self.counts]",
    "{dyn(1.0): 1, dyn(1u): 2}",
    "double('NaN')",
];

const OPAQUE: &[&str] = &[
    "kubernetes.URL",
    "kubernetes.Quantity",
    "kubernetes.Semver",
    "kubernetes.NamedFormat",
    "net.IP",
    "net.CIDR",
];

const TYPES: &[&str] = &[
    "int",
    "string",
    "bool",
    "double",
    "uint",
    "bytes",
    "list",
    "map",
    "null_type",
    "type",
    "type(1)",
    "type(self)",
    "type(int)",
    "optional_type",
    "net.IP",
    "net.CIDR",
    "kubernetes.URL",
    "kubernetes.Quantity",
    "kubernetes.Semver",
    "kubernetes.NamedFormat",
    "google.protobuf.Timestamp",
    "google.protobuf.Duration",
    "type('')",
    "type(timestamp(0))",
    "dyn",
    "timestamp",
    "type(optional.none())",
    "type([1])",
    "type({})",
    "type(null)",
];
