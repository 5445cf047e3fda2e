import { sha256 } from "../core/message.ts";

/** Ids that the program gives, whatever participants are called. */
const GIVEN =
  /^(?:the-)*(?:advocate|audience|claim-finder|con|debater|fact-checker|judge|listener|moderator|participant|persona-checker|pro|questioner|reader|reporter)(?:-(?:[a-z]{1,2}|\d{1,3}))?$/;
/** A participant named by the hash of its id. */
const HANDLE = /^p-[0-9a-f]{8}$/;
/** The parts of turns' keys that are no ids. */
const STEPS =
  /^(?:\d+|(?:round|turn)-\d+|answer|argument|baseline|bid|closing|cross_examination|insights|interjection|interruption|introduction|next-speaker|opening|pick|postures|proposals|proposals-merged|question|questions|rebuttal|report|review|ruling|score|statement|stop|summary|verdict)$/;

/** Keys whose values are ids of participants or judges. */
const IDS = /^(?:after|before|by|judge|order|participant|unscored|votes|winner)$/;
/** Keys of objects whose own keys are such ids. */
const BY_ID = /^(?:byParticipant|holds|scores|sides|standings)$/;

/** How a participant is named in data: its id where the program gave it, else `p-` and a hash, since ids come from names. */
export function handleOf(id: string): string {
  return GIVEN.test(id) || HANDLE.test(id) ? id : `p-${sha256(id).slice(0, 8)}`;
}

function turnOf(key: string): string {
  return key.split("/").map((part) => STEPS.test(part) ? part : handleOf(part)).join("/");
}

/** A value of data, under its key, in which every participant is named by its handle. */
function named(value: unknown, key: string): unknown {
  if (typeof value === "string") {
    return IDS.test(key) ? handleOf(value) : key === "turn" ? turnOf(value) : value;
  }
  if (value === null || typeof value !== "object") return value;
  // The keys of rows are no ids.
  if (Array.isArray(value)) return value.map((each) => named(each, BY_ID.test(key) ? "" : key));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      BY_ID.test(key) ? handleOf(name) : name,
      named(each, name),
    ]),
  );
}

/** Data in which every participant is named by its handle. */
export function withHandles(
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, named(value, key)]));
}
