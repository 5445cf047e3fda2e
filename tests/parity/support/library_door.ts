// Parity surface of the library: acts as function calls.
import { basename } from "@std/path";
import {
  askConvening,
  composeConvening,
  type ConveningConfig,
  ConveningError,
  fork,
  interject,
  judge,
  listConvenings,
  openConvening,
  pauseConvening,
  resume,
  searchArchive,
  showMessage,
  speak,
  verify,
} from "../../../mod.ts";
import { checkPaper } from "../../../papers.ts";
import type { JudgeAgain } from "../../../protocol.ts";
import { settingsOver } from "../../../src/operations/client_runs.ts";
import { factJson } from "../../../src/operations/convening_json.ts";
import { panelJson, paperResultOf, resultJson } from "../../../src/operations/results.ts";
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
  refusal,
  type Settings,
  toldIn,
  type World,
} from "./door.ts";

/** The library, as a program calls it. */
export class LibraryDoor extends Door {
  readonly name = "library";
  readonly #world: World;

  constructor(out: string, world: World) {
    super(out);
    this.#world = world;
  }

  async hold(asked: Asked): Promise<Held> {
    let dir: string | undefined;
    const given = await givenBy(async () => {
      ({ dir } = await (await this.#composed(asked)).run());
      return await resultOf(dir!);
    });
    return { given, dir: dir ?? given.dir };
  }

  async begin(asked: Asked): Promise<Begun> {
    const stopping = new AbortController();
    const workflow = await this.#composed(asked, stopping.signal);
    return { ended: workflow.run(), stop: () => Promise.resolve(stopping.abort("stopped")) };
  }

  async #composed({ config, papers, sources }: Asked, signal?: AbortSignal) {
    const { baseUrl, model } = this.#world;
    const named = papers === undefined ? {} : { papers: papers.map(({ id }) => id) };
    // Invalid configurations are passed on: the library reports the error.
    const settings = { model, ...config, baseUrl, ...named, out: this.out } as ConveningConfig;
    return await composeConvening(settings, {
      env: this.#env,
      papers: papers?.map((each) => checkPaper(each)),
      sources,
      signal,
    });
  }

  resume(dir: string, settings: Settings = {}): Promise<Given> {
    return givenBy(async () => {
      const { baseUrl } = this.#world;
      const config = { ...await this.#configOver(dir, settings), baseUrl };
      const on = { env: this.#env, config: config as Partial<ConveningConfig> };
      await (await resume(dir, on)).run();
      return await resultOf(dir);
    });
  }

  message(dir: string, seq: number): Promise<Given> {
    return givenBy(async () => {
      const { message, path } = await showMessage(dir, seq);
      return messageIn({ ...factJson(message), file: path });
    });
  }

  protected async act(act: Act, dir: string, args: Json): Promise<Answer> {
    const { value: json = {}, error } = await givenBy(() => this.#acts[act]!(dir, args));
    return { json, error };
  }

  protected made(json: Json): string {
    return String(json["dir"]);
  }

  readonly #acts: Partial<Record<Act, (dir: string, args: Json) => Promise<Json>>> = {
    say: async (dir, { text, participant, interject: isAside }) => {
      if (isAside === true) {
        if (participant !== undefined) return {};
        return { interjected: true, ...await interject(dir, String(text)) };
      }
      const as = participant === undefined ? undefined : String(participant);
      const config = { baseUrl: this.#world.baseUrl };
      const said = await speak(dir, String(text), { as, env: this.#env, config });
      if (!said.left) await said.convening.run();
      return { participant: said.participant, left: said.left };
    },
    pause: async (dir) => ({ ...await pauseConvening(dir) }),
    fork: async (parent, { at, edit }) => {
      const words = edit === undefined ? undefined : String(edit);
      const dir = await fork(parent, { at: Number(at), edit: words });
      return { dir, at, edited: edit !== undefined };
    },
    judge: async (dir, { rubric, models = [undefined], ...more }) => {
      const list = Array.isArray(models) ? models : [];
      const judges: JudgeAgain[] = list.map((model) => ({ rubric: rubric as string, model }));
      const { baseUrl } = this.#world;
      return { panel: panelJson(await judge(dir, { ...more, judges, env: this.#env, baseUrl })) };
    },
    verify: async (dir) => {
      const { findings, messages, status = null } = await verify(dir);
      return { sound: findings.length === 0, status, messages, findings };
    },
    ask: async (dir, { question }) => ({ ...await askConvening(dir, String(question)) }),
    search: async (_dir, { query }) => {
      const { rows: results, ...found } = await searchArchive(this.out, String(query));
      return { ...found, results };
    },
    list: async () => ({
      convenings: (await listConvenings(this.out)).map((row) => ({
        ...row,
        kind: row.kind ?? null,
        topic: row.topic ?? null,
        outcome: row.outcome ?? null,
        winnerName: row.winnerName ?? null,
        strengthLevel: row.strengthLevel ?? null,
      })),
    }),
  };

  /** Passes the models of roles as participants: a program has no flags. */
  async #configOver(dir: string, settings: Settings): Promise<Json> {
    const isCast = ["moderatorModel", "advocateModels", "judgeModels"].some((key) =>
      key in settings
    );
    return isCast ? { ...settingsOver(await openConvening(dir), settings) } : settings;
  }

  readonly #env = (name: string): string | undefined => this.#world.env?.[name];
}

/** Returns the result of a convening from its directory. */
async function resultOf(dir: string): Promise<Json> {
  const { start, facts, result } = await openConvening(dir);
  return toldIn(resultJson({ ...result, paper: paperResultOf(start, facts, { dir }) }));
}

/** Returns the value or the error of a call; for an error with a record, both. */
async function givenBy(call: () => Promise<Json>): Promise<Given & { readonly dir?: string }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (!(error instanceof ConveningError)) throw error;
    const { dir } = error;
    const value = dir === undefined || basename(dir) === "" ? undefined : await resultOf(dir);
    return { ...refusal({ ...error.toJSON() }), value, ...dir === undefined ? {} : { dir } };
  }
}
