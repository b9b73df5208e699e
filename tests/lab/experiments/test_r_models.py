"""Models of r: the numbers that the study prints, gradients, and that no day is predicted with its own help."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from scipy.optimize import check_grad

from samestory.detectors.r_model import ACTIVATIONS, MODELS, DayFeatures, Matrix, RModel, Scale, day_features
from samestory.errors import InputError, ParameterError
from samestory.lab.experiments.fomin.r_models import (
    ChosenNetwork,
    Network,
    fit,
    left_out,
    limited,
    linear,
    log_items,
    mean_of_days,
    networks,
    r_range,
    study_network,
)
from samestory.lab.experiments.tables import column

ARTICLES, R = (np.array(column("fomin_days", field)) for field in ("articles", "r"))


def random_days(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    draws = np.random.default_rng(seed)
    items = draws.integers(800, 12_000, count).astype(float)
    others = [draws.normal(40, 2, count), draws.integers(30, 36, count).astype(float), draws.normal(33, 1, count)]
    features = np.column_stack([items, *others, draws.integers(28, 33, count), items**0.6, items**0.7])
    return features, -3.3 + 0.8 * np.log(items) + 0.05 * draws.normal(size=count)


# --- features ---


def test_the_features_of_a_day_are_counted() -> None:
    items = [["a", "b", "a"], ["a"], ["c", "d", "d"], ["e"], []]
    assert day_features(items, 7) == DayFeatures(5, 8 / 5, 1, 6 / 5, 1, 5, 7)


def test_of_lengths_that_are_equally_common_the_smallest_is_the_mode() -> None:
    found = day_features([["a"] * 9, ["b"] * 9, ["a"] * 4, ["b"] * 4, ["a"] * 6], 2)
    assert (found.p3, found.p5) == (4, 1)


def test_a_day_without_items_has_no_features() -> None:
    with pytest.raises(ParameterError, match="a day needs at least one item"):
        day_features([], 0)


# --- scaling ---


def test_the_scale_of_the_study() -> None:
    scale = Scale.from_values(ARTICLES)
    assert scale.to(np.array([855.0, 2117.0, 12221.0])).round(3).tolist() == [0.0, 0.111, 1.0]
    assert scale.back(scale.to(ARTICLES)) == pytest.approx(ARTICLES)


def test_what_never_varies_is_nothing_on_the_scale() -> None:
    scale = Scale.from_values(np.array([[3.0, 1.0], [3.0, 2.0]]))
    assert scale.to(np.array([[3.0, 1.5], [9.0, 3.0]])).tolist() == [[0.0, 0.5], [0.0, 2.0]]
    assert scale.back(np.array([[0.7, 0.5]])).tolist() == [[3.0, 1.5]]


# --- models ---


def test_the_log_model_has_the_errors_that_follow_from_the_printed_columns() -> None:
    miss = left_out(log_items, ARTICLES[:, None], R) - R
    assert round(float(np.abs(miss).mean()), 3) == 0.160
    assert round(float(np.sqrt((miss**2).mean())), 3) == 0.224
    assert round(1 - float((miss**2).sum() / ((R - R.mean()) ** 2).sum()), 3) == 0.823
    assert round(float(np.abs(left_out(mean_of_days, ARTICLES[:, None], R) - R).mean()), 3) == 0.419


def test_least_squares_find_a_line_that_is_there() -> None:
    features, _ = random_days(15)
    r = 1.5 + features @ np.array([1e-4, 0.02, -0.01, 0.03, 0.05, 0.001, 0.002])
    assert linear(features[:12], r[:12], features[12:]) == pytest.approx(r[12:], abs=1e-6)
    assert log_items(features[:12], 2 + 3 * np.log(features[:12, 0]), np.array([[900.0]])) == pytest.approx(
        2 + 3 * log(900)
    )


@pytest.mark.parametrize("inner", ACTIVATIONS)
@pytest.mark.parametrize("outer", ACTIVATIONS)
def test_the_gradient_of_a_network_is_that_of_its_error(inner: str, outer: str) -> None:
    features, r = random_days(9)
    inputs, wanted = Scale.from_values(features).to(features), Scale.from_values(r).to(r)
    network = Network(5, inner, outer)
    weights = np.random.default_rng(1).normal(0, 0.4, 5 * 9 + 1)
    found = check_grad(
        lambda w: network._error(w, inputs, wanted)[0], lambda w: network._error(w, inputs, wanted)[1], weights
    )
    assert found < 1e-4


def test_a_network_learns_what_a_line_cannot() -> None:
    x = np.linspace(-1, 1, 25)[:, None]
    r = 3 + x[:, 0] ** 2
    network = Network(6, "tanh", "identity", starts=3, steps=300)
    assert np.abs(network(x, r, x) - r).max() < 0.05
    assert np.abs(linear(x, r, x) - r).max() > 0.3


def test_the_same_days_give_the_same_prediction_and_other_seeds_another() -> None:
    features, r = random_days(8)
    first, again = (Network(4, starts=2)(features, r, features[:2]).tolist() for _ in range(2))
    assert first == again
    assert Network(4, starts=2, seed=1)(features, r, features[:2]).tolist() != first


def test_starts_are_averaged() -> None:
    features, r = random_days(8)
    network = Network(4, "logistic", "tanh")
    inputs, target = Scale.from_values(features), Scale.from_values(r[:, None])
    each = [
        network._forward(
            network._trained(inputs.to(features), target.to(r[:, None])[:, 0], start), inputs.to(features)
        )[0]
        for start in range(3)
    ]
    expected = target.back(np.mean(each, axis=0)[:, None])[:, 0]
    assert Network(4, "logistic", "tanh", starts=3)(features, r, features) == pytest.approx(expected)


def test_all_networks_of_the_study_are_there() -> None:
    found = list(networks())
    assert len(set(found)) == len(found) == 9 * 16
    assert {network.hidden for network in found} == set(range(4, 13))
    assert {network.hidden for network in study_network().candidates} == {4, 8, 12}


def test_a_day_left_out_does_not_help_to_predict_itself() -> None:
    """Neither the scale, nor the weights, nor the choice of the network may see it: its own r may be anything."""
    features, r = random_days(7)
    model = ChosenNetwork(
        (Network(4, "tanh", "identity", steps=20), Network(4, "identity", "exponential", steps=20)), 2
    )
    for each in (linear, log_items, mean_of_days, model):
        before = left_out(each, features, r)
        bent = r.copy()
        bent[3] += 100.0
        assert left_out(each, features, bent)[3] == before[3]
        assert left_out(each, features, bent)[2] != before[2]


def test_the_network_is_chosen_by_the_days_left_out_inside() -> None:
    x = np.linspace(0.1, 2, 12)[:, None]
    candidates = (Network(4, "identity", "identity"), Network(4, "tanh", "identity", steps=200))
    assert ChosenNetwork(candidates).choose(x, 1 + 2 * x[:, 0]) == candidates[0]
    assert ChosenNetwork(candidates).choose(x, np.sin(3 * x[:, 0])) == candidates[1]


def test_networks_are_chosen_on_one_thread_of_the_linear_algebra_library() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl", reason="of the extra lab; without it the networks are slower")
    threads: set[int] = set()

    class Watched(Network):
        def __call__(self, train: Matrix, r: Matrix, days: Matrix) -> Matrix:
            threads.update(pool["num_threads"] for pool in threadpoolctl.threadpool_info())
            return super().__call__(train, r, days)

    features, r = random_days(3)
    ChosenNetwork((Watched(4, "tanh", "identity"),)).choose(features, r)
    assert threads == {1}


@pytest.mark.parametrize("inner", ACTIVATIONS)
@pytest.mark.parametrize("outer", ACTIVATIONS)
def test_two_days_are_enough_to_say_something(inner: str, outer: str) -> None:
    features, r = random_days(2)
    assert np.isfinite(Network(4, inner, outer)(features, r, features * 10)).all()


# --- saved models ---


@pytest.mark.parametrize("model", MODELS)
def test_a_saved_model_predicts_what_the_fitted_one_does(model: str) -> None:
    train, r = random_days(8)
    if model == "network":
        network = Network(4, starts=2)
        fitted, expected = network.fit(train, r), network(train, r, train)
    else:
        fitted = fit(model, train, r)
        expected = (linear if model == "linear" else log_items)(train, r, train)
    again = RModel.from_json(fitted.to_json())
    assert again == fitted and again.days == 8
    found = [again.predict(DayFeatures(*day)) for day in train.tolist()]
    assert found == pytest.approx(expected.tolist())


@pytest.mark.parametrize("model", MODELS)
def test_a_prediction_is_within_the_range_of_the_training_days(model: str) -> None:
    train, r = random_days(5)
    fitted = Network(4).fit(train, r) if model == "network" else fit(model, train, r)
    again = RModel.from_json(fitted.to_json())
    assert again.range == (r.min(), r.max())
    for items in (1, 10, 10**4, 10**7):
        assert r.min() <= again.predict(DayFeatures(items, 9, 9, 9, 9, 15, 4)) <= r.max()


def test_a_left_out_day_is_predicted_within_the_range_of_the_others() -> None:
    features, r = np.array([[100.0], [200.0], [2.0]]), np.array([1.0, 3.0, 0.5])
    assert left_out(log_items, features, r)[2] < 0
    assert left_out(limited(log_items), features, r)[2] == 1.0


def test_days_whose_best_r_is_0_do_not_limit_predictions() -> None:
    assert r_range(np.array([0.0, 1.5, 2.5])) == (1.5, 2.5)
    with pytest.raises(ParameterError, match="the best r of every day is 0"):
        fit("log", np.array([[10.0], [20.0], [30.0]]), np.zeros(3))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "samestory-r-0", "model": "log", "days": 3, "range": [1, 2], "parameters": {}}',
        *(
            f'{{"format": "samestory-r-1", "range": [1, 2], {rest}}}'
            for rest in (
                '"model": "oracle", "days": 3, "parameters": {}',
                '"model": "log", "days": 3, "parameters": {"intercept": 1}',
                '"model": "linear", "days": 3, "parameters": {"weights": [1, 2]}',
                '"model": "log", "days": 3, "parameters": {"intercept": NaN, "slope": 1}',
                '"model": "log", "days": Infinity, "parameters": {"intercept": 1, "slope": 1}',
            )
        ),
        "[" * 9999,
        *(
            f'{{"format": "samestory-r-1", "model": "log", "days": 3, {r}"parameters": {{"intercept": 1, "slope": 1}}}}'
            for r in ("", '"range": [0, 1], ', '"range": [2, 1], ', '"range": [1], ', '"range": [NaN, 1], ')
        ),
    ],
)
def test_a_file_that_is_no_model_is_an_input_error(text: str) -> None:
    with pytest.raises(InputError, match="not a model of r"):
        RModel.from_json(text)
