// Keys, the chosen view, and the time that somebody looks. Pages work without this file.
"use strict";
(() => {
  const $ = selector => document.querySelector(selector);
  const all = selector => [...document.querySelectorAll(selector)];
  const form = $("#answer");

  // A page that comes back from the browser's memory has a key that was used.
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });

  // The view is a habit of whoever reads: the next page has the same.
  const views = all("input[name=view]");
  const remember = value => { try { localStorage.setItem("view", value); } catch { /* not allowed: then not */ } };
  try {
    const kept = views.find(one => one.value === localStorage.getItem("view"));
    if (kept) kept.checked = true;
  } catch { /* the same */ }
  views.forEach(one => one.addEventListener("change", () => remember(one.value)));
  const turn = () => {
    const next = views[(views.findIndex(one => one.checked) + 1) % views.length];
    if (next) { next.checked = true; remember(next.value); }
  };

  // Of two sentences that match, the one shows the other.
  const partners = mark => [...mark.closest(".both").querySelectorAll(`mark[data-m="${mark.dataset.m}"]`)];
  if ($("body.pair, .looked")) {
    document.addEventListener("pointerover", event => {
      const mark = event.target.closest?.("mark.m");
      all("mark.on").forEach(one => one.classList.remove("on"));
      if (mark) partners(mark).forEach(one => one.classList.add("on"));
    });
    document.addEventListener("click", event => {
      const mark = event.target.closest?.("mark.m");
      if (!mark || !$("#view-m")?.checked || getSelection().type === "Range") return;
      const side = mark.closest(".side");
      const other = partners(mark).find(one => one.closest(".side") !== side);
      other?.scrollIntoView({ block: "center", behavior: "smooth" });
    });
  }

  // Seconds count while the page is seen.
  if (form) {
    const field = $("#seconds");
    let looked = 1000 * (parseFloat(field.value) || 0);
    let since = document.visibilityState === "visible" ? performance.now() : null;
    const stop = () => { if (since !== null) looked += performance.now() - since; since = null; };
    document.addEventListener("visibilitychange", () => {
      stop();
      if (document.visibilityState === "visible") since = performance.now();
    });
    let sent = false;
    form.addEventListener("submit", event => {
      if (sent) { event.preventDefault(); return; }
      sent = true;
      stop();
      field.value = (looked / 1000).toFixed(1);
    });
  }

  const panels = all("details.panel");
  const toggle = panel => {
    if (!panel) return;
    panel.open = !panel.open;
    if (panel.open) panels.forEach(one => { if (one !== panel) one.open = false; });
  };
  document.addEventListener("click", event => {
    panels.forEach(one => { if (one.open && !one.contains(event.target)) one.open = false; });
  });

  const rows = all("[data-row]");
  const row = () => rows.find(one => one.contains(document.activeElement));
  const go = step => {
    const next = rows[row() ? rows.indexOf(row()) + step : step > 0 ? 0 : rows.length - 1];
    next?.querySelector("summary").focus();
  };
  const put = number => {
    const select = row()?.querySelector("select");
    if (select && number < select.options.length) select.selectedIndex = number;
  };
  const comment = () => { $("#remark").open = true; $("#comment").focus(); };
  const metadata = () => {
    const found = all("details.facts-of");
    const open = !found.some(one => one.open);
    found.forEach(one => { one.open = open; });
  };
  const follow = selector => $(selector)?.click();

  const keys = {
    d: () => toggle($("#definition")),
    "?": () => toggle($("#help")),
    v: turn,
    m: metadata,
    q: () => follow("#questionable"),
    c: () => form && comment(),
    ArrowLeft: () => follow("#before"), k: () => follow("#before"),
    ArrowRight: () => follow($("#on") ? "#on" : "#behind"), j: () => follow($("#on") ? "#on" : "#behind"),
    Escape: () => panels.forEach(one => { one.open = false; }),
  };
  if (rows.length) {
    Object.assign(keys, {
      ArrowDown: () => go(1), ArrowUp: () => go(-1),
      o: () => { const text = row()?.querySelector("details"); if (text) text.open = !text.open; },
      x: () => row()?.querySelector("input[type=checkbox]").click(),
    });
    for (let number = 0; number < 10; number++) keys[number] = () => put(number);
    // there may be more sets than digits: a capital letter is the set of that name
    for (let number = 1; number <= 26; number++) keys[String.fromCharCode(64 + number)] = () => put(number);
  }
  all("button[data-keys]").forEach(button => {
    button.dataset.keys.split(" ").forEach(key => { keys[key] = () => button.click(); });
  });

  document.addEventListener("keydown", event => {
    // a key that is held down answers once and not a dozen pages
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const typed = event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])");
    if (typed) {
      if (event.key === "Escape") typed.blur();
      return;
    }
    if (event.target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
    if (event.target.matches("input") && event.key === "Enter") { event.preventDefault(); return; }
    const capital = rows.length && event.shiftKey && /^[A-Z]$/.test(event.key);
    const name = event.key.length === 1 && !capital ? event.key.toLowerCase() : event.key;
    if (Object.hasOwn(keys, name)) { event.preventDefault(); keys[name](); }
  });
})();
