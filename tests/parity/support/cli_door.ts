import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, startCli } from "../../support/cli.ts";
import { runMain } from "../../support/run_main.ts";
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
  type World,
} from "./door.ts";

/** The exit codes that the README gives: of errors by their code, of results by their status. */
const REFUSED = ["config_invalid", "topic_refused", "turn_order", "not_found", "paper_unreadable"];
const ENDED: Readonly<Record<string, number>> = { completed: 0, paused: 0, stopped: 3, waiting: 4 };

/** How settings are written as flags. */
const FLAGS: Readonly<Record<string, string>> = {
  model: "--model",
  moderatorModel: "--moderator-model",
  question: "--question",
  pick: "--pick",
  rubric: "--rubric",
};
const LIMIT_FLAGS: Readonly<Record<string, string>> = {
  maxTurns: "--max-turns",
  maxTokens: "--max-tokens",
  maxCost: "--max-cost",
};

/** The program: a process for what is interrupted, else its whole command line in this one. */
export class CliDoor implements Door {
  readonly name = "cli";
  readonly out: string;
  readonly #folder: string;
  readonly #world: World;
  #files = 0;

  /** The program in a folder, its archive in it. */
  constructor(folder: string, world: World) {
    this.#folder = folder;
    this.out = join(folder, "convenings");
    this.#world = world;
  }

  async hold(asked: Asked): Promise<Held> {
    const { json, given } = await this.#run(await this.#command(asked), { runs: true });
    const { dir } = json;
    return { given, dir: typeof dir === "string" ? dir : undefined };
  }

  async begin(asked: Asked): Promise<Begun> {
    const { env = {} } = this.#world;
    const run = startCli([...await this.#command(asked), "--quiet"], { folder: this.#folder, env });
    return { ended: run.end, stop: () => Promise.resolve(run.kill("SIGINT")) };
  }

  /** The command that holds what is asked, as a file. */
  async #command({ config, papers, sources }: Asked): Promise<readonly string[]> {
    const { model, baseUrl } = this.#world;
    const written = (name: string, text: string) => this.#write(name, text);
    const file = await this.#write(
      "settings.yaml",
      JSON.stringify({
        ...model === undefined ? {} : { model },
        ...config,
        ...baseUrl === undefined ? {} : { baseUrl },
        ...papers === undefined ? {} : {
          papers: await Promise.all(papers.map(({ id, text }) => written(`${id}.md`, text))),
        },
        ...sources === undefined ? {} : {
          sources: await Promise.all(sources.map(({ name, text }) => written(name, text))),
        },
      }),
    );
    const kind = String(config["kind"]);
    const commands: Readonly<Record<string, string>> = {
      "paper-debate": "paper",
      dialogue: "dialogue",
      consensus: "consensus",
    };
    return [commands[kind] ?? "debate", "--config", file];
  }

