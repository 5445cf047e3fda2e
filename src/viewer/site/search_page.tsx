// The search of a site: the page with its index, whose size is bounded.
/** @jsxRuntime automatic */
/** @jsxImportSource hono/jsx */
import { counted, plainLine } from "../../core/text.ts";
import type { Convening } from "../../operations/convening.ts";
import type { ListRow } from "../../operations/list.ts";
import { kindWords } from "../../record/transcript_outline.ts";
import { MESSAGES_A_PAGE } from "../exchange.tsx";
import { rowWords } from "../standing.tsx";
import script from "./search.js" with { type: "text" };
import { sitePage } from "./site_page.tsx";

/** The most characters of an index. */
const MOST = 4_000_000;
/** The fewest characters of a message that is in the index: of a long convening, not every message is. */
const LEAST = 100;
/** Marks of markdown that say nothing in a line of text. */
const MARKS = /^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+|\*\*|`+/gm;

/** A word that may be kept; those of Chinese, Japanese and Korean are short. */
const WORD =
  /[\p{L}\p{N}]{4,40}|[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,3}/gu;

/** A convening in the index of the search. */
interface SearchEntry {
  /** In the site, with `/`. */
  readonly path: string;
  readonly topic: string;
  /** Kind, standing and day. */
  readonly about: string;
  /** Further words of the messages, the most frequent first. */
  readonly words: string;
  readonly messages: readonly (readonly [seq: number, name: string, text: string])[];
}

/** The index of a site's search: messages with their words as far as there is room, and the frequent words of the rest. */
export class SearchIndex {
  readonly #room: number;
  readonly #entries: SearchEntry[] = [];
  #left = 0;
  #cut = 0;

  /** The index of a site with so many convenings, which share the room. */
  constructor(convenings: number) {
    this.#room = Math.floor(MOST / Math.max(1, convenings));
  }

  /** Takes in a convening. */
  add(
    { start, messages }: Convening,
    { kind = "", ...row }: ListRow,
    path: string,
  ): void {
    const each = Math.floor(this.#room * 0.8 / Math.max(1, messages.length));
    const step = Math.ceil(LEAST / Math.max(1, each));
    const most = Math.max(LEAST, each);
    const rest: string[] = [];
    const shown = messages.flatMap(({ seq, name, body }, at) => {
      if (at % step !== 0) {
        rest.push(body);
        return [];
      }
      const line = plainLine(body.replace(MARKS, ""));
      if (line.length > most) rest.push(line.slice(most));
      return [[seq, plainLine(name, 40), plainLine(line, most)] as const];
    });
    this.#left += messages.length - shown.length;
    this.#cut += rest.length > 0 ? 1 : 0;
    this.#entries.push({
      path,
      topic: plainLine(start.topic, 200),
      about: `${kindWords(kind)} · ${rowWords(row)} · ${row.startedAt.slice(0, 10)}`,
      words: frequentWords(rest, this.#room * 0.2),
      messages: shown,
    });
  }

  /** `search.html`. */
  async page(): Promise<string> {
    return await sitePage(
      "Search",
      <>
        <h1>Search</h1>
        <form id="search" class="filter" role="search" hidden>
          <label class="grow">
            Words of topics and messages
            <input type="search" name="q" autocomplete="off" />
          </label>
          <button type="submit">Search</button>
        </form>
        <p id="without">
          The search needs the script of this page. <a href="llms.txt">llms.txt</a>{" "}
          lists all convenings as text.
        </p>
        {this.#cut > 0 && (
          <p class="note">
            {`Of ${
              counted(this.#cut, "convening")
            }, the beginnings of messages and the most frequent words are searched.`}
          </p>
        )}
        <p id="count" class="note" role="status"></p>
        <ul id="found" class="cards" role="list"></ul>
      </>,
      {
        root: "",
        at: "search",
        script,
        data: { convenings: this.#entries, messagesAPage: MESSAGES_A_PAGE },
      },
    );
  }
}

/** The most frequent words of texts, without letter case and accents, as far as there is room. */
function frequentWords(texts: readonly string[], room: number): string {
  const counts = new Map<string, number>();
  for (const text of texts) {
    // Composed again: the script of the page looks for syllables of Hangul, not for their parts.
    const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
    for (const [word] of plain.matchAll(WORD)) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  let left = room;
  const kept = [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word)
    .filter((word) => (left -= word.length + 1) >= 0);
  return kept.join(" ");
}
