// Parity surface of HTTP: acts as requests, with checked statuses.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import type { ErrorCode } from "../../../mod.ts";
import { statusOfCode } from "../../../src/operations/client_view.ts";
import {
  type Act,
  type Answer,
  type Asked,
  type Begun,
  Door,
  type Given,
  type Held,
  type Json,
  listOf,
  messageIn,
  objectOf,
  refusal,
  type Settings,
  toldIn,
} from "./door.ts";
import { dirOf, type OpenServer } from "./open_server.ts";

/** HTTP, as a client program sends requests. */
export class HttpDoor extends Door {
  readonly name = "http";
  readonly #server: OpenServer;

  constructor(out: string, server: OpenServer) {
    super(out);
    this.#server = server;
  }

  async hold(asked: Asked): Promise<Held> {
    const { json, error } = await this.#start(asked);
    if (error !== undefined) return { given: { error }, dir: undefined };
    const dir = this.made(json);
    return { given: await this.#ended(dir), dir };
  }

  async begin(asked: Asked): Promise<Begun> {
    const { json } = await this.#start(asked);
    const dir = this.made(json);
    const stop = async () => void await this.#ask("POST", pathOf(dir, "/stop"), {});
    return { ended: this.#ended(dir), stop };
  }

  async #start({ config, papers, sources }: Asked): Promise<Answer> {
    for (const paper of papers ?? []) {
      const { status, ...posted } = await this.#ask("POST", "/api/papers", paper);
      // The paper already exists.
      if (posted.error === undefined || status === 409) continue;
      // A paper is posted alone, and the error names the field of that request.
      return { ...posted, error: { ...posted.error, field: "papers" } };
    }
    return await this.#ask("POST", "/api/convenings", {
      ...config,
      ...papers === undefined ? {} : { paperIds: papers.map(({ id }) => id) },
      ...sources === undefined ? {} : { sources },
    });
  }

  async resume(dir: string, settings: Settings = {}): Promise<Given> {
    const { error } = await this.act("resume", dir, settings);
    return error === undefined ? await this.#ended(dir) : { error };
  }

  async message(dir: string, seq: number): Promise<Given> {
    const path = pathOf(dir, `/messages?after=${seq - 1}&limit=1`);
    const { json, error } = await this.#ask("GET", path);
    if (error !== undefined) return { error };
    const [message] = listOf(json["messages"]);
    // The list of messages has no error for an unknown number.
    return message?.["seq"] === seq ? { value: messageIn(message) } : { isSilent: true };
  }

  override async close(): Promise<void> {
    await this.#server.close();
  }

  protected async act(act: Act, dir: string, args: Json): Promise<Answer> {
    if (act === "list") return await this.#ask("GET", "/api/convenings?limit=200");
    if (act === "search") {
      return await this.#ask("GET", `/api/search?q=${encodeURIComponent(String(args["query"]))}`);
    }
    if (act === "verify") return await this.#ask("GET", pathOf(dir, "/verify"));
    const answer = await this.#ask("POST", pathOf(dir, `/${act}`), args);
    if (act === "fork" && answer.error === undefined) {
      assert.equal(answer.json["parent"], basename(dir));
    }
    if (act === "say" && answer.error === undefined && args["interject"] !== true) {
      await this.#server.pool.run(basename(dir))?.ended;
    }
    return answer;
  }

  protected made(json: Json): string {
    return dirOf(this.out, json["id"]);
  }

  /** Returns the result or the error of a convening after its run has ended. */
  async #ended(dir: string): Promise<Given> {
    const state = await this.#server.pool.run(basename(dir))?.ended;
    const { json } = await this.#ask("GET", pathOf(dir, ""));
    if (state?.state !== "failed") return { value: toldIn(json) };
    assert.equal(objectOf(json["error"])["code"], state.error.code);
    return { ...refusal({ ...state.error.toJSON() }), value: toldIn(json) };
  }

  /** Sends a request and checks an error's status against its code. */
  async #ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer & { readonly status: number }> {
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
    if (status < 400) return { status, json };
    const error = objectOf(json["error"]);
    assert.equal(status, statusOfCode(error["code"] as ErrorCode), JSON.stringify(json));
    assert.ok(!JSON.stringify(json).includes(this.out), `A path is told: ${JSON.stringify(json)}`);
    return { status, json, error: refusal(error).error };
  }
}

function pathOf(dir: string, path: string): string {
  return `/api/convenings/${basename(dir)}${path}`;
}
