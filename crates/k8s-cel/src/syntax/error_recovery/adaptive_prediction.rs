//! The prediction of an alternative from the tokens ahead, as the server's parser does it: first as
//! if a rule could be followed by each token that follows it anywhere, and with the rules that are
//! really open only if several alternatives are left.

use std::rc::Rc;

use super::transition_network::{Grammar, StateId, Transition};
use crate::syntax::token::{Kind, Token};

/// The reason why no alternative is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum PredictionError {
    /// No alternative continues with this token. The number counts the tokens from the next one.
    NoViableAlternative(usize),
    /// The prediction takes too long.
    TooLong,
}

/// The open rules, from the innermost outwards, by the states behind them.
type Stack = Option<Rc<Frame>>;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    return_state: StateId,
    outer: Stack,
    depth: u32,
}

/// The maximum number of open rules: frames are compared and dropped recursively.
const MAX_STACK_DEPTH: u32 = 1_000;

/// Returns the stack with another rule.
fn push(outer: Stack, behind: StateId) -> Result<Stack, PredictionError> {
    let depth = outer.as_ref().map_or(0, |frame| frame.depth) + 1;
    if depth > MAX_STACK_DEPTH {
        return Err(PredictionError::TooLong);
    }
    Ok(Some(Rc::new(Frame {
        return_state: behind,
        outer,
        depth,
    })))
}

/// The positions of alternatives.
#[derive(Default)]
struct AtnConfigs {
    /// The positions from which a token is read.
    found: Vec<AtnConfig>,
    /// All positions.
    seen: Vec<AtnConfig>,
}

/// The position of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtnConfig {
    state: StateId,
    alternative: usize,
    stack: Stack,
    /// True if the alternative has left the rule of the decision.
    outside: bool,
}

/// A decision.
pub(super) struct AdaptivePrediction<'a> {
    pub(super) grammar: &'static Grammar,
    /// The tokens from the next one on.
    pub(super) ahead: &'a [Token],
    /// The weakest operator that may follow.
    pub(super) precedence: u8,
    /// The number of steps that are left for all decisions.
    pub(super) steps: &'a mut usize,
}

