// Replies of the offline agent: a speech, or structured fields filled by name, else by their JSON schema.
import type { AgentRequest, ReplySchema, ToolTrace } from "../../core/agent.ts";
import { jsonSchemaOf } from "../../core/schema.ts";
import { mean, mixSeed, seededRandom, shuffled } from "../../core/statistics.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { jsonIn, objectIn } from "../../core/values.ts";
import { runToolCalls } from "../reply.ts";
import { type Scene, speechOf, writerOf } from "./speech.ts";
import {
  bare,
  countsOf,
  criterionOf,
  meanOf,
  type PhraseList,
  PHRASES,
  pointsIn,
  quotation,
  quote,
  quotedIn,
  quoteTopic,
  sentencesOf,
  shareOf,
  type ShownTurn,
  termsIn,
  viewOf,
  type Writer,
} from "./writer.ts";

type Shape = Readonly<Record<string, unknown>>;

interface Place {
  readonly scene: Scene;
  /** The whole JSON schema. */
  readonly root: Shape;
  /** JSON schema of the field. */
  readonly shape: Shape;
  /** Keys that lead to the field. */
  readonly path: readonly string[];
  /** Names of all fields of the same object. */
  readonly siblings: readonly string[];
  /** Enumerated value that names the list item, such as a topic. */
  readonly item?: string | undefined;
  readonly index: number;
  readonly passages: readonly Passage[];
}

/** Calls the request's search tools, then writes the reply. */
export async function replyTo(
  request: AgentRequest,
  count: TokenCounter,
): Promise<{ readonly text: string; readonly toolCalls: readonly ToolTrace[] }> {
  const { context, schema } = request;
  const writer = writerOf(context);
  const own = writerOf({ ...context, seed: mixSeed(context.seed, context.participant) });
  const scene: Scene = { request, view: viewOf(request.messages), writer, own, count };
  if (schema === undefined) return { text: speechOf(scene), toolCalls: [] };
  const quoted = (wanted: string, otherwise: string) =>
    scene.view.quoted.findLast(({ name }) => name === wanted)?.text ?? otherwise;
  const [question, topics] = [quoted("question", context.topic), quoted("topics", "")];
  const toolCalls = await lookUps(request, { subjects: topics.split("\n"), question });
  return { text: answerOf(scene, schema, passagesIn(toolCalls, own)), toolCalls };
}

/** Returns the JSON reply to a structured request. */
function answerOf(
  scene: Scene,
  { type }: ReplySchema,
  passages: readonly Passage[],
): string {
  const root = objectIn(jsonSchemaOf(type));
  const place = { scene, root, shape: root, path: [], siblings: [], index: 0, passages };
  const fields = objectIn(valueOf(place));
  if (!("speech" in fields)) return JSON.stringify(fields);
  const { request: { maxTokens }, count } = scene;
  const room = maxTokens === undefined
    ? undefined
    : Math.max(20, maxTokens - count(JSON.stringify(fields)) - 20);
  const quoted = passages.slice(0, 1).map(({ sentence }) =>
    scene.writer.write("topicReasoning", { quote: quote(sentence, Infinity) })
  );
  const say = [...stancesSaid(scene, fields.stances), ...quoted];
  return JSON.stringify({ ...fields, speech: speechOf(scene, { maxTokens: room, say }) });
}

/** Resolves `$ref` and `allOf`, and takes the first alternative of `anyOf` and `oneOf`. */
function resolveSchema(value: unknown, root: Shape): Shape {
  const shape = objectIn(value);
  if (typeof shape.$ref === "string") {
    const steps = shape.$ref.split("/").slice(1);
    return resolveSchema(steps.reduce<unknown>((at, step) => objectIn(at)[step], root), root);
  }
  if (Array.isArray(shape.allOf)) {
    return Object.assign({}, ...shape.allOf.map((each) => resolveSchema(each, root)));
  }
  const [first] = [shape.anyOf, shape.oneOf].find(Array.isArray) ?? [];
  return first === undefined ? shape : resolveSchema(first, root);
}

function valueOf(place: Place): unknown {
  const shape = resolveSchema(place.shape, place.root);
  const here = { ...place, shape };
  const { path, scene } = here;
  if ("const" in shape) return shape.const;
  if (Array.isArray(shape.enum)) return chooseEnum(here, shape.enum);
  const kind = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  switch (kind) {
    case "object":
      return objectOf(here);
    case "array":
      return listOf(here);
    case "number":
    case "integer":
      return numberOf(here, kind === "integer");
    case "boolean":
      return FLAGS[path.at(-1) ?? ""]?.(here) ?? scene.own.share(...path, "flag") < 0.5;
    case "null":
      return null;
    default:
      return textOf(here);
  }
}

