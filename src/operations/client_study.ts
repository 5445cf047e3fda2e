// The study of a client of a server: that of a file, without what only the user of the machine may name.
import { ConfigurationError } from "../core/error.ts";
import { refuseLocal, refusePlaces } from "./client_configuration.ts";

type Json = Readonly<Record<string, unknown>>;

/** Keys that name files of the server: such studies are run where the files are. */
const FILES: readonly string[] = ["papers", "paperIds", "sources"];

/** A study as it was sent. Fails with `config_invalid` for what is no study, and for keys that a client may not set. */
export function clientStudy(
  given: unknown,
): Json & { readonly study: string; readonly base: Json } {
  const study = objectOf(given, []);
  const { study: id, base: settings, topics, formats } = study;
  if (typeof id !== "string") throw refused("study", "it is missing", "Give the study an id.");
  refuseFiles(study, []);
  refusePlaces(study);
  if (topics !== undefined && !Array.isArray(topics)) {
    throw refused("topics", "clients cannot name files", "Give the topics as [{id, topic}].");
  }
  const base = objectOf(settings, ["base"]);
  checkSettings(base, ["base"]);
  for (const [name, each] of Object.entries(Array.isArray(formats) ? {} : formats ?? {})) {
    checkSettings(objectOf(each, ["formats", name]), ["formats", name]);
  }
  return { ...study, study: id, base };
}

function checkSettings(settings: Json, path: readonly string[]): void {
  refuseFiles(settings, path);
  refuseLocal(settings, path);
}

function refuseFiles(keys: Json, path: readonly string[]): void {
  const key = FILES.find((each) => Object.hasOwn(keys, each));
  if (key === undefined) return;
  const hint = "Run a study of papers or sources by the command study run.";
  throw refused([...path, key].join("."), "clients cannot set it", hint);
}

function objectOf(value: unknown, path: readonly string[]): Json {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Json;
  const hint = "Send the keys of a study.yaml as an object of JSON.";
  throw refused(path.join(".") || "study", "it is no object of keys", hint);
}

function refused(field: string, state: string, hint: string): ConfigurationError {
  return new ConfigurationError(`Cannot use ${field}: ${state}`, { field, hint });
}
