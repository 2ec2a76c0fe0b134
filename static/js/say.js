// @ts-check
/** A short word at the foot of the screen, read aloud too. */

let timer = 0;

/** @param {string} text */
export function say(text) {
  let line = document.getElementById("said");
  if (!line) {
    line = document.createElement("p");
    line.id = "said";
    line.className = "said";
    line.setAttribute("role", "status");
    document.body.append(line);
  }
  clearTimeout(timer);
  line.textContent = text;
  line.classList.add("said-shown");
  timer = setTimeout(() => line.classList.remove("said-shown"), 3000);
}