  async resume(dir: string, settings: Settings = {}): Promise<Given> {
    const flags = Object.entries(settings).flatMap(([key, value]) => flagsOf(key, value));
    return (await this.#run(["resume", dir, ...flags, ...this.#place], { runs: true })).given;
  }

  async say(dir: string, { text, participant, interject }: Json): Promise<Given> {
    const flags = [
      ...participant === undefined ? [] : ["--as", String(participant)],
      ...interject === true ? ["--interject"] : [],
    ];
    const args = ["say", dir, ...flags, ...interject === true ? [] : this.#place];
    const { json, given } = await this.#run(args, { stdin: String(text), runs: true });
    if (given.error !== undefined) return { error: given.error };
    return {
      value: picked(json, interject === true ? ["interjected", "held"] : ["participant", "left"]),
    };
  }

  async pause(dir: string): Promise<Given> {
    const { json, given } = await this.#run(["pause", dir, "--wait", "0s"], { unchecked: true });
    return given.error === undefined ? { value: picked(json, ["held", "status"]) } : given;
  }

  async fork(dir: string, { at, edit }: Json): Promise<Held> {
    const file = edit === undefined ? [] : ["--edit", await this.#write("edit.md", String(edit))];
    const { json, given } = await this.#run(["fork", dir, "--at", String(at), ...file]);
    if (given.error !== undefined) return { given, dir: undefined };
    return { given: { value: picked(json, ["at", "edited"]) }, dir: String(json["dir"]) };
  }

  async judge(dir: string, { rubric, models, limits }: Json): Promise<Given> {
    const flags = [
      ...flagsOf("rubric", rubric),
      ...(Array.isArray(models) ? models : []).flatMap((model) => ["--judge-model", model]),
      ...flagsOf("limits", limits),
    ];
    const { json, given } = await this.#run(["judge", dir, ...flags, ...this.#place]);
    return given.error === undefined ? { value: picked(json, ["panel"]) } : { error: given.error };
  }

  async verify(dir: string): Promise<Given> {
    const { json, given } = await this.#run(["verify", dir], { unchecked: true });
    if (given.error !== undefined) return given;
    const problems = problemsIn(listOf(json["findings"]));
    return { value: { ...picked(json, ["sound", "status", "messages"]), problems } };
  }

  async ask(dir: string, question: string): Promise<Given> {
    const { json, given } = await this.#run(["ask", dir, question]);
    if (given.error !== undefined) return given;
    return {
      value: {
        messages: json["messages"],
        answers: listOf(json["answers"]).map(hitIn),
        skipped: listOf(json["skipped"]).map(({ path }) => path),
      },
    };
  }

  async search(query: string): Promise<Given> {
    const { json, given } = await this.#run(["search", query]);
    if (given.error !== undefined) return given;
    const results = listOf(json["results"]).map(hitIn);
    return { value: { ...picked(json, ["convenings", "messages"]), results } };
  }

  async list(): Promise<Given> {
    const { json } = await this.#run(["list"]);
    return { value: { convenings: listOf(json["convenings"]).map(rowIn) } };
  }

  async message(dir: string, seq: number): Promise<Given> {
    const { json, given } = await this.#run(["show", dir, String(seq)]);
    return given.error === undefined ? { value: messageIn(objectOf(json["message"])) } : given;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get #place(): string[] {
    const { baseUrl } = this.#world;
    return baseUrl === undefined ? [] : ["--base-url", baseUrl];
  }

  async #write(name: string, text: string): Promise<string> {
    const folder = join(this.#folder, `given-${++this.#files}`);
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, name), text);
    return join(folder, name);
  }

  /** Runs the program, and holds its exit code to the table. */
  async #run(
    args: readonly string[],
    { stdin, runs = false, unchecked = false }: {
      readonly stdin?: string;
      /** Whether it prints what a convening came to. */
      readonly runs?: boolean;
      /** Whether the exit code means something of its own. */
      readonly unchecked?: boolean;
    } = {},
  ): Promise<{ readonly json: Json; readonly given: Given }> {
    const { env } = this.#world;
    const end = await runMain([...args, "--json", "--quiet"], { folder: this.#folder, stdin, env });
    const json = jsonOf(end);
    const shown = `${args.join(" ")}: ${end.code} ${end.stdout} ${end.stderr}`;
    const value = runs && typeof json["dir"] === "string" ? toldIn(json) : undefined;
    if (json["error"] !== undefined) {
      const error = objectOf(json["error"]);
      const code = String(error["code"]);
      const expected = code === "cancelled" ? 130 : REFUSED.includes(code) ? 2 : 1;
      assert.equal(end.code, expected, shown);
      return { json, given: { ...refusal(error), value } };
    }
    if (runs && json["interjected"] !== true && json["left"] !== true) {
      assert.equal(end.code, ENDED[String(json["status"])] ?? 1, shown);
    } else if (!unchecked) assert.equal(end.code, 0, shown);
    return { json, given: { value } };
  }
}

function flagsOf(key: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (key === "limits") {
    return Object.entries(objectOf(value)).flatMap(([name, each]) => [
      LIMIT_FLAGS[name]!,
      String(each),
    ]);
  }
  const repeated = key === "advocateModels" ? "--advocate-model" : "--judge-model";
  if (Array.isArray(value)) return value.flatMap((each) => [repeated, String(each)]);
  return [FLAGS[key] ?? `--${key}`, String(value)];
}
