"""The permanent campaign: attacks with stated budgets, tried as often as the promises say.

    python -m tests.hostile.campaign [--only NAME] [--scale 0.1]

Each attack is one module with a `BUDGET` and a function `run(trial, folder)`. It runs in a process of its own, whose
time and memory are measured from outside; its counts and measurements go to benchmarks/results/campaign.jsonl, and from
there into docs/concepts/promises.md. `make test` runs most attacks too, at a very small scale.
"""
