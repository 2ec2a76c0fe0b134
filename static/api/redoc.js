// Starts Redoc on its page.
Redoc.init(document.currentScript.dataset.schema, {}, document.getElementById("redoc"));
