// Client that checks every response against the OpenAPI document and remembers what it has seen.
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";

type Json = Readonly<Record<string, unknown>>;

/** Parts of the OpenAPI document that the client reads. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

interface DocumentedOperation {
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface DocumentedAnswer {
  readonly description: string;
  readonly content?: Json;
  readonly headers?: Json;
}

/** Contents of a request. */
export interface Asked {
  /** Path parameters by name. @default none */
  readonly path?: Readonly<Record<string, string>>;
  /** Text after `?`. */
  readonly query?: string;
  /** Sent as JSON, except texts and forms. */
  readonly body?: unknown;
  /** Media type of a text body. @default "application/json" */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response that matches the document. */
interface DocumentedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- whatever was answered, as a client would look at it
  readonly json: any;
}

/** Sends a request. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Checks every response against the OpenAPI document: status, media type, body, `Location` and error code; and checks the
 * body of each accepted request. Remembers which documented responses have occurred.
 */
export class DocumentedClient {
  readonly #document: ApiDocument;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    code: { optimize: false },
  });
  readonly #seen = new Set<string>();

  constructor(document: ApiDocument) {
    this.#document = document;
    // With an id of its own a named schema is compiled once, not again for each response that refers to it.
    const own = JSON.stringify(document).replaceAll('"#/components/schemas/', '"schema:');
    const { components, ...rest } = JSON.parse(own) as ApiDocument;
    for (const [name, schema] of Object.entries(components.schemas)) {
      this.#ajv.addSchema(schema, `schema:${name}`);
    }
    this.#ajv.addSchema(rest, "document");
  }

  /** Operations, such as `get /api/papers/{id}`. */
  get operations(): readonly (readonly [at: string, operation: DocumentedOperation])[] {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        [`${method} ${path}`, operation] as const
      )
    );
  }

  /** Documented responses that have not occurred: operation, status, and code or media type. */
  get unseen(): readonly string[] {
    return this.operations.flatMap(([at, { responses }]) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        status === "default" ? [] : detailsOf(status, answer).map((each) => `${at} ${each}`)
      )
    ).filter((each) => !this.#seen.has(each));
  }

  /** Sends a request; throws if the response is not documented. */
  async ask(ask: Ask, at: string, asked: Asked = {}): Promise<DocumentedReply> {
    const [method = "", template = ""] = at.split(" ");
    const operation = this.#document.paths[template]?.[method];
    assert.ok(operation !== undefined, `${at} is not documented`);
    const response = await ask(pathOf(template, asked), initOf(method, asked));
    const text = await response.text();
    const { status, headers } = response;
    const told = `${at}: ${status} ${text.slice(0, 300)}`;
    const named = String(status) in operation.responses ? String(status) : "default";
    const type = (headers.get("content-type") ?? "").split(";")[0]!;
    const json = type === "application/json" ? JSON.parse(text) : undefined;
    this.#check(`${pointerTo(template, method)}/responses/${named}`, { type, text, json, told });
    const { description, headers: promised = {} } = operation.responses[named]!;
    for (const name of Object.keys(promised)) assert.ok(headers.has(name), `${told}: no ${name}`);
    const code = json?.error?.code;
    if (status >= 400 && typeof code === "string") {
      assert.ok(description.includes(code), `${told} is not among: ${description}`);
    }
    if (status < 300 && asked.body !== undefined) this.#checkSent(template, method, asked);
    this.#seen.add(`${at} ${status} ${typeof code === "string" ? code : type}`);
    // A response with an ETag must give 304 to a client that has it.
    if (status === 200 && method === "get" && headers.has("etag")) {
      const known = { ...asked, headers: { ...asked.headers, "if-none-match": "*" } };
      assert.equal((await this.ask(ask, at, known)).status, 304, told);
    }
    return { status, headers, text, json };
  }

  #check(
    at: string,
    { type, text, json, told }: {
      readonly type: string;
      readonly text: string;
      readonly json: unknown;
      readonly told: string;
    },
  ): void {
    const answer = this.#at(at) as DocumentedAnswer;
    if (answer.content === undefined) return assert.equal(text, "", told);
    assert.ok(type in answer.content, `${told}: ${type} is not documented`);
    const schema = `${at}/content/${escaped(type)}/schema`;
    this.#fits(json ?? text, schema, told);
    if (Object.hasOwn(Object(this.#at(schema)), "contentSchema")) {
      for (const [, data = ""] of text.matchAll(/^data: ([^\n]*)/gm)) {
        this.#fits(JSON.parse(data), `${schema}/contentSchema`, `${told}: ${data.slice(0, 300)}`);
      }
    }
  }

  /** Checks that an accepted body is documented. */
  #checkSent(template: string, method: string, { body, type = "application/json" }: Asked): void {
    if (body instanceof FormData || type !== "application/json" || typeof body === "string") return;
    const at = `${pointerTo(template, method)}/requestBody/content/application~1json/schema`;
    this.#fits(body, at, `what was sent to ${method} ${template}`);
  }

  #fits(value: unknown, pointer: string, told: string): void {
    const isValid = this.#ajv.getSchema(`document#${encoded(pointer)}`);
    assert.ok(isValid !== undefined, pointer);
    assert.ok(isValid(value), `${told}: ${this.#ajv.errorsText(isValid.errors)}`);
  }

  #at(pointer: string): unknown {
    return pointer.slice(1).split("/").map((each) => each.replace(/~1/g, "/").replace(/~0/g, "~"))
      .reduce<unknown>((at, key) => Object(at)[key], this.#document);
  }
}

/** Returns the cases of a response: each error code, or each media type. */
function detailsOf(status: string, { description, content = {} }: DocumentedAnswer): string[] {
  const isRefusal = /schemas\/Error"/.test(JSON.stringify(content["application/json"]) ?? "");
  if (isRefusal) return description.split(", ").map((code) => `${status} ${code}`);
  const types = Object.keys(content);
  return types.length === 0 ? [`${status} `] : types.map((type) => `${status} ${type}`);
}

function pathOf(template: string, { path = {}, query }: Asked): string {
  const filled = template.replace(/\{(\w+)\}/g, (_all, name) => path[name] ?? "nothing");
  return query === undefined ? filled : `${filled}?${query}`;
}

function initOf(method: string, { body, type = "application/json", headers = {} }: Asked) {
  const verb = { method: method.toUpperCase() };
  if (body === undefined) return { ...verb, headers };
  if (body instanceof FormData) return { ...verb, headers, body };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { ...verb, headers: { "content-type": type, ...headers }, body: text };
}

function pointerTo(template: string, method: string): string {
  return `/paths/${escaped(template)}/${method}`;
}

function escaped(key: string): string {
  return key.replace(/~/g, "~0").replace(/\//g, "~1");
}

function encoded(pointer: string): string {
  return pointer.split("/").map(encodeURIComponent).join("/");
}
