// Checks of options: a constructor holds the options it is given to the schema of configurations, once.
import { parseConfig } from "../config/config.ts";
import type { Kind } from "../config/setting.ts";
import { ConfigurationError } from "../core/error.ts";
import type { HandedIn, WorkflowOptions } from "./workflow_options.ts";

type Instance = (keyof HandedIn & keyof WorkflowOptions) | "design";

/** Options that no configuration has: instances and functions. */
const INSTANCES: Readonly<Record<Instance, true>> = {
  allowBaseUrls: true,
  clock: true,
  design: true,
  env: true,
  exitCondition: true,
  gate: true,
  host: true,
  moreGuards: true,
  observers: true,
  record: true,
  remember: true,
  searchers: true,
  signal: true,
  sources: true,
  untrusted: true,
};

/** By kind: the keys of a configuration that are arguments, or parts of participants, where instances are handed in. */
const ARGUMENTS: Readonly<Record<Kind, readonly string[]>> = {
  dialogue: ["kind", "topic", "participants", "moderatorModel", "personas"],
  debate: ["kind", "topic", "participants", "positions", "moderatorModel", "personas"],
  consensus: ["kind", "topic", "participants", "personas"],
  "paper-debate": ["kind", "papers", "title", "personas"],
};

/** By kind: options that have instances in the place of the values of a configuration. */
const OWN_INSTANCES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  "paper-debate": ["participants", "given"],
};

/** Options made of a checked configuration. */
const CHECKED = new WeakSet<object>();

/** Options made of a checked configuration: no constructor checks them again. */
export function checkedOptions<T extends object>(options: T): T {
  CHECKED.add(options);
  return options;
}

/** True if options were made of a checked configuration. */
export function isChecked(options: object): boolean {
  return CHECKED.has(options);
}

/**
 * The options, after a check: no option that a workflow of the kind would ignore, no value that a configuration may not
 * have. Throws a `ConfigurationError`.
 */
export function checkOptions<T extends object>(kind: Kind, options: T): T {
  if (isChecked(options)) return options;
  const ignored = ARGUMENTS[kind].find((key) => Object.hasOwn(options, key));
  if (ignored !== undefined) {
    throw new ConfigurationError(`Cannot use the options of a ${kind}: unknown key "${ignored}"`, {
      field: ignored,
      hint: "Give the topic and the participants before the options; positions are participants'.",
    });
  }
  const own = OWN_INSTANCES[kind] ?? [];
  const given = Object.entries(options).flatMap(([key, value]) =>
    Object.hasOwn(INSTANCES, key) || own.includes(key) || value === undefined
      ? []
      : [[key, withoutInstances(value)] as const]
  );
  const needed = kind === "paper-debate" ? { papers: ["-"] } : { topic: "" };
  parseConfig({ kind, ...needed, ...Object.fromEntries(given) });
  return options;
}

/** A value without the instances in it: agents of judges and listeners, a selection or a retriever of a program's own. */
function withoutInstances(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAgent);
  return isInstance(value) ? undefined : value;
}

function withoutAgent(value: unknown): unknown {
  if (value === null || typeof value !== "object" || !("agent" in value)) return value;
  const { agent: _agent, ...settings } = value;
  return settings;
}

/** True if an object has functions, which no configuration has. */
function isInstance(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype !== Object.prototype && prototype !== null) ||
    Object.values(value).some((each) => typeof each === "function");
}
