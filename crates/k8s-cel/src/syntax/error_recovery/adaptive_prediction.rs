//! Adaptive prediction of an alternative from the tokens ahead (ALL(*) of ANTLR, the server's
//! parser generator). The first pass assumes that any follow state of a rule may come next. Only if
//! several alternatives remain, a second pass uses the stack of open rules.

use std::rc::Rc;

use super::transition_network::{Grammar, StateId, Transition};
use crate::syntax::token::{Token, TokenKind};

/// The reason why prediction fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum PredictionError {
    /// No alternative accepts a token. The number is the token's distance from the next token.
    NoViableAlternative(usize),
    /// The prediction exceeds a limit.
    LimitExceeded,
}

/// The context of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PredictionMode {
    /// The first pass, without the open rules around the decision (SLL of ANTLR).
    Local,
    /// The second pass, with the stack of open rules (LL of ANTLR).
    Full,
}

/// The return states of the open rules, innermost first.
type Stack = Option<Rc<Frame>>;

/// An open rule, and the rules around it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    return_state: StateId,
    outer: Stack,
    /// The number of open rules.
    depth: u32,
}

/// The maximum number of open rules. Frames are compared and dropped recursively.
const MAX_STACK_DEPTH: u32 = 1_000;

/// Returns the stack with another open rule.
fn push(outer: Stack, return_state: StateId) -> Result<Stack, PredictionError> {
    let depth = outer.as_ref().map_or(0, |frame| frame.depth) + 1;
    if depth > MAX_STACK_DEPTH {
        return Err(PredictionError::LimitExceeded);
    }
    Ok(Some(Rc::new(Frame {
        return_state,
        outer,
        depth,
    })))
}

/// The configurations of a prediction.
#[derive(Default)]
struct AtnConfigs {
    /// The configurations whose states read a token.
    token_configs: Vec<AtnConfig>,
    /// All configurations that are reachable without reading another token (the closure of ANTLR).
    seen: Vec<AtnConfig>,
}

/// A position in the transition network that an alternative can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtnConfig {
    state: StateId,
    alternative: usize,
    stack: Stack,
    /// True if the alternative has left the rule of the decision.
    has_left_rule: bool,
}

/// A prediction of an alternative.
pub(super) struct AdaptivePrediction<'a> {
    pub(super) grammar: &'static Grammar,
    /// The tokens ahead, starting with the next one.
    pub(super) lookahead: &'a [Token],
    /// The minimum precedence of an operator that may follow.
    pub(super) precedence: u8,
    /// The remaining steps of all predictions.
    pub(super) remaining_steps: &'a mut usize,
}

