// Model server that delays chosen requests, for kills at known points.
import { join } from "@std/path";
import { userFiles } from "../../../src/record/disk_files.ts";
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from "../../support/model_server.ts";
import { sampleJson } from "../../support/sample_json.ts";

/** A request to delay, and the number of other answers to wait for. */
export interface HeldPlace {
  /** Words in the convening's requests and in no others. */
  readonly topic: string;
  /** Pattern of the convening's requests that do not have the topic. @default none */
  readonly words?: RegExp;
  /** Pattern of the last message of the delayed request. */
  readonly held: RegExp;
  readonly answers: number;
}

/** An answered request. */
interface PaidAnswer {
  /** Identity of the request; see {@linkcode wordsOf}. */
  readonly asked: string;
  readonly topic: string;
  /** Words that are in this answer alone. */
  readonly mark: string;
}

/** Progress towards the places. */
interface Stand {
  readonly isHeld: Set<string>;
  readonly answers: Map<string, number>;
}

/**
 * Model that leaves requests at chosen places unanswered. Each answer has unique words, which show whether a convening's
 * directory contains the answer.
 */
export class HoldingModel {
  /** Answered requests in order. */
  readonly answered: PaidAnswer[] = [];
  #places: readonly HeldPlace[] = [];
  #stand: Stand = { isHeld: new Set(), answers: new Map() };
  #open = Promise.withResolvers<void>();
  #reached = Promise.withResolvers<void>();
  #isShut = false;
  /** Number of the server process. */
  #process = 0;
  readonly #odd: (name: string, mark: string, asked: string) => ModelReply | undefined;

  /** `odd` returns replies that replace the usual ones, by schema name. */
  constructor(odd: (name: string, mark: string, asked: string) => ModelReply | undefined) {
    this.#odd = odd;
  }

  /** Delays the requests at these places; resolves when all places are reached and have enough other answers. */
  holdAt(places: readonly HeldPlace[]): Promise<void> {
    this.#places = places;
    this.#stand = { isHeld: new Set(), answers: new Map() };
    this.#reached = Promise.withResolvers<void>();
    return this.#reached.promise;
  }

  /** Stops answering. */
  shut(): void {
    this.#isShut = true;
  }

  /** Answers all requests again; requests that were delayed belong to a killed process and get no answer. */
  open(): void {
    this.#process++;
    this.#places = [];
    this.#isShut = false;
    this.#open.resolve();
    this.#open = Promise.withResolvers<void>();
  }

  /** Starts a server of the model. */
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

/** Returns model and full text of a request as its identity. */
export function wordsOf({ body }: Pick<ModelRequest, "body">): string {
  return JSON.stringify([body.model, body.messages]);
}

/** Waits until every mark is in a file below a folder; throws after two minutes with the missing ones. */
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
    // Temporary files may have disappeared.
    else if (/\.(?:md|json)$/.test(name)) texts.push(await userFiles.read(path).catch(() => ""));
  }
  return texts;
}
