//! Which alternative the tokens ahead belong to, found as the server's parser finds it: first as if a rule could be followed by
//! whatever follows it anywhere, and only where that leaves several, with the rules that are really open.

use std::rc::Rc;

use super::graph::{Edge, Grammar, StateId};
use crate::syntax::token::{Kind, Token};

/// Why there is no alternative.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failed {
    /// No alternative goes on with the token that is so many behind the next one.
    At(usize),
    /// It takes too long to find out.
    TooLong,
}

/// The rules that are open, from the innermost outwards, by the states behind them.
type Stack = Option<Rc<Frame>>;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    behind: StateId,
    outer: Stack,
    depth: u32,
}

/// How many rules may be open: frames are compared and dropped one within the other.
const DEEPEST: u32 = 1_000;

/// The stack with one more rule.
fn push(outer: Stack, behind: StateId) -> Result<Stack, Failed> {
    let depth = outer.as_ref().map_or(0, |frame| frame.depth) + 1;
    if depth > DEEPEST {
        return Err(Failed::TooLong);
    }
    Ok(Some(Rc::new(Frame {
        behind,
        outer,
        depth,
    })))
}

/// Where alternatives have come to.
#[derive(Default)]
struct Configs {
    /// Those that go on with a token.
    found: Vec<Config>,
    /// All.
    seen: Vec<Config>,
}

/// Where an alternative has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Config {
    state: StateId,
    alternative: usize,
    stack: Stack,
    /// Whether it has left the rule in which the decision is.
    outside: bool,
}

/// A decision.
pub(super) struct Predictor<'a> {
    pub(super) grammar: &'static Grammar,
    /// The tokens from the next one on.
    pub(super) ahead: &'a [Token],
    /// The weakest operator that may come.
    pub(super) precedence: u8,
    /// How many steps are left for all decisions.
    pub(super) steps: &'a mut usize,
}

impl Predictor<'_> {
    /// The number of the alternative of a state, from 0. `open` are the states behind the rules that are open, outermost first.
    pub(super) fn predict(&mut self, state: StateId, open: &[StateId]) -> Result<usize, Failed> {
        if let Some(found) = self.run(state, &None, false)? {
            return Ok(found);
        }
        let mut stack = None;
        for behind in open {
            stack = push(stack, *behind)?;
        }
        self.run(state, &stack, true).map(Option::unwrap_or_default)
    }

    /// One of the two tries; `None` where the first one leaves several alternatives.
    fn run(&mut self, state: StateId, stack: &Stack, full: bool) -> Result<Option<usize>, Failed> {
        let mut configs = Configs::default();
        for (alternative, edge) in self.grammar.edges(state).iter().enumerate() {
            let config = Config {
                state,
                alternative,
                stack: stack.clone(),
                outside: false,
            };
            self.along(&config, *edge, full, Some(0), &mut configs)?;
        }
        if !full && self.asks_first(state) {
            drop_repeated(&mut configs.found);
        }
        let ahead = self.ahead;
        for (distance, token) in ahead.iter().enumerate() {
            let mut reached = Configs::default();
            for config in &configs.found {
                for edge in self.grammar.edges(config.state) {
                    if let Edge::Token(kinds, to) = edge
                        && kinds.has(token.kind)
                    {
                        let config = Config {
                            state: *to,
                            ..config.clone()
                        };
                        self.close(config, full, None, &mut reached)?;
                    }
                }
            }
            if reached.found.is_empty() {
                let finished = configs.found.iter().filter(|config| {
                    config.outside
                        || config.stack.is_none() && self.grammar.follows(config.state).is_some()
                });
                let finished = finished.map(|config| config.alternative).min();
                return finished.map(Some).ok_or(Failed::At(distance));
            }
            if let Some(found) = only(&reached.found) {
                return Ok(Some(found));
            }
            if full {
                if let Some(found) = single_viable(&reached.found) {
                    return Ok(Some(found));
                }
            } else if is_conflict(&reached.found) {
                return Ok(None);
            }
            if token.kind == Kind::End {
                return Ok(reached.found.iter().map(|config| config.alternative).min());
            }
            configs = reached;
        }
        Err(Failed::At(ahead.len()))
    }

    /// Whether it is a loop over operators, which is left only for a stronger reason.
    fn asks_first(&self, state: StateId) -> bool {
        let asks = |edge: &Edge| matches!(edge, Edge::Precedence(..));
        let Some(Edge::Free(inside)) = self.grammar.edges(state).first() else {
            return false;
        };
        let inside = self.grammar.edges(*inside);
        inside.iter().any(|edge| match edge {
            Edge::Free(further) => self.grammar.edges(*further).iter().any(asks),
            edge => asks(edge),
        })
    }

    /// Follows all that takes no token. `depth` is how many rules below the decision it is, as long as that counts.
    fn close(
        &mut self,
        config: Config,
        full: bool,
        depth: Option<u32>,
        found: &mut Configs,
    ) -> Result<(), Failed> {
        *self.steps = self
            .steps
            .checked_sub(1 + found.seen.len() / 16)
            .ok_or(Failed::TooLong)?;
        if found.seen.contains(&config) {
            return Ok(());
        }
        found.seen.push(config.clone());
        if let Some(follows) = self.grammar.follows(config.state) {
            if let Some(frame) = &config.stack {
                let config = Config {
                    state: frame.behind,
                    stack: frame.outer.clone(),
                    ..config
                };
                return self.close(config, full, outwards(depth), found);
            }
            if !full {
                for behind in follows {
                    let config = Config {
                        state: *behind,
                        outside: true,
                        ..config.clone()
                    };
                    self.close(config, full, None, found)?;
                }
            }
            if full || follows.is_empty() {
                found.found.push(config);
            }
            return Ok(());
        }
        let edges = self.grammar.edges(config.state);
        if edges.iter().any(|edge| matches!(edge, Edge::Token(..))) {
            found.found.push(config.clone());
        }
        for edge in edges {
            self.along(&config, *edge, full, depth, found)?;
        }
        Ok(())
    }

    fn along(
        &mut self,
        config: &Config,
        edge: Edge,
        full: bool,
        depth: Option<u32>,
        found: &mut Configs,
    ) -> Result<(), Failed> {
        let to = |state| Config {
            state,
            ..config.clone()
        };
        match edge {
            Edge::Token(..) => Ok(()),
            Edge::Free(state) => self.close(to(state), full, depth, found),
            Edge::Precedence(precedence, state) => {
                // What is asked of operators counts in the rule itself.
                if depth == Some(0) && precedence < self.precedence {
                    return Ok(());
                }
                self.close(to(state), full, depth, found)
            }
            Edge::Rule(rule, behind) => {
                let config = Config {
                    state: self.grammar.start(rule),
                    stack: push(config.stack.clone(), behind)?,
                    ..config.clone()
                };
                self.close(config, full, depth.map(|depth| depth + 1), found)
            }
        }
    }
}

