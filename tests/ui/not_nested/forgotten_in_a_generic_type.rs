use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Numbers<const N: usize> {
    first: u8,
}

#[derive(Union, Serialize)]
struct Choice<T> {
    #[union(member, group = choice, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<T>,
}

#[derive(Union, Serialize)]
struct Holder<'a, T: Clone, const N: usize> {
    #[union(member, group = choice, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<T>,
    of_a_parameter: Choice<T>,
    of_a_constant: Vec<Choice<Numbers<N>>>,
    of_a_lifetime: Option<Choice<&'a str>>,
    of_a_type: Choice<String>,
    unknown: T,
}

fn main() {}
