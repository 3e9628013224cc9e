import assert from "node:assert/strict";
import { test } from "node:test";

import { nextTab } from "../../voila_app/skyline_app/static/lab_page.js";

test("arrows go around, Home and End to the ends", () => {
  assert.equal(nextTab("ArrowRight", 0, 4), 1);
  assert.equal(nextTab("ArrowRight", 3, 4), 0);
  assert.equal(nextTab("ArrowLeft", 0, 4), 3);
  assert.equal(nextTab("Home", 2, 4), 0);
  assert.equal(nextTab("End", 2, 4), 3);
});

test("other keys are left alone", () => {
  for (const key of ["Tab", "Enter", " ", "a", "constructor"]) assert.equal(nextTab(key, 1, 4), null);
});
