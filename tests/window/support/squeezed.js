// A script for the page, for the tests of the app and of its components: parts of the open dialog that are lower than
// their content, unless they scroll and show some rows of it. WebDriver runs it as the body of a function.

const rows = 64;
const height = (each) => (/auto|scroll/.test(getComputedStyle(each).overflowY) ? Math.min(rows, each.scrollHeight) : each.scrollHeight);
return [...document.querySelectorAll('dialog[open] .body > *, dialog[open] .box')]
  .filter((each) => each.checkVisibility() && each.clientHeight + 2 < height(each))
  .map((each) => `${each.className}: ${each.clientHeight} of ${each.scrollHeight}`);
