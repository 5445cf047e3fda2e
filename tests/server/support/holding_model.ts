import { join } from "@std/path";
import { userFiles } from "../../../src/record/disk_files.ts";
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from "../../support/model_server.ts";
import { sampleJson } from "../../support/sample_json.ts";

/** Which request of a convening is held back, and how many others are answered meanwhile. */
export interface HeldPlace {
  /** Words of the convening's requests alone. */
  readonly topic: string;
  /** Further words of the convening's requests alone, in those that do not name the topic. @default none */
  readonly words?: RegExp;
  /** Is in the last message of the request. */
  readonly held: RegExp;
  readonly answers: number;
}

/** One request that was answered. */
interface PaidAnswer {
  /** See {@linkcode wordsOf}. */
  readonly asked: string;
  readonly topic: string;
  /** Words that no other answer has. */
  readonly mark: string;
}

/** How far the places were come to. */
interface Stand {
  readonly isHeld: Set<string>;
  readonly answers: Map<string, number>;
}

/**
 * A model that lets requests hang at known places. Each of its answers has words of its own, so that one can see which of
 * them a convening's directory holds.
 */
export class HoldingModel {
  /** What was answered, in its order. */
  readonly answered: PaidAnswer[] = [];
  #places: readonly HeldPlace[] = [];
  #stand: Stand = { isHeld: new Set(), answers: new Map() };
  #open = Promise.withResolvers<void>();
  #reached = Promise.withResolvers<void>();
  #isShut = false;
  /** Counts the processes that are served. */
  #process = 0;
  readonly #odd: (name: string, mark: string, asked: string) => ModelReply | undefined;

  /** `odd` answers by the schema's name where the usual answer would not do. */
  constructor(odd: (name: string, mark: string, asked: string) => ModelReply | undefined) {
    this.#odd = odd;
  }

  /** Holds back what is at these places from now on; resolves once all are reached and as much is answered as they say. */
  holdAt(places: readonly HeldPlace[]): Promise<void> {
    this.#places = places;
    this.#stand = { isHeld: new Set(), answers: new Map() };
    this.#reached = Promise.withResolvers<void>();
    return this.#reached.promise;
  }

  /** Answers nothing more: what is answered is all there is. */
  shut(): void {
    this.#isShut = true;
  }

  /** Holds nothing back any more. What hangs was asked by a process that is gone: its answer is none. */
  open(): void {
    this.#process++;
    this.#places = [];
    this.#isShut = false;
    this.#open.resolve();
    this.#open = Promise.withResolvers<void>();
  }

  /** The server it answers at. */
  serve(): Promise<ModelServer> {
    return startModelServer({
      respond: async (request) => {
        const { body, index } = request;
        const asked = wordsOf(request);
        const last = body.messages.at(-1)?.content ?? "";
        const topic = this.#places.find(({ topic, words }) =>
          asked.includes(topic) || words?.test(asked)
        )?.topic ?? "";
        const process = this.#process;
        await this.#pass(topic, last);
        if (process !== this.#process) return {};
        const mark = `Mark ${index} it is`;
        this.answered.push({ asked, topic, mark });
        this.#stand.answers.set(topic, (this.#stand.answers.get(topic) ?? 0) + 1);
        this.#look();
        const { name = "", schema } = body.response_format?.json_schema ?? {};
        const odd = this.#odd(name, mark, last);
        if (odd !== undefined) return odd;
        if (schema === undefined) return { text: `${mark}. It has a second sentence.` };
        return {
          json: sampleJson(
            schema,
            (path, { type, enum: of }) =>
              type === "string" && of === undefined ? `${mark}, ${path}.` : undefined,
          ),
        };
      },
    });
  }

  async #pass(topic: string, last: string): Promise<void> {
    const place = this.#places.find((each) => each.topic === topic);
    if (place?.held.test(last)) {
      this.#stand.isHeld.add(topic);
      this.#look();
      await this.#open.promise;
    } else if (this.#isShut) await this.#open.promise;
  }

  #look(): void {
    const { isHeld, answers } = this.#stand;
    const isReached = this.#places.length > 0 &&
      this.#places.every((place) =>
        isHeld.has(place.topic) && (answers.get(place.topic) ?? 0) >= place.answers
      );
    if (isReached) this.#reached.resolve();
  }
}

/** Who is asked, and every word of it. */
export function wordsOf({ body }: Pick<ModelRequest, "body">): string {
  return JSON.stringify([body.model, body.messages]);
}

/** Resolves once every mark stands in a file below a folder; fails, naming those that do not, after two minutes. */
export async function untilOnDisk(folder: string, marks: readonly string[]): Promise<void> {
  for (let looks = 0;; looks++) {
    const texts = (await textsIn(folder)).join("\n");
    const missing = marks.filter((mark) => !texts.includes(mark));
    if (missing.length === 0) return;
    if (looks > 2400) throw new Error(`Not on disk: ${missing.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function textsIn(folder: string): Promise<string[]> {
  const texts: string[] = [];
  for (const { name, isFolder } of await userFiles.list(folder)) {
    const path = join(folder, name);
    if (isFolder) texts.push(...await textsIn(path));
    // What is half done may be gone by now.
    else if (/\.(?:md|json)$/.test(name)) texts.push(await userFiles.read(path).catch(() => ""));
  }
  return texts;
}