function objectOf(place: Place): Shape {
  const properties = objectIn(place.shape.properties);
  const siblings = Object.keys(properties);
  return Object.fromEntries(siblings.map((name) => {
    const path = [...place.path, name];
    return [name, valueOf({ ...place, shape: objectIn(properties[name]), path, siblings })];
  }));
}

function enumOf(shape: unknown, root: Shape): readonly unknown[] | undefined {
  const { enum: values } = resolveSchema(shape, root);
  return Array.isArray(values) ? values : undefined;
}

/** Enumerated fields that identify a list item: `on` of a stance, `topic` of an argument. */
const NAMING: readonly string[] = ["on", "topic"];

/** Number of keys on the way to a list from which the list is as short as the schema allows. */
const DEEP = 8;

/** Fills a list by its name. A list of objects with an enumerated naming field gets one object for each value. */
function listOf(place: Place): readonly unknown[] {
  const { shape, path, root } = place;
  const { minItems: least = 1, maxItems: most } = shape;
  const bounds = { least: Number(least), most: most === undefined ? Infinity : Number(most) };
  const name = path.at(-1) ?? "";
  if (EMPTY.has(name)) return [];
  const items = resolveSchema(shape.items, root);
  const named = LISTS[name]?.(place, bounds);
  const isFitting = (each: unknown) => (typeof each === "object") === (items.type === "object");
  if (named?.every(isFitting)) return named.slice(0, bounds.most);
  const naming = NAMING.flatMap((name) => enumOf(objectIn(items.properties)[name], root) ?? []);
  // A list in a schema that refers to itself would not end.
  const usual = path.length < DEEP ? Math.max(1, bounds.least) : Number(shape.minItems ?? 0);
  const length = Math.min(bounds.most, naming.length || usual);
  return Array.from({ length }, (_, index) =>
    valueOf({
      ...place,
      shape: items,
      path,
      item: naming[index] === undefined ? place.item : String(naming[index]),
      index,
    }));
}

