// The plan of a study: its cells, their configurations and keys.
import { basename } from "@std/path";
import { defaultsOf, isBuiltIn } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import type { JudgeConfig } from "../config/convening_config.ts";
import { ConfigurationError } from "../core/error.ts";
import { sha256 } from "../core/message.ts";
import { ADVOCATE, idOf, type ParticipantConfig } from "../core/participant.ts";
import { letters } from "../core/prompt.ts";
import { mixSeed, seededRandom, shuffled } from "../core/statistics.ts";
import { isObject, sortedByKey } from "../core/values.ts";
import { isOneModel } from "../judging/panels.ts";
import type { Cell, Contestant, StudyConfig, StudyTopic } from "./study.ts";
import { thousands } from "../core/text.ts";

/** Version of the cell keys; part of the hash. */
const KEYS = 1;
const MOST_CELLS = 100_000;

type Settings = Readonly<Record<string, unknown>>;

export function isOfPapers({ base }: Pick<StudyConfig, "base">): boolean {
  return base.kind === "paper-debate";
}

/** Returns the paths of the study's papers, from `papers` or `base.papers`. */
export function papersOf({ base, papers }: StudyConfig): readonly string[] {
  return papers ?? base["papers"] as readonly string[] | undefined ?? [];
}

/** Returns the topics of a study; for paper debates one per paper, with an id from the file name and the path as topic. */
function subjectsOf(study: StudyConfig): readonly StudyTopic[] {
  if (!isOfPapers(study)) return study.topics as readonly StudyTopic[];
  const taken = new Set<string>();
  return papersOf(study).map((path) => {
    const name = idOf(basename(path).replace(/\.[^.]*$/, ""));
    let id = name;
    for (let number = 2; taken.has(id); number++) id = `${name}-${number}`;
    taken.add(id);
    return { id, topic: path };
  });
}

interface Configurations {
  readonly formats: readonly string[];
  /** Returns the configuration of a cell. Throws a `ConfigurationError` if every judge is excluded. */
  of(cell: Omit<Cell, "key" | "repeat">): Settings;
  /** Returns a configuration with all contestants, to check keys and values. */
  trial(format: string): Settings;
}

/** Returns the names of a study's formats, and functions for the configurations of its convenings. */
export function configurations(study: StudyConfig): Configurations {
  const { base: { out: _out, ...base }, contestants, questions } = study;
  const subjects = new Map(subjectsOf(study).map(({ id, topic }) => [id, topic]));
  const byId = new Map(contestants?.map((each) => [each.id, each]));
  const formats = formatsOf(study);
  const ofPapers = isOfPapers(study);
  const whole = (format: string, topic: string | undefined, question?: number): Settings => ({
    ...base,
    ...formats.get(format),
    ...ofPapers ? { papers: [topic], ...question !== undefined && { pick: question } } : { topic },
    ...study.judges && { judges: study.judges },
  });
  return {
    formats: [...formats.keys()],
    of({ topic, first, second, format, seed, question }) {
      const config = { ...whole(format, subjects.get(topic), question), seed };
      if (first === undefined || second === undefined) return config;
      return pairConfiguration(config, study, [byId.get(first)!, byId.get(second)!]);
    },
    trial(format) {
      const question = proposesQuestions(study, format) ? questions && 1 : undefined;
      const config = whole(format, subjects.values().next().value, question);
      return contestants === undefined ? config : withSides(config, contestants);
    },
  };
}

function formatsOf({ formats }: StudyConfig): ReadonlyMap<string, Settings> {
  if (formats === undefined) return new Map([["base", {}]]);
  if (!Array.isArray(formats)) return new Map(Object.entries(formats));
  return new Map(formats.map((name) => [name, { debateFormat: name }]));
}

/** True if a format's paper debates have questions proposed, of which each debate takes one by number. */
function proposesQuestions(study: StudyConfig, format: string): boolean {
  const { question } = { ...study.base, ...formatsOf(study).get(format) } as Settings;
  return isOfPapers(study) && question === undefined;
}

export function roleOfContestants(kind: unknown): string {
  return kind === "debate" ? ADVOCATE : "debater";
}

/** Returns a configuration with the contestants as advocates or debaters; other participants remain. */
function withSides(config: Settings, contestants: readonly Contestant[]): Settings {
  const { participants = [], positions, ...rest } = config as {
    readonly participants?: readonly ParticipantConfig[];
    readonly positions?: readonly string[];
  } & Settings;
  const isDebate = config["kind"] === "debate";
  const own = roleOfContestants(config["kind"]);
  const others = participants.filter(({ role = own }) => role !== own);
  const seats = contestants.map((each, seat) => ({
    ...each,
    name: `${isDebate ? "Advocate" : "Debater"} ${letters(seat)}`,
    role: own,
    ...isDebate && positions?.[seat] !== undefined && { position: positions[seat] },
  }));
  return {
    ...rest,
    participants: [...seats, ...others],
    ...isDebate ? { speakingOrder: "given" } : { postures: 2 },
  };
}

/** Returns the configuration of a pair, without judges of a side's model unless `excludeOwn` is false. */
function pairConfiguration(
  config: Settings,
  study: StudyConfig,
  pair: readonly Contestant[],
): Settings {
  const { tiebreakModel, ...seats } = withSides(config, pair);
  const { model, moderatorModel = model } = config;
  const { excludeOwn = true } = study;
  const sides = pair.map((each) => each.model ?? model);
  // The offline agent is no language model and has no self-preference.
  const isOwn = (judge: unknown) =>
    excludeOwn && judge !== "offline" && sides.some((side) => isOneModel(`${side}`, `${judge}`));
  const tiebreak = tiebreakModel === undefined || isOwn(tiebreakModel) ? {} : { tiebreakModel };
  if (config["scoringEnabled"] === false) return { ...seats, ...tiebreak };
  const judges = judgesOf(config);
  const left = (judges ?? [{}]).filter((judge) => !isOwn(judge.model ?? moderatorModel));
  if (left.length > 0) return { ...seats, ...tiebreak, ...judges && { judges: left } };
  throw new ConfigurationError(
    `Cannot judge ${pair[0]!.id} against ${pair[1]!.id}: every judge has the model of a side`,
    { field: "judges", hint: "Give a judge of another model, or excludeOwn: false." },
  );
}