/// Leaves out what comes to where the first alternative is too.
fn drop_repeated(configs: &mut Vec<Config>) {
    let first: Vec<Config> = configs
        .iter()
        .filter(|config| config.alternative == 0)
        .cloned()
        .collect();
    configs.retain(|config| {
        let is_it = |other: &Config| other.state == config.state && other.stack == config.stack;
        config.alternative == 0 || !first.iter().any(is_it)
    });
}

fn outwards(depth: Option<u32>) -> Option<u32> {
    depth.and_then(|depth| depth.checked_sub(1))
}

/// The alternative of all, if it is one.
fn only(configs: &[Config]) -> Option<usize> {
    let (first, rest) = configs.split_first()?;
    let is_same = |other: &Config| other.alternative == first.alternative;
    rest.iter().all(is_same).then_some(first.alternative)
}

/// The least alternative of those that are at the same place.
fn least_beside(configs: &[Config], config: &Config) -> usize {
    let beside = |other: &&Config| other.state == config.state && other.stack == config.stack;
    let alternatives = configs.iter().filter(beside).map(|other| other.alternative);
    alternatives.min().unwrap_or(config.alternative)
}

/// The alternative that wins at every place, if it is one.
fn single_viable(configs: &[Config]) -> Option<usize> {
    let mut least = configs.iter().map(|config| least_beside(configs, config));
    let first = least.next()?;
    least.all(|other| other == first).then_some(first)
}

/// Whether alternatives have come to the same places, and none has a state of its own.
fn is_conflict(configs: &[Config]) -> bool {
    let is_shared = |config: &Config| {
        let mut others = configs.iter();
        others.any(|other| {
            other.alternative != config.alternative
                && other.state == config.state
                && other.stack == config.stack
        })
    };
    let has_company = |config: &Config| {
        let mut others = configs.iter();
        others.any(|other| other.alternative != config.alternative && other.state == config.state)
    };
    configs.iter().any(is_shared) && configs.iter().all(has_company)
}
