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

/** Returns a text in lower case without accents. The length stays the same, so offsets hold in both texts. */
function folded(text) {
  return text.replace(/[^\0-\x7f]/gu, (char) => {
    const plain = char.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    return plain.length === char.length ? plain : char;
  }).toLowerCase();
}

/** Returns a word without the quotation marks and punctuation around it, unless it has nothing else. */
function bare(word) {
  return word.replace(/^["'“”„‘’«»(]+|["'“”„‘’«»),.;:!?…]+$/g, "") || word;
}

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

/**
 * Finds convenings with all words in the topic, then messages with the words that the topic lacks, then convenings with
 * these words among their frequent words.
 */
function search(words) {
  const [topics, messages, others] = [[], [], []];
  for (const { each, topic, said } of index()) {
    const rest = words.filter((word) => !topic.includes(word));
    const isTopic = rest.length === 0;
    const wanted = isTopic ? words : rest;
    if (isTopic) topics.push({ each, text: "" });
    const before = messages.length;
    for (const [at, own] of said.entries()) {
      if (!wanted.every((word) => own.includes(word))) continue;
      const [seq, name, text] = each.messages[at];
      messages.push({ each, seq, name, text });
    }
    const isFound = isTopic || messages.length > before;
    if (!isFound && rest.every((word) => each.words.includes(word))) {
      others.push({ each, text: "" });
    }
  }
  return [...topics, ...messages, ...others];
}

function pageOf(seq) {
  const number = Math.max(1, Math.ceil(seq / messagesAPage));
  return number === 1 ? "index.html" : `page-${number}.html`;
}

/** Returns an element with the part of a text around the first found word; each found word is marked. */
function marked(text, words) {
  const whole = folded(text);
  const places = words.map((word) => whole.indexOf(word)).filter((at) => at !== -1);
  // Words may occur only in the speaker's name.
  const from = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - AROUND / 2);
  const part = text.slice(from, from + AROUND * 2);
  const line = document.createElement("p");
  line.dir = "auto";
  if (from > 0) line.append("…");
  const low = folded(part);
  let at = 0;
  while (at < part.length) {
    const next = words.map((word) => ({ word, start: low.indexOf(word, at) }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start)[0];
    if (next === undefined) break;
    const mark = document.createElement("mark");
    mark.textContent = part.slice(next.start, next.start + next.word.length);
    line.append(part.slice(at, next.start), mark);
    at = next.start + next.word.length;
  }
  line.append(part.slice(at));
  if (from + part.length < text.length) line.append("…");
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
  const words = folded(field.value).split(/\s+/).map(bare).filter((word) => word !== "");
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
