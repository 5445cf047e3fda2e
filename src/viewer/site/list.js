// Filters and sorts the list of convenings on a page.
const form = document.querySelector("#narrow");
const list = document.querySelector("#archive");
const rows = [...list.children];
const [words, order] = form.elements;
const count = document.querySelector("#count");

const ORDERS = {
  newest: () => 0,
  oldest: () => 0,
  messages: (a, b) => b.dataset.messages - a.dataset.messages,
  cost: (a, b) => b.dataset.cost - a.dataset.cost,
};

const texts = new Map(rows.map((row) => [row, folded(row.textContent)]));

function narrow() {
  const wanted = wordsOf(words.value);
  for (const row of rows) row.hidden = !wanted.every((word) => texts.get(row).includes(word));
  const shown = rows.filter((row) => !row.hidden).length;
  count.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} convenings`;
}

function sort() {
  const sorted = rows.toSorted(ORDERS[order.value]);
  list.append(...order.value === "oldest" ? sorted.reverse() : sorted);
}

words.addEventListener("input", narrow);
order.addEventListener("change", sort);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.href = `${form.dataset.search}#q=${encodeURIComponent(words.value)}`;
});
form.hidden = false;
narrow();
sort();