/** Returns the judges with explicit ids and names, so that these do not change when a judge is excluded. */
function judgesOf(config: Settings): readonly JudgeConfig[] | undefined {
  const judges = config["judges"] as readonly JudgeConfig[] | undefined;
  if (judges === undefined || judges.length === 1) return judges;
  return judges.map((judge, index) => {
    return { id: `judge-${index + 1}`, name: `Judge ${index + 1}`, ...judge };
  });
}

/** Resolves a configuration: checks it and adds the defaults of a new convening. */
type Resolve = (config: Settings) => object;

/**
 * Returns the cells of a study in the order of execution; the two seatings of a pair are adjacent. Throws a
 * `ConfigurationError` for equal cells, and above `limits.maxDebates` or 100,000 cells.
 */
export function planOf(study: StudyConfig, resolve: Resolve): Cell[] {
  const made = configurations(study);
  const planned = unkeyedCells(study, made.formats).take(MOST_CELLS + 1).toArray();
  const { maxDebates = Infinity } = study.limits ?? {};
  const most = Math.min(maxDebates, MOST_CELLS);
  if (planned.length > most) {
    const over = planned.length > MOST_CELLS ? "over " : "";
    const count = over + thousands(Math.min(planned.length, MOST_CELLS));
    const message = `it has ${count} convenings, at most ${thousands(most)} are allowed`;
    const [field, more] = most === maxDebates
      ? ["limits.maxDebates", ", or raise limits.maxDebates"]
      : ["topics", ""];
    const hint = `Plan fewer topics, pairs, formats or seeds${more}.`;
    throw new ConfigurationError(`Cannot plan the study: ${message}`, { field, hint });
  }
  const byKey = new Map<string, Cell>();
  for (const cell of planned) {
    const key = keyOf(resolve(made.of(cell)), cell.repeat);
    const same = byKey.get(key);
    if (same !== undefined) {
      const { topic, first, second, format } = cell;
      const what = [topic, first, second, format].filter((each) => each !== undefined).join(", ");
      const field = topic !== same.topic ? "topics" : format === same.format ? "pairs" : "formats";
      const hint = "Give each pair once, and topics and formats that differ.";
      const message = `Cannot plan the study: the convening of ${what} is in the plan already`;
      throw new ConfigurationError(message, { field, hint });
    }
    byKey.set(key, { key, ...cell });
  }
  return [...byKey.values()];
}

function* unkeyedCells(
  study: StudyConfig,
  formats: readonly string[],
): Generator<Omit<Cell, "key">> {
  const { seed = 1, seeds = 1, sides = "both", questions } = study;
  const listed = Array.isArray(seeds) ? seeds as readonly number[] : undefined;
  const repeats = listed?.length ?? seeds as number;
  const subjects = subjectsOf(study);
  const numbered = Array.from({ length: questions ?? 1 }, (_, index) => ({ question: index + 1 }));
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const { id: topic } of subjects) {
      const pairs = pairsOf(study, topic);
      for (const format of formats) {
        const asked: readonly Pick<Cell, "question">[] = proposesQuestions(study, format)
          ? numbered
          : [{}];
        for (const question of asked) {
          for (const pair of pairs) {
            const own = listed?.[repeat - 1] ??
              mixSeed(seed, topic, ...pair.toSorted(), repeat, question.question ?? 0);
            const rest = { topic, format, repeat, seed: own, ...question };
            const [first, second] = pair;
            if (first === undefined || second === undefined) {
              yield rest;
              continue;
            }
            yield { ...rest, first, second };
            if (sides === "both") yield { ...rest, first: second, second: first };
          }
        }
      }
    }
  }
}

/** Returns the pairs of contestants for a topic; without contestants a single empty pair. */
function pairsOf(study: StudyConfig, topic: string): readonly (readonly string[])[] {
  const { contestants, pairs = "all", seed = 1 } = study;
  if (contestants === undefined) return [[]];
  if (Array.isArray(pairs)) return pairs as readonly (readonly string[])[];
  const ids = contestants.map(({ id }) => id);
  const all = ids.flatMap((first, at) => ids.slice(at + 1).map((second) => [first, second]));
  if (typeof pairs === "object" && "against" in pairs) {
    return all.filter((pair) => pair.includes(pairs.against));
  }
  if (typeof pairs === "object" && "sample" in pairs) {
    return shuffled(all, seededRandom(mixSeed(seed, "pairs", topic))).slice(0, pairs.sample);
  }
  return all;
}

/** Returns the key of a cell: a hash of the resolved configuration, with defaults, and the repeat. */
function keyOf(config: object, repeat: number): string {
  const { kind } = config as { readonly kind: string };
  const resolved = isBuiltIn(kind) ? { ...defaultsOf(SETTINGS, kind), ...config } : config;
  return sha256(canonicalJson([KEYS, repeat, resolved])).slice(0, 16);
}

/** Returns JSON with the keys of every object sorted by code units. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (!isObject(each)) return each;
    return Object.fromEntries(sortedByKey(Object.entries(each)));
  });
}
