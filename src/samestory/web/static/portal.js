// Keyboard shortcuts: j and k move between stories, o opens one, x expands it, / searches. Pages work without this file.
"use strict";
(() => {
  const stories = [...document.querySelectorAll("[data-story]")];
  const current = () => stories.findIndex(one => one.contains(document.activeElement));
  const go = step => {
    const at = current();
    const next = stories[at < 0 ? (step > 0 ? 0 : stories.length - 1) : at + step];
    if (!next) return;
    next.querySelector("h3 a").focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };
  const unfold = () => {
    const details = stories[current()]?.querySelector("details");
    if (details) details.open = !details.open;
  };
  const keys = {
    j: () => go(1),
    k: () => go(-1),
    o: () => stories[current()]?.querySelector("h3 a").click(),
    x: unfold,
    "/": () => { const box = document.querySelector("#q"); box.focus(); box.select(); },
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  });
})();
