// Searches a site. The page contains the index, because a page that was opened from disk cannot load other files.
const { convenings, messagesAPage } = JSON.parse(document.querySelector("#data").textContent);
const form = document.querySelector("#search");
const [field] = form.elements;
const count = document.querySelector("#count");
const list = document.querySelector("#found");

/** Maximal number of results shown. */
const MOST = 100;
/** Half the number of characters that a result shows. */
const AROUND = 120;

let prepared;

/** Returns the index with folded texts; made at the first search. */
function index() {
  prepared ??= convenings.map((each) => ({
    each,
    topic: folded(each.topic),
    said: each.messages.map(([, name, text]) => `${folded(name)} ${folded(text)}`),
  }));
  return prepared;
}

/** Finds convenings with all words in the topic, then messages with the words that the topic lacks. */
function search(words) {
  const [topics, messages] = [[], []];
  for (const { each, topic, said } of index()) {
    const rest = words.filter((word) => !topic.includes(word));
    const isTopic = rest.length === 0;
    const wanted = isTopic ? words : rest;
    if (isTopic) topics.push({ each, text: "" });
    for (const [at, own] of said.entries()) {
      if (!wanted.every((word) => own.includes(word))) continue;
      const [seq, name, text] = each.messages[at];
      messages.push({ each, seq, name, text });
    }
  }
  return [...topics, ...messages];
}

function pageOf(seq) {
  const number = Math.max(1, Math.ceil(seq / messagesAPage));
  return number === 1 ? "index.html" : `page-${number}.html`;
}

/** Returns the places in a text of the characters of the folded text, and the text's length. */
function placesIn(text) {
  const places = [];
  let place = 0;
  for (const char of text) {
    for (let left = folded(char).length; left > 0; left--) places.push(place);
    place += char.length;
  }
  return [...places, place];
}

/** Returns an element with the part of a text around the first found word; each found word is marked. */
function marked(text, words) {
  const whole = folded(text);
  const places = placesIn(text);
  const starts = words.map((word) => whole.indexOf(word)).filter((at) => at !== -1);
  // Words may occur only in the speaker's name.
  const first = Math.max(0, (starts.length === 0 ? 0 : Math.min(...starts)) - AROUND / 2);
  const last = Math.min(first + AROUND * 2, whole.length);
  const line = document.createElement("p");
  line.dir = "auto";
  if (first > 0) line.append("…");
  let at = first;
  while (at < last) {
    const next = words.map((word) => ({ word, start: whole.indexOf(word, at) }))
      .filter(({ word, start }) => start !== -1 && start + word.length <= last)
      .sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0];
    if (next === undefined) break;
    const end = next.start + next.word.length;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(places[next.start], places[end]);
    line.append(text.slice(places[at], places[next.start]), mark);
    at = end;
  }
  line.append(text.slice(places[at], places[last]));
  if (last < whole.length) line.append("…");
  return line;
}

function card({ each, seq, name, text }, words) {
  const item = document.createElement("li");
  item.className = "card";
  const title = document.createElement("h2");
  const link = document.createElement("a");
  link.href = `${each.path}/${seq === undefined ? "index.html" : `${pageOf(seq)}#message-${seq}`}`;
  link.textContent = each.topic;
  link.dir = "auto";
  title.append(link);
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = `${seq === undefined ? "" : `Message ${seq}, ${name} · `}${each.about}`;
  item.append(title, note);
  if (text !== "") item.append(marked(text, words));
  return item;
}

function show() {
  const words = wordsOf(field.value);
  const found = words.length === 0 ? [] : search(words);
  const shown = found.slice(0, MOST);
  list.replaceChildren(...shown.map((each) => card(each, words)));
  count.textContent = words.length === 0
    ? ""
    : found.length === 0
    ? "Nothing was found."
    : found.length === shown.length
    ? `${found.length} found`
    : `${found.length} found, the first ${shown.length} are shown`;
}

function read() {
  field.value = new URLSearchParams(location.hash.slice(1)).get("q") ?? "";
  show();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = `q=${encodeURIComponent(field.value)}`;
  show();
});
field.addEventListener("input", show);
addEventListener("hashchange", read);
form.hidden = false;
document.querySelector("#without").hidden = true;
read();
