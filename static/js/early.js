// Runs before the first paint: the theme and type size that were chosen on this device.
(function () {
  try {
    var chosen = JSON.parse(localStorage.getItem("rulings.display") || "{}");
    var root = document.documentElement;
    if (chosen.theme) root.dataset.theme = chosen.theme;
    if (chosen.size) root.dataset.size = chosen.size;
    if (chosen.keys === false) root.dataset.keys = "off";
    root.dataset.scripts = "on";
  } catch (error) {
    document.documentElement.dataset.scripts = "on"; // storage is closed: the page follows the system
  }
})();