/** Names of fields that stay empty; the speech is written last. */
const EMPTY: ReadonlySet<string> = new Set(
  ["speech", "condition", "omitted", "breach", "rule", "url", "title", "web", "sources"],
);

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Writers of lists by name; another list of that name, whose items are of another type, is filled by its schema. */
const LISTS: Readonly<Record<string, (place: Place, bounds: Bounds) => unknown[]>> = {
  proposals: (place) => merged(place) ?? proposalsOf(place.scene),
  claims: ({ scene: { view } }) => {
    const { text = "" } = view.quoted.find(({ name }) => name === "statement") ?? {};
    const most = Number(/at most (\d+) claim/.exec(view.task)?.[1] ?? 3);
    return sentencesOf(text).filter((each) => /\d/.test(each)).slice(0, most)
      .map((each) => ({ quote: each, text: each }));
  },
  points: ({ scene: { view } }) => {
    const text = (tag: string) => view.quoted.find(({ name }) => name === tag)?.text ?? "";
    const isQuoted = (said: string) => quotedIn(text("statement")).some((it) => said.includes(it));
    const answers = [...text("points").matchAll(/^- (\S+) \((.*), turn .*?\): (.*)$/gm)]
      .filter(([, , by, point]) => !view.task.includes(`noted, by ${by},`) && isQuoted(point!))
      .map(([, id]) => id!);
    return pointsIn(text("statement")).map((said, at) => {
      const kind = at === 0 && answers.length > 0 ? "answers" : "new";
      return { quote: said, text: said, kind, answers: kind === "new" ? [] : answers };
    });
  },
  questions: ({ scene: { view, writer } }, { least }) => {
    const sentences = view.quoted.filter(({ name }) => name.startsWith("paper "))
      .flatMap(({ text }) => sentencesOf(text)).filter((each) => !each.includes("?"));
    const quoting = shuffled(sentences, seededRandom(writer.draw("questions"))).slice(0, 5)
      .map((each, step) => writer.write("questions", { quote: quote(each) }, step));
    return [...quoting, ...writer.writeSome("openQuestions", 8)].slice(0, Math.max(8, least));
  },
  postures: ({ scene: { writer } }, { least }) => writer.writeSome("postures", least),
  topics: ({ scene: { writer, view }, siblings }, { least }) =>
    siblings.includes("postures")
      ? writer.writeSome("parts", Math.max(4, least))
      : writer.writeSome("topics", Number(/Propose (\d+) /.exec(view.task)?.[1] ?? 8)),
  counterpoints: ({ scene: { writer }, index }) => [writer.write("counterpoints", {}, index)],
  insights: ({ scene: { view, writer } }) =>
    view.turns.filter(({ kind }) => kind === "argument").slice(0, 6).map((turn, at) =>
      writer.write("insights", { label: turn.speaker, quote: quotation(turn.body, at) }, at)
    ),
  controversialPoints: ({ scene: { view, writer } }) => {
    const [held = ""] = view.turns.find(({ kind }) => kind === "postures")?.body
      .split(/^#+ Topics/m) ?? [];
    const postures = [...held.matchAll(/^\d+\. (.+)$/gm)].map(([, text]) => quoteTopic(text!));
    return postures.slice(1, 5).map((other, at) =>
      writer.write("controversialPoints", { position: postures[at]!, other })
    );
  },
  paper: (place) => {
    const { chunkId, sentence } = passageOf(place) ?? {};
    return sentence === undefined ? [] : [{ chunkId, text: sentence }];
  },
};

function passageOf({ passages, index }: Place): Passage | undefined {
  return passages[index % passages.length];
}

/** Returns the proposals of a list to merge, each unchanged with its number; undefined if the schema requests no merge. */
function merged({ shape, root, scene: { view, writer } }: Place): unknown[] | undefined {
  if (!("from" in objectIn(resolveSchema(shape.items, root).properties))) return undefined;
  const list = view.quoted.find(({ name }) => name === "proposals")?.text ?? "";
  const made = [...list.matchAll(/^(\d+)\. (.+)$/gm)]
    .map(([, number, text]) => ({ text, from: [Number(number)] }));
  return made.length > 0 ? made : [{ text: writer.write("proposal"), from: [] }];
}

/** Returns the proposal of the participant that is asked; it depends on the participant's position in the list of sides. */
function proposalsOf({ view, writer, request: { context } }: Scene): string[] {
  const at = Math.max(0, view.sides.findIndex(({ label }) => label === context.label));
  return [writer.write("proposal", {}, 2 * at - writer.turn + 97 * 8)];
}

function chooseEnum({ scene, path, item }: Place, values: readonly unknown[]): unknown {
  const name = path.at(-1);
  if (item !== undefined && values.includes(item)) return item;
  if (name === "winner") return winnerOf(scene, values.map(String));
  if (name === "stance") return stanceOf(scene, item ?? "").stance;
  if (values.includes("unverifiable")) return "unverifiable";
  return values[scene.own.draw(scene.request.context.key, ...path) % values.length];
}

/** Returns the label with the best mean measure; by seed if no side has spoken; `tie` for nearly equal means. */
function winnerOf(scene: Scene, values: readonly string[]): string {
  const { view: { turns }, own, request: { context: { topic } } } = scene;
  const labels = values.filter((each) => each !== "tie");
  const means = labels.map((label) => ({ label, mean: meanOf(label, turns, { topic, own }) }))
    .sort((a, b) => b.mean - a.mean || (a.label < b.label ? -1 : 1));
  const [best, second] = means;
  if (best === undefined || best.mean === 0) {
    return [...values].sort()[own.draw("winner") % values.length]!;
  }
  const isClose = second !== undefined && best.mean - second.mean < 0.006;
  return isClose && values.includes("tie") ? "tie" : best.label;
}

/** Returns the participant's stance on a proposal or side, from the seed, the turns, and a shift towards agreement each round. */
function stanceOf(scene: Scene, on: string): { stance: string; strength: number } {
  const { own, view, request: { context } } = scene;
  const { turns, sides } = view;
  const labels = sides.map(({ label }) => label);
  const measuring = { topic: context.topic, own };
  const heard = labels.includes(on) && turns.length > 0
    ? 4 *
      (meanOf(on, turns, measuring) -
        mean(labels.map((label) => meanOf(label, turns, measuring)))!)
    : 0;
  const moved = Math.max(0, context.round - 2) * (0.04 + 0.12 * own.share("pace", on));
  const [proposal] = proposalsOf(scene);
  const isOwn = view.quoted.flatMap(({ text }) => text.split("\n"))
    .some((line) => line.startsWith(`- ${on} `) && line.endsWith(`: ${proposal}`));
  const held = isOwn ? 1 : Math.max(0, Math.min(1, own.share("stance", on) + moved + heard));
  const stance = held > 0.55 ? "agree" : held < 0.35 ? "disagree" : "abstain";
  return { stance, strength: Math.max(0.1, Math.round(Math.abs(held - 0.45) * 18) / 10) };
}

/** Returns sentences that state a reply's stances. */
function stancesSaid({ writer }: Scene, stances: unknown): string[] {
  if (!Array.isArray(stances)) return [];
  return ["agree", "disagree", "abstain"].flatMap((stance) => {
    const ids = stances.map(objectIn).filter((each) => each.stance === stance)
      .map(({ on }) => String(on));
    const proposals = [ids.slice(0, -1).join(", "), ids.at(-1) ?? ""].filter(Boolean).join(" and ");
    return ids.length === 0 ? [] : [writer.write(stance as PhraseList, { proposals })];
  });
}

/** Returns a number within the schema's bounds: a criterion's score, the strength of a stance, else a number by seed. */
function numberOf({ shape, path, scene, item }: Place, isWhole: boolean): number {
  const { own, request: { context } } = scene;
  const bound = (keys: readonly string[], otherwise: number) =>
    Number(keys.map((key) => shape[key]).find((each) => Number.isFinite(each)) ?? otherwise);
  const low = bound(["minimum", "exclusiveMinimum"], 0);
  const highest = bound(["maximum", "exclusiveMaximum"], isWhole ? 10 : 1);
  const high = highest > 1e9 ? low + 10 : Math.max(low, highest);
  const name = path.at(-1) ?? "";
  const turn = scoredTurn(scene);
  if (name === "strength") return stanceOf(scene, item ?? "").strength;
  if (name === "confidence") return low;
  const share = path.includes("scores") && turn !== undefined
    ? criterionOf(`${name} ${item ?? ""}`, turn, { topic: context.topic, own })
    : 0.1 + 0.8 * own.share(context.key, ...path);
  const unit = isWhole ? 1 : high - low >= 5 ? 10 : 100;
  const value = Math.round((low + (high - low) * share) * unit) / unit;
  return Math.min(high, Math.max(low, value));
}

/** Writers of boolean fields by name. */
const FLAGS: Readonly<Record<string, (place: Place) => boolean>> = {
  breach: () => false,
  consistent: () => true,
  ["anything_new"]: ({ scene }) => newShare(scene) > 0.2,
};

/** Returns the share of the last turn's words that no earlier turn has. */
function newShare({ view: { turns } }: Scene): number {
  const before = turns.slice(0, -1).flatMap(({ body }) => termsIn(body));
  return 1 - shareOf(termsIn(turns.at(-1)?.body ?? ""), before);
}

/** Writers of text fields by name. */
const TEXTS: Readonly<Record<string, (place: Place) => string>> = {
  reasons: reasonOf,
  reason: reasonOf,
  mainReason: () => "",
  summary: ({ scene }) => speechOf(scene),
  answer: ({ scene: { writer } }) => writer.write("baseline"),
  reflection: (place) => sentenceAbout(place, "reflection"),
  critique: (place) => sentenceAbout(place, "critique"),
  notes: ({ scene, item = "" }) =>
    scene.writer.write("notes", { label: scoredTurn(scene)?.speaker ?? "", part: bare(item) }),
  claim: ({ scene: { writer }, item = "", index }) =>
    writer.write("topicClaim", { part: bare(item) }, index),
  reasoning: (place) => {
    const { scene: { writer }, index } = place;
    const { sentence } = passageOf(place) ?? {};
    if (sentence === undefined) return writer.write("noPassage", {}, index);
    return writer.write("topicReasoning", { quote: quote(sentence, Infinity) }, index);
  },
  overallPosition: ({ scene: { writer } }) => writer.write("overall"),
};

function textOf(place: Place): string {
  const { path, shape, scene, index } = place;
  const name = path.at(-1) ?? "";
  if (EMPTY.has(name)) return "";
  const text = TEXTS[name]?.(place) ?? scene.writer.write("other", {}, index);
  const most = typeof shape.maxLength === "number" ? shape.maxLength : Infinity;
  const least = typeof shape.minLength === "number" ? shape.minLength : 0;
  return text.length > most ? text.slice(0, most).trimEnd() : text.padEnd(least, ".");
}

/** Returns the reason of an answer, depending on the fields of the same object. */
function reasonOf({ scene, siblings, root }: Place): string {
  const { writer, view, own, request: { context: { topic } } } = scene;
  if (siblings.includes("scores")) return countedReasons(scene);
  if (siblings.includes("winner")) {
    const labels = enumOf(objectIn(root.properties).winner, root)?.map(String) ?? [];
    const figures = labels.filter((label) => label !== "tie")
      .map((label) => `${label} ${Math.round(100 * meanOf(label, view.turns, { topic, own }))} %`);
    return writer.write("winner", { figures: figures.join(", ") });
  }
  if (siblings.includes("anything_new")) {
    return writer.write("newness", { share: Math.round(100 * newShare(scene)) });
  }
  const reasons: Readonly<Record<string, string>> = PHRASES.reasons;
  return siblings.flatMap((name) => reasons[name] ?? [])[0] ?? writer.write("other");
}

/** Returns the turn to score: the turn that the task names, else the latest. */
function scoredTurn({ view }: Scene): ShownTurn | undefined {
  return view.named ?? view.turns.at(-1);
}

function countedReasons(scene: Scene): string {
  const turn = scoredTurn(scene);
  if (turn === undefined) return scene.writer.write("other");
  const { words, shared, ...found } = countsOf(turn.body, scene.request.context.topic);
  const quotes = found.quotes ? "it quotes" : "it quotes nothing";
  const share = Math.round(100 * shared);
  return scene.writer.write("counted", { label: turn.speaker, words, share, quotes });
}

function sentenceAbout({ scene: { view, writer, request } }: Place, list: PhraseList): string {
  const target = view.named ??
    view.turns.findLast(({ speaker }) => speaker !== request.context.label);
  if (target === undefined) return writer.write("other");
  const { speaker: label, body } = target;
  return writer.write(list, { label, quote: quotation(body, writer.draw(body)) });
}

/** A passage of a paper with a sentence to quote from it. */
interface Passage {
  readonly chunkId: string;
  readonly sentence: string;
}

/** The most calls of the first tool in a reply, and the most characters of a query. */
const MOST = { calls: 6, characters: 300 } as const;

/** Calls every tool that takes a query: the first tool once more for each of `subjects`, the others once. */
async function lookUps(
  { tools = [], signal, context }: AgentRequest,
  { subjects, question }: { readonly subjects: readonly string[]; readonly question: string },
): Promise<readonly ToolTrace[]> {
  const { topic, position = "" } = context;
  const queries = [`${topic} ${position}`, ...subjects.map((subject) => `${subject} ${question}`)]
    .slice(0, MOST.calls).map((query) => query.trim().slice(0, MOST.characters));
  const isSearch = ({ parameters }: typeof tools[number]) =>
    JSON.stringify(jsonSchemaOf(parameters)).includes('"query"');
  const calls = tools.filter(isSearch).flatMap(({ name }, at) =>
    (at === 0 ? queries : queries.slice(0, 1)).map((query, index) => ({
      id: `call_${at}_${index}`,
      name,
      arguments: JSON.stringify({ query: query.toWellFormed() }),
    }))
  );
  return calls.length === 0 ? [] : await runToolCalls(calls, { tools, signal });
}

/** Returns a sentence of each of the best passages of look-ups; seed and participant choose the sentence. */
function passagesIn(traces: readonly ToolTrace[], own: Writer): Passage[] {
  const best = traces.filter(({ failed }) => !failed).flatMap(({ result }) => hitsIn(result));
  const found = new Map<string, Passage>();
  for (const { chunkId, text } of best) {
    const sentences = sentencesOf(text);
    const sentence = sentences[own.draw(chunkId) % Math.max(1, sentences.length)];
    if (sentence !== undefined && !found.has(sentence)) found.set(sentence, { chunkId, sentence });
  }
  return [...found.values()];
}

function hitsIn(result: string): { readonly chunkId: string; readonly text: string }[] {
  const { hits } = objectIn(jsonIn(result));
  const best = Array.isArray(hits) ? hits.slice(0, 3) : [];
  return best.filter((hit) => typeof hit?.chunkId === "string" && typeof hit.text === "string");
}