impl AdaptivePrediction<'_> {
    /// Returns the number of the alternative of a state, from 0. `open` contains the states behind
    /// the open rules, the outermost first.
    pub(super) fn predict(
        &mut self,
        state: StateId,
        open: &[StateId],
    ) -> Result<usize, PredictionError> {
        if let Some(found) = self.run(state, &None, false)? {
            return Ok(found);
        }
        let mut stack = None;
        for behind in open {
            stack = push(stack, *behind)?;
        }
        self.run(state, &stack, true).map(Option::unwrap_or_default)
    }

    /// Runs one of the two tries. Returns `None` if the first try leaves several alternatives.
    fn run(
        &mut self,
        state: StateId,
        stack: &Stack,
        full: bool,
    ) -> Result<Option<usize>, PredictionError> {
        let mut configs = AtnConfigs::default();
        for (alternative, edge) in self.grammar.transitions_of(state).iter().enumerate() {
            let config = AtnConfig {
                state,
                alternative,
                stack: stack.clone(),
                outside: false,
            };
            self.along(&config, *edge, full, Some(0), &mut configs)?;
        }
        if !full && self.is_operator_loop(state) {
            drop_repeated(&mut configs.found);
        }
        let ahead = self.ahead;
        for (distance, token) in ahead.iter().enumerate() {
            let mut reached = AtnConfigs::default();
            for config in &configs.found {
                for edge in self.grammar.transitions_of(config.state) {
                    if let Transition::Token(kinds, to) = edge
                        && kinds.contains(token.kind)
                    {
                        let config = AtnConfig {
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
                return finished
                    .map(Some)
                    .ok_or(PredictionError::NoViableAlternative(distance));
            }
            if let Some(found) = single_alternative(&reached.found) {
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
        Err(PredictionError::NoViableAlternative(ahead.len()))
    }

    /// Returns true if a state is a loop over operators, which the parser leaves only for a
    /// stronger reason.
    fn is_operator_loop(&self, state: StateId) -> bool {
        let asks = |edge: &Transition| matches!(edge, Transition::Precedence(..));
        let Some(Transition::Epsilon(inside)) = self.grammar.transitions_of(state).first() else {
            return false;
        };
        let inside = self.grammar.transitions_of(*inside);
        inside.iter().any(|edge| match edge {
            Transition::Epsilon(further) => self.grammar.transitions_of(*further).iter().any(asks),
            edge => asks(edge),
        })
    }

    /// Follows the edges that do not read a token. `depth` is the number of rules below the
    /// decision, as long as the number matters.
    fn close(
        &mut self,
        config: AtnConfig,
        full: bool,
        depth: Option<u32>,
        found: &mut AtnConfigs,
    ) -> Result<(), PredictionError> {
        *self.steps = self
            .steps
            .checked_sub(1 + found.seen.len() / 16)
            .ok_or(PredictionError::TooLong)?;
        if found.seen.contains(&config) {
            return Ok(());
        }
        found.seen.push(config.clone());
        if let Some(follows) = self.grammar.follows(config.state) {
            if let Some(frame) = &config.stack {
                let config = AtnConfig {
                    state: frame.return_state,
                    stack: frame.outer.clone(),
                    ..config
                };
                return self.close(config, full, outwards(depth), found);
            }
            if !full {
                for behind in follows {
                    let config = AtnConfig {
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
        let edges = self.grammar.transitions_of(config.state);
        if edges
            .iter()
            .any(|edge| matches!(edge, Transition::Token(..)))
        {
            found.found.push(config.clone());
        }
        for edge in edges {
            self.along(&config, *edge, full, depth, found)?;
        }
        Ok(())
    }

    fn along(
        &mut self,
        config: &AtnConfig,
        edge: Transition,
        full: bool,
        depth: Option<u32>,
        found: &mut AtnConfigs,
    ) -> Result<(), PredictionError> {
        let to = |state| AtnConfig {
            state,
            ..config.clone()
        };
        match edge {
            Transition::Token(..) => Ok(()),
            Transition::Epsilon(state) => self.close(to(state), full, depth, found),
            Transition::Precedence(precedence, state) => {
                // The condition on operators applies only in the rule itself.
                if depth == Some(0) && precedence < self.precedence {
                    return Ok(());
                }
                self.close(to(state), full, depth, found)
            }
            Transition::Rule(rule, behind) => {
                let config = AtnConfig {
                    state: self.grammar.start(rule),
                    stack: push(config.stack.clone(), behind)?,
                    ..config.clone()
                };
                self.close(config, full, depth.map(|depth| depth + 1), found)
            }
        }
    }
}

/// Removes the alternatives at positions that the first alternative has too.
fn drop_repeated(configs: &mut Vec<AtnConfig>) {
    let first: Vec<AtnConfig> = configs
        .iter()
        .filter(|config| config.alternative == 0)
        .cloned()
        .collect();
    configs.retain(|config| {
        let is_it = |other: &AtnConfig| other.state == config.state && other.stack == config.stack;
        config.alternative == 0 || !first.iter().any(is_it)
    });
}

fn outwards(depth: Option<u32>) -> Option<u32> {
    depth.and_then(|depth| depth.checked_sub(1))
}

/// Returns the alternative that all positions have in common.
fn single_alternative(configs: &[AtnConfig]) -> Option<usize> {
    let (first, rest) = configs.split_first()?;
    let is_same = |other: &AtnConfig| other.alternative == first.alternative;
    rest.iter().all(is_same).then_some(first.alternative)
}

/// Returns the least alternative at the same position.
fn least_beside(configs: &[AtnConfig], config: &AtnConfig) -> usize {
    let beside = |other: &&AtnConfig| other.state == config.state && other.stack == config.stack;
    let alternatives = configs.iter().filter(beside).map(|other| other.alternative);
    alternatives.min().unwrap_or(config.alternative)
}

/// Returns the alternative that wins at every position, if there is one.
fn single_viable(configs: &[AtnConfig]) -> Option<usize> {
    let mut least = configs.iter().map(|config| least_beside(configs, config));
    let first = least.next()?;
    least.all(|other| other == first).then_some(first)
}

/// Returns true if alternatives share a position, and no alternative has a state of its own.
fn is_conflict(configs: &[AtnConfig]) -> bool {
    let is_shared = |config: &AtnConfig| {
        let mut others = configs.iter();
        others.any(|other| {
            other.alternative != config.alternative
                && other.state == config.state
                && other.stack == config.stack
        })
    };
    let has_company = |config: &AtnConfig| {
        let mut others = configs.iter();
        others.any(|other| other.alternative != config.alternative && other.state == config.state)
    };
    configs.iter().any(is_shared) && configs.iter().all(has_company)
}
