// In a page with a frame for each width and colour scheme: what a reader would see go wrong, as JSON in #result.
"use strict";

const touches = (one, other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;

function misplaced(page) {
  const shown = [...page.querySelectorAll("svg")].filter((each) => each.getBoundingClientRect().width);
  const found = shown.length === 1 ? [] : [`${shown.length} pictures`];
  for (const picture of shown) {
    const edge = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")].map((each) => [each.textContent, each.getBoundingClientRect()]);
    texts.forEach(([text, place], number) => {
      if (place.left < edge.left - 1 || place.right > edge.right + 1) found.push(`outside: ${text}`);
      for (const [other, there] of texts.slice(number + 1)) if (touches(place, there)) found.push(`${text} | ${other}`);
    });
    for (const card of picture.querySelectorAll("rect.card")) {
      const inside = card.getBoundingClientRect();
      for (const [text, place] of texts) {
        const starts = place.left >= inside.left && place.left < inside.right;
        const within = place.top >= inside.top - 2 && place.bottom <= inside.bottom + 2;
        if (starts && within && place.right > inside.right) found.push(`leaves its box: ${text}`);
      }
    }
  }
  if (page.documentElement.scrollWidth > page.documentElement.clientWidth) found.push("the page scrolls sideways");
  return found;
}

async function accessibility(frame) {
  frame.contentWindow.eval(document.getElementById("axe").textContent);
  return (await frame.contentWindow.axe.run(frame.contentDocument, { resultTypes: ["violations"] })).violations;
}

addEventListener("load", async () => {
  const results = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument;
    const violations = frame.dataset.axe === undefined ? [] : await accessibility(frame);
    const dark = frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches;
    results[`${frame.id} ${frame.contentWindow.innerWidth} ${dark ? "dark" : "light"}`] = [
      ...misplaced(page),
      ...violations.map((each) => `${each.id}: ${each.nodes[0].html}`),
    ];
  }
  document.getElementById("result").textContent = JSON.stringify(results);
});