impl AdaptivePrediction<'_> {
    /// Returns the index of the predicted alternative of a state. `return_states` contains the
    /// return states of the open rules, outermost first.
    pub(super) fn predict(
        &mut self,
        state: StateId,
        return_states: &[StateId],
    ) -> Result<usize, PredictionError> {
        if let Some(alternative) = self.run_pass(state, &None, PredictionMode::Local)? {
            return Ok(alternative);
        }
        let mut stack = None;
        for return_state in return_states {
            stack = push(stack, *return_state)?;
        }
        self.run_pass(state, &stack, PredictionMode::Full)
            .map(Option::unwrap_or_default)
    }

    /// Runs one pass. Returns `None` if the first pass does not decide between alternatives.
    fn run_pass(
        &mut self,
        state: StateId,
        stack: &Stack,
        mode: PredictionMode,
    ) -> Result<Option<usize>, PredictionError> {
        let mut configs = AtnConfigs::default();
        for (alternative, transition) in self.grammar.transitions_of(state).iter().enumerate() {
            let config = AtnConfig {
                state,
                alternative,
                stack: stack.clone(),
                has_left_rule: false,
            };
            self.add_transition_closure(&config, *transition, mode, Some(0), &mut configs)?;
        }
        if mode == PredictionMode::Local && self.is_operator_loop(state) {
            remove_covered(&mut configs.token_configs);
        }
        let lookahead = self.lookahead;
        for (distance, token) in lookahead.iter().enumerate() {
            let mut reached = AtnConfigs::default();
            for config in &configs.token_configs {
                for transition in self.grammar.transitions_of(config.state) {
                    if let Transition::Token(kinds, to) = transition
                        && kinds.contains(token.kind)
                    {
                        let config = AtnConfig {
                            state: *to,
                            ..config.clone()
                        };
                        self.add_closure(config, mode, None, &mut reached)?;
                    }
                }
            }
            // If no alternative accepts the token, an alternative whose rule is complete is chosen.
            if reached.token_configs.is_empty() {
                let finished_configs = configs.token_configs.iter().filter(|config| {
                    config.has_left_rule
                        || config.stack.is_none() && self.grammar.follows(config.state).is_some()
                });
                let alternative = finished_configs.map(|config| config.alternative).min();
                return alternative
                    .map(Some)
                    .ok_or(PredictionError::NoViableAlternative(distance));
            }
            if let Some(alternative) = single_alternative(&reached.token_configs) {
                return Ok(Some(alternative));
            }
            if mode == PredictionMode::Full {
                if let Some(alternative) = single_viable(&reached.token_configs) {
                    return Ok(Some(alternative));
                }
            } else if is_conflict(&reached.token_configs) {
                return Ok(None);
            }
            // Alternatives that remain at the end of the source are ambiguous. The first has
            // priority.
            if token.kind == TokenKind::End {
                return Ok(reached
                    .token_configs
                    .iter()
                    .map(|config| config.alternative)
                    .min());
            }
            configs = reached;
        }
        Err(PredictionError::NoViableAlternative(lookahead.len()))
    }

    /// Returns true if a state is a loop over operators, which ends at an operator of a lower
    /// precedence.
    fn is_operator_loop(&self, state: StateId) -> bool {
        let has_precedence =
            |transition: &Transition| matches!(transition, Transition::Precedence(..));
        let Some(Transition::Epsilon(body)) = self.grammar.transitions_of(state).first() else {
            return false;
        };
        let body = self.grammar.transitions_of(*body);
        body.iter().any(|transition| match transition {
            Transition::Epsilon(next) => self
                .grammar
                .transitions_of(*next)
                .iter()
                .any(has_precedence),
            transition => has_precedence(transition),
        })
    }

    /// Adds a configuration, and all configurations that are reachable from there without reading a
    /// token. `depth` is the number of rules that were opened inside the rule of the decision, or
    /// `None` outside of that rule.
    fn add_closure(
        &mut self,
        config: AtnConfig,
        mode: PredictionMode,
        depth: Option<u32>,
        configs: &mut AtnConfigs,
    ) -> Result<(), PredictionError> {
        // The search in `seen` is linear: 16 entries count as one step.
        *self.remaining_steps = self
            .remaining_steps
            .checked_sub(1 + configs.seen.len() / 16)
            .ok_or(PredictionError::LimitExceeded)?;
        if configs.seen.contains(&config) {
            return Ok(());
        }
        configs.seen.push(config.clone());
        if let Some(follows) = self.grammar.follows(config.state) {
            if let Some(frame) = &config.stack {
                let config = AtnConfig {
                    state: frame.return_state,
                    stack: frame.outer.clone(),
                    ..config
                };
                return self.add_closure(config, mode, decrement(depth), configs);
            }
            if mode == PredictionMode::Local {
                for return_state in follows {
                    let config = AtnConfig {
                        state: *return_state,
                        has_left_rule: true,
                        ..config.clone()
                    };
                    self.add_closure(config, mode, None, configs)?;
                }
            }
            if mode == PredictionMode::Full || follows.is_empty() {
                configs.token_configs.push(config);
            }
            return Ok(());
        }
        let transitions = self.grammar.transitions_of(config.state);
        if transitions
            .iter()
            .any(|transition| matches!(transition, Transition::Token(..)))
        {
            configs.token_configs.push(config.clone());
        }
        for transition in transitions {
            self.add_transition_closure(&config, *transition, mode, depth, configs)?;
        }
        Ok(())
    }

    /// Adds the configurations that a transition reaches without reading a token.
    fn add_transition_closure(
        &mut self,
        config: &AtnConfig,
        transition: Transition,
        mode: PredictionMode,
        depth: Option<u32>,
        configs: &mut AtnConfigs,
    ) -> Result<(), PredictionError> {
        let config_at = |state| AtnConfig {
            state,
            ..config.clone()
        };
        match transition {
            Transition::Token(..) => Ok(()),
            Transition::Epsilon(state) => self.add_closure(config_at(state), mode, depth, configs),
            Transition::Precedence(precedence, state) => {
                // The precedence predicate applies only in the rule of the decision itself.
                if depth == Some(0) && precedence < self.precedence {
                    return Ok(());
                }
                self.add_closure(config_at(state), mode, depth, configs)
            }
            Transition::Rule(rule, return_state) => {
                let config = AtnConfig {
                    state: self.grammar.start(rule),
                    stack: push(config.stack.clone(), return_state)?,
                    ..config.clone()
                };
                self.add_closure(config, mode, depth.map(|depth| depth + 1), configs)
            }
        }
    }
}

