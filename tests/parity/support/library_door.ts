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
import type { JudgeAgain, Resumed } from "../../../protocol.ts";
import { settingsOver } from "../../../src/operations/resume.ts";
import { panelJson, paperResultOf, resultJson } from "../../../src/operations/results.ts";
import { factJson } from "../../../src/operations/messages.ts";
import {
  type Asked,
  type Begun,
  type Door,
  type Given,
  type Held,
  hitIn,
  type Json,
  messageIn,
  problemsIn,
  refusal,
  rowIn,
  type Settings,
  toldIn,
  type World,
} from "./door.ts";

/** The library, as a program uses it. */
export class LibraryDoor implements Door {
  readonly name = "library";
  readonly out: string;
  readonly #world: World;

  constructor(out: string, world: World) {
    this.out = out;
    this.#world = world;
  }

  async hold(asked: Asked): Promise<Held> {
    let dir: string | undefined;
    const given = await givenBy(async () => {
      ({ dir } = await ended(await this.#composed(asked)));
      return await resultOf(dir!);
    });
    return { given, dir: dir ?? given.dir };
  }

  async begin(asked: Asked): Promise<Begun> {
    const stopping = new AbortController();
    const workflow = await this.#composed(asked, stopping.signal);
    return {
      ended: workflow.run(),
      stop: () => Promise.resolve(stopping.abort("stopped")),
    };
  }

  async #composed({ config, papers, sources }: Asked, signal?: AbortSignal) {
    const { baseUrl, model } = this.#world;
    const named = papers === undefined ? {} : { papers: papers.map(({ id }) => id) };
    // What is wrong with it is for the library to say.
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
      await ended(
        await resume(dir, { env: this.#env, config: config as Partial<ConveningConfig> }),
      );
      return await resultOf(dir);
    });
  }

  say(dir: string, { text, participant, interject: isAside }: Json): Promise<Given> {
    return givenBy(async () => {
      if (isAside === true) {
        if (participant !== undefined) return {};
        return { interjected: true, ...await interject(dir, String(text)) };
      }
      const as = participant === undefined ? undefined : String(participant);
      const config = { baseUrl: this.#world.baseUrl };
      const said = await speak(dir, String(text), { as, env: this.#env, config });
      if (!said.left) await ended(said.convening);
      return { participant: said.participant, left: said.left };
    });
  }

  pause(dir: string): Promise<Given> {
    return givenBy(async () => ({ ...await pauseConvening(dir) }));
  }

  async fork(parent: string, how: Json): Promise<Held> {
    const { at, edit } = how;
    let dir: string | undefined;
    const given = await givenBy(async () => {
      dir = await fork(parent, {
        at: Number(at),
        edit: edit === undefined ? undefined : String(edit),
      });
      return { at, edited: edit !== undefined };
    });
    return { given, dir };
  }

  judge(dir: string, { rubric, models = [undefined], ...more }: Json): Promise<Given> {
    return givenBy(async () => {
      const list = Array.isArray(models) ? models : [];
      const judges: JudgeAgain[] = list.map((model) => ({ rubric: rubric as string, model }));
      const { baseUrl } = this.#world;
      return { panel: panelJson(await judge(dir, { ...more, judges, env: this.#env, baseUrl })) };
    });
  }

  verify(dir: string): Promise<Given> {
    return givenBy(async () => {
      const { findings, messages, status = null } = await verify(dir);
      const problems = problemsIn(findings.map((each) => ({ ...each })));
      return { sound: findings.length === 0, status, messages, problems };
    });
  }

  ask(dir: string, question: string): Promise<Given> {
    return givenBy(async () => {
      const { messages, answers, skipped } = await askConvening(dir, question);
      return {
        messages,
        answers: answers.map((each) => hitIn({ ...each })),
        skipped: skipped.map(({ path }) => path),
      };
    });
  }

  search(query: string): Promise<Given> {
    return givenBy(async () => {
      const { convenings, messages, rows } = await searchArchive(this.out, query);
      return { convenings, messages, results: rows.map((each) => hitIn({ ...each })) };
    });
  }

  list(): Promise<Given> {
    return givenBy(async () => ({
      convenings: (await listConvenings(this.out)).map((row) =>
        rowIn({
          ...row,
          kind: row.kind ?? null,
          topic: row.topic ?? null,
          outcome: row.outcome ?? null,
          winnerName: row.winnerName ?? null,
        })
      ),
    }));
  }

  message(dir: string, seq: number): Promise<Given> {
    return givenBy(async () => {
      const { message, path } = await showMessage(dir, seq);
      return messageIn({ ...factJson(message), file: path });
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Roles' models are given as those who take part: a program has no flags. */
  async #configOver(dir: string, settings: Settings): Promise<Json> {
    const isCast = ["moderatorModel", "advocateModels", "judgeModels"].some((key) =>
      key in settings
    );
    return isCast ? { ...settingsOver(await openConvening(dir), settings) } : settings;
  }

  readonly #env = (name: string): string | undefined => this.#world.env?.[name];
}

async function ended(workflow: Pick<Resumed, "run">): Promise<{ readonly dir?: string }> {
  return await workflow.run();
}

/** What a convening came to, as its directory has it. */
export async function resultOf(dir: string): Promise<Json> {
  const { start, facts, result } = await openConvening(dir);
  return toldIn(resultJson({ ...result, paper: paperResultOf(start, facts, { dir }) }));
}

/** What a call gave, or what it failed with; of one that failed with a record, also what that holds. */
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
