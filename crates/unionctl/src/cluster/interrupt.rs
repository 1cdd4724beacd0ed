//! Ends a command at Ctrl-C.

use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
#[cfg(not(target_family = "wasm"))]
use std::{io, process, thread};

use crate::error::CommandError;
#[cfg(not(target_family = "wasm"))]
use crate::error::INTERRUPT_EXIT_CODE;
#[cfg(not(target_family = "wasm"))]
use crate::output::print;

/// The state that the signal handler shares with the command.
#[derive(Debug, Default)]
pub(super) struct Interrupt {
    is_set: AtomicBool,
    child: Mutex<Option<Child>>,
}

impl Interrupt {
    /// Creates the state, and handles signals from now on.
    pub(super) fn listen() -> Result<Arc<Self>, CommandError> {
        let interrupt = Arc::new(Self::default());
        #[cfg(not(target_family = "wasm"))]
        {
            let handler_state = Arc::clone(&interrupt);
            ctrlc::set_handler(move || handler_state.handle_signal()).map_err(|error| {
                CommandError::new("the command", format!("cannot handle Ctrl-C: {error}"))
            })?;
        }
        Ok(interrupt)
    }

    /// Kills kubectl, and ends the process. Output that is being printed is finished first, so that
    /// no half line remains. A thread waits for the output, so that this handler can return, and a
    /// second signal ends the process at once.
    #[cfg(not(target_family = "wasm"))]
    fn handle_signal(&self) {
        let exit_code = INTERRUPT_EXIT_CODE.into();
        if self.is_set.swap(true, Ordering::SeqCst) {
            process::exit(exit_code);
        }
        if let Some(child) = self.child().as_mut() {
            // A process that has ended cannot be killed, and has a status.
            let _ = child.kill().and_then(|()| child.wait());
        }
        thread::spawn(move || {
            let _printing = io::stdout().lock();
            print::interrupt();
            process::exit(exit_code);
        });
    }

    pub(super) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// Returns the running child process. The signal handler waits for the guard, so that it also
    /// kills a child that is started under the guard.
    pub(super) fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
