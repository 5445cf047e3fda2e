// Golden files of the declared interfaces: help, OpenAPI document with the types generated from it, MCP tools and schemas.
import { join } from "@std/path";
import openapiTs, { astToString } from "openapi-typescript";
import { ADDRESSES } from "../../src/client/operations.ts";
import { createServer } from "../../src/server/mod.ts";
import { withHttp } from "../mcp/support/mcp_client.ts";
import { jsonOf } from "./cli.ts";
import { runMain } from "./run_main.ts";

/** Returns the help of every command, the OpenAPI document, its types, the MCP tools and the published schemas, by path. */
export async function doorFiles(): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir();
  try {
    const document = await openApi(folder);
    const files = new Map([
      ["api.ts", await typesOf(document)],
      ["openapi.json", document],
      ["tools.json", await tools()],
    ]);
    const help = await printed(folder, ["--help"]);
    files.set("help/convenings.txt", help);
    for (const [, command] of help.matchAll(/^ {2}([a-z]+) (?:\[|<| )/gm)) {
      if (command !== "help") {
        files.set(`help/${command}.txt`, await printed(folder, [command!, "--help"]));
      }
    }
    const { schemas } = jsonOf(await runMain(["schema", "--json"], { folder }));
    for (const { name } of schemas as { readonly name: string }[]) {
      files.set(`schemas/${name}.json`, await printed(folder, ["schema", name]));
    }
    return new Map([...files].sort());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function printed(folder: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runMain(args, { folder });
  if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return stdout;
}

async function openApi(folder: string): Promise<string> {
  const server = await createServer({ out: join(folder, "convenings") });
  try {
    const answer = await server.fetch(new Request("http://127.0.0.1/api/openapi.json"));
    return pretty(await answer.json());
  } finally {
    await server.close();
  }
}

/** Returns the types that a generator makes of an OpenAPI document, and those of the client's operations by name. */
async function typesOf(document: string): Promise<string> {
  const types = astToString(await openapiTs(document));
  const operations = Object.entries(ADDRESSES).map(([name, address]) => {
    const [method = "", path] = address.split(" ");
    return `    ${name}: paths["${path}"]["${method.toLowerCase()}"];\n`;
  });
  return `// deno-lint-ignore-file\n${types}export interface Called {\n${operations.join("")}}\n`;
}

async function tools(): Promise<string> {
  let text = "";
  await withHttp(async (client) => {
    text = pretty(await client.listTools());
  });
  return text;
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
