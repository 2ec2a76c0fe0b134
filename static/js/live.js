// @ts-check
/**
 * Back and forward within a search as you type: what was shown under an address comes back at once, without a
 * request, and no answer that is still under way (or still waiting to be asked for) overwrites it.
 */

/** @typedef {{ title: string, nodes: ChildNode[] }} Shown */

const box = /** @type {HTMLInputElement} */ (document.querySelector("#q[hx-get]"));
const results = /** @type {HTMLElement} */ (document.getElementById("results"));
/** @type {Map<string, Shown>} what stood under each address of this document */
const seen = new Map();
let shownAt = here();

function here() {
  return location.pathname + location.search;
}

/** @param {string} address */
function queryOf(address) {
  return new URL(address, location.origin).searchParams.get("q") ?? "";
}

function keep() {
  seen.set(shownAt, { title: document.title, nodes: [...results.childNodes] });
}

/** @param {PopStateEvent} event */
function back(event) {
  event.stopImmediatePropagation(); // htmx would load the whole page anew, and show the old results until it is there
  if (here() === shownAt) return; // only a place within the page
  box.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: { elt: box } }));
  keep();
  const known = seen.get(here());
  if (!known) { // a page of another document, whose address this one took over when it was loaded anew
    results.replaceChildren();
    location.reload();
    return;
  }
  shownAt = here();
  box.value = queryOf(shownAt);
  document.title = known.title;
  results.replaceChildren(...known.nodes);
}

/** Whether the reader has come back to what is asked for: a pause after typing may end later than that. @param {Event} event */
function check(event) {
  const { elt, parameters } = /** @type {CustomEvent} */ (event).detail;
  if (elt === box && (parameters.q ?? "") === queryOf(shownAt)) event.preventDefault();
}

export function start() {
  if (!box || !results) return;
  window.addEventListener("popstate", back);
  document.addEventListener("htmx:configRequest", check);
  document.addEventListener("htmx:beforeHistoryUpdate", keep);
  for (const name of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
    document.addEventListener(name, () => { shownAt = here(); });
  }
}
