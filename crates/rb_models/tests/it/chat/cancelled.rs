//! A call that is no longer wanted ends at once, wherever it is.

use std::thread;

use expect_test::expect;
use rb_core::Cancel;
use rb_models::{Calling, Heard, Provider as _};
use rb_testkit::stub::{Gate, Reply, Stub};

use super::{chat, events, hi, text};
use super::{failed, hello};

const INTERRUPTED: &str = "openai: the call was interrupted\nInterrupted: stop: Interrupted\n";

#[test]
fn mo8_a_call_can_be_cancelled_before_it_begins() {
    let (stub, cancel) = (Stub::always(hi()), Cancel::new());
    cancel.cancel();
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    let result = chat("openai", &stub.url()).ask(&hello(), &calling);
    assert_eq!(failed(result, &stub.url()), INTERRUPTED);
    expect!["0"].assert_eq(&stub.seen().len().to_string());
}

#[test]
fn mo8_a_call_can_be_cancelled_while_it_waits() {
    let (stub, cancel) = (Stub::always(Reply::silence()), Cancel::new());
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    thread::scope(|scope| {
        scope.spawn(|| {
            stub.wait_for(1);
            cancel.cancel();
        });
        let result = chat("openai", &stub.url()).ask(&hello(), &calling);
        assert_eq!(failed(result, &stub.url()), INTERRUPTED);
    });
}

#[test]
fn mo8_a_call_can_be_cancelled_in_the_middle_of_the_answer() {
    let (gate, cancel) = (Gate::new(), Cancel::new());
    gate.open();
    let stub = Stub::always(events(&[&text("Hal"), &text("lo")]).gated(&gate));
    let heard = |sign: Heard<'_>| {
        if let Heard::Text(_) = sign {
            cancel.cancel();
        }
    };
    let calling = Calling { cancel: &cancel, heard: &heard };
    let result = chat("openai", &stub.url()).ask(&hello(), &calling);
    assert_eq!(failed(result, &stub.url()), INTERRUPTED);
}
