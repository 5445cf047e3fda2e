// Parity surface of the CLI: acts as command lines, checked exit codes, parsed output.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { jsonOf, startCli } from "../../support/cli.ts";
import { runMain } from "../../support/run_main.ts";
import {
  type Act,
  type Answer,
  type Asked,
  type Begun,
  Door,
  type Given,
  type Held,
  type Json,
  messageIn,
  objectOf,
  refusal,
  type Settings,
  toldIn,
  type World,
} from "./door.ts";

/** Error codes with exit code 2 in the README's table. */
const REFUSED = ["config_invalid", "topic_refused", "turn_order", "not_found", "paper_unreadable"];
const ENDED: Readonly<Record<string, number>> = { completed: 0, paused: 0, stopped: 3, waiting: 4 };

/** Flags of settings. */
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

/** The CLI: a process of its own for runs that are interrupted, otherwise in this process. */
export class CliDoor extends Door {
  readonly name = "cli";
  readonly #folder: string;
  readonly #world: World;
  #files = 0;

  constructor(folder: string, world: World) {
    super(join(folder, "convenings"));
    this.#folder = folder;
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

  /** Writes the configuration to a file; returns the command that runs it. */
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
    const line = ["resume", dir, ...flags, ...this.#place];
    const { given: { value, error } } = await this.#run(line, { runs: true });
    // With the error of a refused resume the command prints the empty result; the other doors answer the error alone.
    return REFUSED.includes(error?.code ?? "") ? { error } : { value, error };
  }

  async message(dir: string, seq: number): Promise<Given> {
    const { json, given } = await this.#run(["show", dir, String(seq)]);
    return given.error === undefined ? { value: messageIn(objectOf(json["message"])) } : given;
  }

  protected async act(act: Act, dir: string, args: Json): Promise<Answer> {
    const { line, ...options } = await this.#lineOf(act, dir, args);
    const { json, given: { error } } = await this.#run(line, options);
    return { json, error };
  }

  protected made(json: Json): string {
    return String(json["dir"]);
  }

  /** Returns the command line of an act. */
  async #lineOf(
    act: Act,
    dir: string,
    { text, participant, interject, at, edit, question, query, models, ...flags }: Json,
  ): Promise<{ readonly line: readonly string[] } & RunOptions> {
    switch (act) {
      case "say": {
        const isAside = interject === true;
        const as = participant === undefined ? [] : ["--as", String(participant)];
        const more = isAside ? ["--interject"] : this.#place;
        return { line: ["say", dir, ...as, ...more], stdin: String(text), runs: true };
      }
      case "pause":
        return { line: ["pause", dir, "--wait", "0s"], unchecked: true };
      case "verify":
        return { line: ["verify", dir], unchecked: true };
      case "fork": {
        const file = edit === undefined
          ? []
          : ["--edit", await this.#write("edit.md", String(edit))];
        return { line: ["fork", dir, "--at", String(at), ...file] };
      }
      case "judge": {
        const given = Object.entries({ ...flags, judgeModels: models });
        const said = given.flatMap(([key, value]) => flagsOf(key, value));
        return { line: ["judge", dir, ...said, ...this.#place] };
      }
      case "ask":
        return { line: ["ask", dir, String(question)] };
      case "search":
        return { line: ["search", String(query)] };
      default:
        return { line: ["list"] };
    }
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

  /** Runs a command line and checks its exit code. */
  async #run(
    args: readonly string[],
    { stdin, runs = false, unchecked = false }: RunOptions = {},
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

interface RunOptions {
  readonly stdin?: string;
  /** True if the command prints a convening's result. */
  readonly runs?: boolean;
  /** True if the exit code is not checked here. */
  readonly unchecked?: boolean;
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
