import { basename } from "@std/path";
import type { ErrorCode } from "../../../mod.ts";
import { statusOfCode } from "../../../src/operations/operation.ts";
import {
  type Asked,
  type Begun,
  type Door,
  type Given,
  type Held,
  hitIn,
  type Json,
  listOf,
  messageIn,
  objectOf,
  picked,
  problemsIn,
  refusal,
  rowIn,
  type Settings,
  toldIn,
} from "./door.ts";
import { dirOf, type OpenServer } from "./open_server.ts";
import assert from "node:assert/strict";

/** One answer, with its error apart. */
interface Answer {
  readonly status: number;
  readonly json: Json;
  readonly error: Given["error"];
}

/** HTTP, as a program asks. */
export class HttpDoor implements Door {
  readonly name = "http";
  readonly out: string;
  readonly #server: OpenServer;

  constructor(out: string, server: OpenServer) {
    this.out = out;
    this.#server = server;
  }

  async hold(asked: Asked): Promise<Held> {
    const { json, error } = await this.#start(asked);
    if (error !== undefined) return { given: { error }, dir: undefined };
    const dir = dirOf(this.out, json["id"]);
    return { given: await this.#ended(dir), dir };
  }

  async begin(asked: Asked): Promise<Begun> {
    const { json } = await this.#start(asked);
    const dir = dirOf(this.out, json["id"]);
    return {
      ended: this.#ended(dir),
      stop: async () => void await this.#act(dir, "stop"),
    };
  }

  async #start({ config, papers, sources }: Asked): Promise<Answer> {
    for (const paper of papers ?? []) {
      const posted = await this.#ask("POST", "/api/papers", paper);
      // It is there already.
      if (posted.error === undefined || posted.status === 409) continue;
      // A paper is posted by itself, and its text named as a field of its own.
      return { ...posted, error: { ...posted.error, field: "papers" } };
    }
    return await this.#ask("POST", "/api/convenings", {
      ...config,
      ...papers === undefined ? {} : { paperIds: papers.map(({ id }) => id) },
      ...sources === undefined ? {} : { sources },
    });
  }

  async resume(dir: string, settings: Settings = {}): Promise<Given> {
    const { error } = await this.#act(dir, "resume", settings);
    return error === undefined ? await this.#ended(dir) : { error };
  }

  async say(dir: string, words: Json): Promise<Given> {
    const { json, error } = await this.#act(dir, "say", words);
    if (error !== undefined) return { error };
    if (words["interject"] === true) return { value: picked(json, ["interjected", "held"]) };
    await this.#server.pool.run(basename(dir))?.ended;
    return { value: picked(json, ["participant", "left"]) };
  }

  async pause(dir: string): Promise<Given> {
    const { json, error } = await this.#act(dir, "pause");
    return error === undefined ? { value: picked(json, ["held", "status"]) } : { error };
  }

  async fork(dir: string, how: Json): Promise<Held> {
    const { json, error } = await this.#act(dir, "fork", how);
    if (error !== undefined) return { given: { error }, dir: undefined };
    assert.equal(json["parent"], basename(dir));
    return { given: { value: picked(json, ["at", "edited"]) }, dir: dirOf(this.out, json["id"]) };
  }

  async judge(dir: string, how: Json): Promise<Given> {
    const { json, error } = await this.#act(dir, "judge", how);
    return error === undefined ? { value: picked(json, ["panel"]) } : { error };
  }

  async verify(dir: string): Promise<Given> {
    const { json, error } = await this.#read(dir, "verify");
    if (error !== undefined) return { error };
    const problems = problemsIn(listOf(json["findings"]));
    return { value: { ...picked(json, ["sound", "status", "messages"]), problems } };
  }

  async ask(dir: string, question: string): Promise<Given> {
    const { json, error } = await this.#act(dir, "ask", { question });
    if (error !== undefined) return { error };
    return {
      value: {
        messages: json["messages"],
        answers: listOf(json["answers"]).map(hitIn),
        skipped: listOf(json["skipped"]).map(({ path }) => path),
      },
    };
  }

  async search(query: string): Promise<Given> {
    const { json, error } = await this.#ask("GET", `/api/search?q=${encodeURIComponent(query)}`);
    if (error !== undefined) return { error };
    const results = listOf(json["results"]).map(hitIn);
    return { value: { ...picked(json, ["convenings", "messages"]), results } };
  }

  async list(): Promise<Given> {
    const { json, error } = await this.#ask("GET", "/api/convenings?limit=200");
    return error === undefined
      ? { value: { convenings: listOf(json["convenings"]).map(rowIn) } }
      : { error };
  }

  async message(dir: string, seq: number): Promise<Given> {
    const { json, error } = await this.#read(dir, `messages?after=${seq - 1}&limit=1`);
    if (error !== undefined) return { error };
    const [message] = listOf(json["messages"]);
    // A list has no number that could be missing.
    return message?.["seq"] === seq ? { value: messageIn(message) } : { isSilent: true };
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  /** What a convening came to once its run has ended, and what it failed with. */
  async #ended(dir: string): Promise<Given> {
    const run = this.#server.pool.run(basename(dir));
    const state = await run?.ended;
    const { json } = await this.#read(dir, "");
    if (state?.state !== "failed") return { value: toldIn(json) };
    assert.equal(objectOf(json["error"])["code"], state.error.code);
    return { ...refusal({ ...state.error.toJSON() }), value: toldIn(json) };
  }

  #read(dir: string, path: string): Promise<Answer> {
    return this.#ask("GET", `/api/convenings/${basename(dir)}/${path}`.replace(/\/$/, ""));
  }

  #act(dir: string, act: string, body: Json = {}): Promise<Answer> {
    return this.#ask("POST", `/api/convenings/${basename(dir)}/${act}`, body);
  }

  /** Asks, and holds an error's status to its code. */
  async #ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.#server.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method,
        ...body === undefined ? {} : {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        },
      }),
    );
    const { status } = response;
    const json = objectOf(await response.json());
    if (status < 400) return { status, json, error: undefined };
    const error = objectOf(json["error"]);
    assert.equal(status, statusOfCode(error["code"] as ErrorCode), JSON.stringify(json));
    assert.ok(!JSON.stringify(json).includes(this.out), `A path is told: ${JSON.stringify(json)}`);
    return { status, json, error: refusal(error).error };
  }
}
