// @ts-check
/** `/` goes to the search box; the left and right arrow keys turn the pages of a book. Both can be switched off. */

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param {EventTarget | null} target */
function scrollsSideways(target) {
  const box = target instanceof HTMLElement ? target.closest(".table-scroll, pre") : null;
  return box !== null && box.scrollWidth > box.clientWidth;
}

export function start() {
  document.addEventListener("keydown", (event) => {
    if (document.documentElement.dataset.keys === "off" || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping(event.target)) return;
    if (event.key === "/") {
      const box = /** @type {HTMLInputElement | null} */ (document.querySelector("#q"));
      if (box) {
        event.preventDefault();
        box.focus();
        box.select();
      }
    } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !scrollsSideways(event.target)) {
      const rel = event.key === "ArrowLeft" ? "prev" : "next";
      const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`main a[rel="${rel}"]`));
      if (link) {
        event.preventDefault();
        link.click();
      }
    }
  });
}
