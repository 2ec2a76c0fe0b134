// @ts-check
/** Everything that scripts add to a page. Each part works alone; without any the page is whole. */

import * as contents from "./contents.js";
import * as copy from "./copy.js";
import * as display from "./display.js";
import * as keys from "./keys.js";
import * as memo from "./memo.js";
import * as preview from "./preview.js";
import { remember } from "./recent.js";
import * as suggest from "./suggest.js";

for (const part of [suggest, keys, preview, contents, copy, memo, display]) part.start();

const box = /** @type {HTMLInputElement | null} */ (document.querySelector("#q"));
if (box?.defaultValue) remember(box.defaultValue);
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#results a") && box) remember(box.value);
});

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("/sw.js");