/// Removes the configurations of other alternatives whose state and stack equal the state and stack
/// of a configuration of the first alternative.
fn remove_covered(configs: &mut Vec<AtnConfig>) {
    let first_configs: Vec<AtnConfig> = configs
        .iter()
        .filter(|config| config.alternative == 0)
        .cloned()
        .collect();
    configs.retain(|config| {
        let is_covered =
            |other: &AtnConfig| other.state == config.state && other.stack == config.stack;
        config.alternative == 0 || !first_configs.iter().any(is_covered)
    });
}

/// Returns the depth after the end of a rule, or `None` after the end of the rule of the decision.
fn decrement(depth: Option<u32>) -> Option<u32> {
    depth.and_then(|depth| depth.checked_sub(1))
}

/// Returns the alternative of the configurations, if all have the same.
fn single_alternative(configs: &[AtnConfig]) -> Option<usize> {
    let (first, rest) = configs.split_first()?;
    let is_same = |other: &AtnConfig| other.alternative == first.alternative;
    rest.iter().all(is_same).then_some(first.alternative)
}

/// Returns the smallest alternative among the configurations with the same state and stack.
fn min_alternative(configs: &[AtnConfig], config: &AtnConfig) -> usize {
    let has_same_position =
        |other: &&AtnConfig| other.state == config.state && other.stack == config.stack;
    let alternatives = configs
        .iter()
        .filter(has_same_position)
        .map(|other| other.alternative);
    alternatives.min().unwrap_or(config.alternative)
}

/// Returns the smallest alternative of each pair of state and stack, if it is the same for all
/// pairs.
fn single_viable(configs: &[AtnConfig]) -> Option<usize> {
    let mut alternatives = configs
        .iter()
        .map(|config| min_alternative(configs, config));
    let first = alternatives.next()?;
    alternatives.all(|other| other == first).then_some(first)
}

/// Returns true if two alternatives have a state and stack in common, and every state belongs to
/// several alternatives.
fn is_conflict(configs: &[AtnConfig]) -> bool {
    let shares_position = |config: &AtnConfig| {
        let mut others = configs.iter();
        others.any(|other| {
            other.alternative != config.alternative
                && other.state == config.state
                && other.stack == config.stack
        })
    };
    let shares_state = |config: &AtnConfig| {
        let mut others = configs.iter();
        others.any(|other| other.alternative != config.alternative && other.state == config.state)
    };
    configs.iter().any(shares_position) && configs.iter().all(shares_state)
}
