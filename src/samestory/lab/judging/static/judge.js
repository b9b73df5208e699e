// Keyboard shortcuts, the chosen view, and the time per item. Pages work without this file.
"use strict";
(() => {
  const $ = selector => document.querySelector(selector);
  const all = selector => [...document.querySelectorAll(selector)];
  const form = $("#answer");

  // A page restored from the back/forward cache has a form key that was already used.
  addEventListener("pageshow", event => { if (event.persisted) location.reload(); });

  // The chosen view is kept for the next page.
  const views = all("input[name=view]");
  const remember = value => { try { localStorage.setItem("view", value); } catch { /* storage is disabled */ } };
  try {
    const kept = views.find(one => one.value === localStorage.getItem("view"));
    if (kept) kept.checked = true;
  } catch { /* storage is disabled */ }
  views.forEach(one => one.addEventListener("change", () => remember(one.value)));
  const switchView = () => {
    const next = views[(views.findIndex(one => one.checked) + 1) % views.length];
    if (next) { next.checked = true; remember(next.value); }
  };

  // Highlight the matching sentence of the other text on hover, and scroll to it on click.
  const partners = mark => [...mark.closest(".both").querySelectorAll(`mark[data-m="${mark.dataset.m}"]`)];
  if ($("body.pair, .comparison")) {
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

  // Time counts only while the page is visible.
  if (form) {
    const field = $("#seconds");
    let visibleMs = 1000 * (parseFloat(field.value) || 0);
    let since = document.visibilityState === "visible" ? performance.now() : null;
    const stop = () => { if (since !== null) visibleMs += performance.now() - since; since = null; };
    document.addEventListener("visibilitychange", () => {
      stop();
      if (document.visibilityState === "visible") since = performance.now();
    });
    let sent = false;
    form.addEventListener("submit", event => {
      if (sent) { event.preventDefault(); return; }
      sent = true;
      stop();
      field.value = (visibleMs / 1000).toFixed(1);
    });
  }

  // What is filled in is kept on the server, so that a reload or another tab shows it again.
  if (form) {
    const DRAFT_DELAY_MS = 400;
    let timer = null;
    const save = () => {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      const fields = new URLSearchParams(new FormData(form));
      fields.set("draft", "1");
      // keepalive: the page may be left before the answer arrives; without a connection the next change tries again
      fetch(location.pathname, { method: "POST", body: fields, keepalive: true }).catch(() => {});
    };
    const schedule = delay => { clearTimeout(timer); timer = setTimeout(save, delay); };
    addEventListener("change", event => { if (event.target.form === form) schedule(0); });
    addEventListener("input", event => { if (event.target.form === form) schedule(DRAFT_DELAY_MS); });
    addEventListener("pagehide", save);
    form.addEventListener("submit", () => { clearTimeout(timer); timer = null; });
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
  const assignSet = number => {
    const select = row()?.querySelector("select");
    if (!select || number >= select.options.length) return;
    select.selectedIndex = number;
    select.dispatchEvent(new Event("change", { bubbles: true }));  // a change by a key is kept as one by the mouse is
  };
  const comment = () => { $("#comment-box").open = true; $("#comment").focus(); };
  const metadata = () => {
    const found = all("details.metadata");
    const open = !found.some(one => one.open);
    found.forEach(one => { one.open = open; });
  };
  const follow = selector => $(selector)?.click();

  const keys = {
    d: () => toggle($("#definition")),
    "?": () => toggle($("#help")),
    v: switchView,
    m: metadata,
    q: () => follow("#questionable"),
    c: () => form && comment(),
    ArrowLeft: () => follow("#previous"), k: () => follow("#previous"),
    ArrowRight: () => follow($("#continue") ? "#continue" : "#following"), j: () => follow($("#continue") ? "#continue" : "#following"),
    Escape: () => panels.forEach(one => { one.open = false; }),
  };
  if (rows.length) {
    Object.assign(keys, {
      ArrowDown: () => go(1), ArrowUp: () => go(-1),
      o: () => { const text = row()?.querySelector("details"); if (text) text.open = !text.open; },
      x: () => row()?.querySelector("input[type=checkbox]").click(),
    });
    for (let number = 0; number < 10; number++) keys[number] = () => assignSet(number);
    // there may be more sets than digits: a capital letter selects the set of that name
    for (let number = 1; number <= 26; number++) keys[String.fromCharCode(64 + number)] = () => assignSet(number);
  }
  all("button[data-keys]").forEach(button => {
    button.dataset.keys.split(" ").forEach(key => { keys[key] = () => button.click(); });
  });

  document.addEventListener("keydown", event => {
    // ignore key repeat: a key that is held down must not answer several pages
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
