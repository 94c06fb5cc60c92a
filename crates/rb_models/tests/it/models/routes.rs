//! Which model answers which role.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::{Cancel, Usd};
use rb_http::testing::Waits;
use rb_models::{Models, ModelsContext, Patience, Purse, Request, Route, Routes, Tape};

use super::{Scripted, price, question, says, scripted, usd};

fn route(provider: &Arc<Scripted>, model: &str, times: u32) -> Route {
    let mut price = price();
    (price.input, price.output) = (usd(f64::from(times)), usd(f64::from(times)));
    let provider = Arc::<Scripted>::clone(provider);
    Route { provider, model: model.to_owned(), price: Some(price), window: None, max_output: None }
}

#[test]
fn mo6_a_role_has_its_own_provider_model_and_price() {
    let answers = || vec![Ok(says("Yes.")), Ok(says("Yes."))];
    let [usual, own] = ["usual", "own"].map(|name| scripted(name, answers(), true));
    let roles = BTreeMap::from([("planner".to_owned(), route(&own, "large", 1_000))]);
    let routes = Routes { usual: route(&usual, "small", 1), roles };
    let (clock, cancel) = (Waits::new(), Cancel::new());
    let context = ModelsContext { clock, cancel, told: Box::new(|_| {}) };
    let purse = Purse::new(None, Usd::default());
    let models = Models::new(routes, Tape::Off, purse, Patience::default(), context);
    let ask = |role: &str, model: &str| {
        let mut request = Request { model: model.to_owned(), ..question("Is it well?") };
        role.clone_into(&mut request.purpose.role);
        let facts = models.call(request).unwrap().facts;
        format!("{} {}", facts.provider, facts.model)
    };
    assert_eq!(ask("planner", ""), "own large");
    assert_eq!(ask("patcher", ""), "usual small");
    // A request that names one keeps it.
    assert_eq!(ask("planner", "larger"), "own larger");
    assert_eq!(ask("critic", ""), "usual small");
    let ledger = models.ledger();
    let cost = |role: &str| ledger.roles()[role].cost;
    assert_eq!((cost("planner"), cost("patcher")), (usd(0.22), usd(0.000_11)));
}
