// Excerpts in the search of a site opened from disk. The search fetches the pages that it found, and
// a browser refuses that for files: it is given their texts instead, which a script can bring.
if (location.protocol === "file:") {
  const brought = new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = "_static/search_texts.js";
    script.onload = script.onerror = resolve;
    document.head.appendChild(script);
  });
  const nameOf = (url) => url.replace(/^\.\//, "").replace(/\.html$/, "");
  window.fetch = async (url) => {
    await brought;
    const texts = typeof PAGE_TEXTS === "undefined" ? {} : PAGE_TEXTS;
    return new Response(`<div role="main">${texts[nameOf(url)] ?? ""}</div>`);
  };
}
