// Parity surface of MCP: acts as tool calls.
import assert from "node:assert/strict";
import { basename } from "@std/path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { handleOf } from "../../../src/mcp/reply.ts";
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

/** Result of a tool: structured data with its texts joined in, and the texts by kind. */
interface Called extends Answer {
  readonly words: ReadonlyMap<string, string>;
}

/** MCP, as a client calls tools. */
export class McpDoor extends Door {
  readonly name = "mcp";
  readonly #server: OpenServer;
  readonly #client: Client;

  constructor(out: string, server: OpenServer, client: Client) {
    super(out);
    this.#server = server;
    this.#client = client;
  }

  static async open(out: string, server: OpenServer): Promise<McpDoor> {
    const client = new Client({ name: "parity", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
      fetch: (url, init) => server.fetch(new Request(url, init)),
    });
    await client.connect(transport);
    return new McpDoor(out, server, client);
  }

  async hold(asked: Asked): Promise<Held> {
    const { json, error } = await this.#start(asked, true);
    if (json["id"] === undefined) return { given: { error }, dir: undefined };
    return { given: { error, ...await this.#told(json) }, dir: this.made(json) };
  }

  async begin(asked: Asked): Promise<Begun> {
    const { json: { id } } = await this.#start(asked, false);
    return {
      ended: this.#server.pool.run(String(id))!.ended,
      stop: async () => void await this.#call("stop", { id }),
    };
  }

  async #start({ config, papers, sources }: Asked, wait: boolean): Promise<Called> {
    return await this.#call("run", {
      config: { ...config, ...sources === undefined ? {} : { sources } },
      ...papers === undefined ? {} : { papers },
      wait,
    });
  }

  async resume(dir: string, settings: Settings = {}): Promise<Given> {
    const { json, error } = await this.act("resume", dir, { ...settings, wait: true });
    return error === undefined ? await this.#told(json) : { error };
  }

  /** Returns the result of a run; a run that was still waiting for a person ends without a result, only its state was told. */
  async #told(json: Json): Promise<Given> {
    if (json["scores"] !== undefined) return { value: toldIn(json) };
    assert.equal(json["status"], "waiting");
    await this.#server.pool.run(String(json["id"]))?.ended;
    return { isSilent: true };
  }

  async message(dir: string, seq: number): Promise<Given> {
    const { json, words, error } = await this.#call("read_message", { id: basename(dir), seq });
    if (error !== undefined) return { error };
    const [name, position = null] = (words.get(`speaker of message ${seq}`) ?? "")
      .split(", position: ");
    const body = words.get(`message ${seq}`);
    return { value: messageIn({ ...json, name, position, body }) };
  }

  override async close(): Promise<void> {
    await this.#client.close();
    await this.#server.close();
  }

  protected async act(act: Act, dir: string, args: Json): Promise<Answer> {
    if (act === "list") return await this.#call("list", { limit: 100 });
    if (act === "search") return await this.#call("search", args);
    const answer = await this.#call(act, { id: basename(dir), ...args });
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

  async #call(name: string, args: Json): Promise<Called> {
    const result = await this.#client.callTool({ name, arguments: { ...args } });
    const { structuredContent, content: [block] } = result;
    // An error is in the text alone.
    const given = structuredContent ?? (block?.type === "text" ? JSON.parse(block.text) : {});
    const { untrusted, ...data } = objectOf(named(given));
    const list = untrusted === undefined ? [] : listOf(objectOf(untrusted)["words"]);
    const words = new Map(list.map(({ of, text }) => [String(of), String(text)]));
    const json = joined(data, words);
    if (result.isError !== true) return { json, words, error: undefined };
    assert.ok(!JSON.stringify(data).includes(this.out), `A path is told: ${JSON.stringify(data)}`);
    return { json, words, error: refusal(objectOf(data["error"])).error };
  }
}

/** Participants and judges in the tests, by their names in MCP. */
const NAMED = new Map(
  ["ada", "ben", "bo", "cleo", "eve", "jo", "kim", "mira", "again-gpt-4o-mini"].map((
    id,
  ) => [handleOf(id), id]),
);

/** Replaces MCP's names by the ids of the other surfaces. */
function named(result: unknown): unknown {
  const text = JSON.stringify(result).replace(/p-[0-9a-f]{8}/g, (each) => NAMED.get(each) ?? each);
  return JSON.parse(text);
}

/** Inserts texts into the data they were taken from; texts of a list's row are lines that begin with the key. */
function joined(data: Json, words: ReadonlyMap<string, string>): Json {
  const whole: Record<string, unknown> = structuredClone({ ...data });
  for (const [of, text] of words) {
    if (!/^[\w-]+(?:\.[\w-]+)*$/.test(of)) continue;
    const fields = /\.\d+$/.test(of) ? [...text.matchAll(/^(\w+): (.*)$/gm)] : [];
    if (fields.length > 1) {
      for (const [, key, value] of fields) put(whole, `${of}.${key}`, value);
    } else put(whole, of, text);
  }
  return whole;
}

function put(whole: Record<string, unknown>, path: string, text: unknown): void {
  const keys = path.split(".");
  keys.reduce((at: Record<string, unknown>, key, index) => {
    if (index === keys.length - 1) at[key] = text;
    else at[key] ??= /^\d+$/.test(keys[index + 1]!) ? [] : {};
    return at[key] as Record<string, unknown>;
  }, whole);
}
