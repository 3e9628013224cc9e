"""The coach: what a game was decided by, what was done well and badly, and how to get better.

* `ledger` explains a result to the last digit: start, district, luck, loss, an early end.
* `review` judges every decision; `bands` says how bad a loss is called.
* `reasons` says why in words, `checking` proves that they are true.
* `puzzles` and `practice` make exercises of mistakes, and fresh ones from a seed.
* `rules` are cards to remember, made of `conditions` and `deeds`; `pricing` tells what they cost,
  `costs` line by line; `search` finds better ones, `remembered` keeps the best; `cards` prints them.

All results are frozen values; pages and the command line draw them.
"""
