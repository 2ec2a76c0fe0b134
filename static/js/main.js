// @ts-check
/** Everything that scripts add to a page. Each part works alone; without any the page is whole. */

import * as contents from "./contents.js";
import * as copy from "./copy.js";
import * as display from "./display.js";
import * as keys from "./keys.js";
import * as live from "./live.js";
import * as memo from "./memo.js";
import * as preview from "./preview.js";
import { remember } from "./recent.js";
import { load, save } from "./store.js";
import * as suggest from "./suggest.js";

// `live` last: it keeps a popstate from htmx, and with that from everything that listens after it.
for (const part of [suggest, keys, preview, contents, copy, memo, display, live]) part.start();

const box = /** @type {HTMLInputElement | null} */ (document.querySelector("#q"));
if (box?.defaultValue) remember(box.defaultValue);
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#results a") && box) remember(box.value);
});

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("/sw.js");

const HALF_DAY_MS = 12 * 60 * 60 * 1000;
if (navigator.onLine && load("synced", Infinity) < Date.now() - HALF_DAY_MS) {
  // What is kept for the time without a network follows by itself; a failure is told on the offline page.
  import("./offline/sync.js").then(({ update }) => update()).then(() => save("synced", Date.now()), () => {});
}
