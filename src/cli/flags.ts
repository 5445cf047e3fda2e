// The flags of each command: flags of settings, built from the table of settings, and flags that set no single key.
import {
  helpOf,
  type Kind,
  KINDS,
  rowsOf,
  type Setting,
  type Settings,
  SHAPE,
} from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { hostOf } from "../core/key_rules.ts";
import {
  cannotUse,
  choice,
  type Flag,
  flag,
  grouped,
  readDuration,
  readGuard,
  readList,
  readNumber,
  readParticipant,
  readPersona,
  readRange,
  type ReadValue,
  readWhole,
  refused,
  repeated,
  reworded,
  toggle,
} from "./flag.ts";

/** Parsers of values by the placeholder in help; values with another placeholder are words. */
const READERS: Readonly<Record<string, ReadValue<unknown>>> = {
  "<n>": readWhole,
  "<t>": readNumber,
  "<usd>": readNumber,
  "<share>": readNumber,
  "<time>": readDuration,
  "<min-max>": readRange,
  "<formats>": readList,
  "<name[=model]>": readParticipant,
};

function settingFlag<T = unknown>(key: string): Flag<T> {
  // The cast is safe: the parser of a row's placeholder returns values of the row's type.
  return flagOfRow([key, ROWS.get(key)!]) as Flag<T>;
}

const ROWS: ReadonlyMap<string, Setting> = new Map(rowsOf(SETTINGS));

function flagOfRow([key, row]: readonly [string, Setting], kind?: Kind): Flag<unknown> {
  const { is, as, once, about: usual } = row.flag!;
  const about = usual ?? helpOf(row, kind);
  const made = as !== undefined ? toggle(is, about, as) : flagOf(is, about, row.schema);
  if (once === undefined) return { ...made, key };
  const add = (before: unknown, text: string) => {
    const hint = "Start a convening for each.";
    if (before !== undefined) throw cannotUse(`${made.name} twice`, "a convening has one", hint);
    return made.add(before, text);
  };
  return { ...made, key, add };
}

/** Builds a flag from a setting's schema: a choice of words, a toggle, a repeated flag, or a flag with a parsed value. */
function flagOf(is: string, about: string, schema: Setting["schema"]): Flag<unknown> {
  const [, value] = is.split(" ");
  if (value === undefined) {
    const { options } = schema as { readonly options?: unknown };
    return Array.isArray(options) ? choice(is, about, options.map(String)) : toggle(is, about);
  }
  const isList = schema.type === "array" && value !== "<formats>";
  return (isList ? repeated : flag)(is, about, READERS[value]);
}

const TITLES: Readonly<Record<Kind, string>> = {
  dialogue: "The dialogue:",
  debate: "The debate:",
  consensus: "The consensus:",
  "paper-debate": "The debate:",
};

// Settings that commands read by name.
export const MODEL = settingFlag<string>("model");
export const BASE_URL = settingFlag<string>("baseUrl");
export const OUT = settingFlag<string>("out");
export const SEED = settingFlag<number>("seed");
export const MAX_TURNS = settingFlag<number>("limits.maxTurns");
export const TIMEOUT = settingFlag<number>("personTimeout");
export const SEARCH_URL = settingFlag<string>("factCheck.searchUrl");
export const EMBEDDING_MODEL = settingFlag<string>("embeddingModel");
export const MODERATOR_MODEL = settingFlag<string>("moderatorModel");
export const POSITION = settingFlag<string[]>("positions");
export const RUBRIC = settingFlag<string>("rubric");
export const JUDGE_TEMPERATURE = settingFlag<number>("judgeTemperature");
export const VERDICT_REPEATS = settingFlag<number>("verdictRepeats");
const QUESTION = settingFlag<string>("question");
export const PAPER_PICK = settingFlag<number>("pick");

// Flags that set no single key.
export const CONFIG = flag(
  "--config <file>",
  "a YAML configuration, or a convening's metadata.md (default: the convenings.yaml of this folder or the nearest above)",
);
export const DRY_RUN = toggle(
  "--dry-run",
  "print the plan and the most it can cost; call no model, write nothing",
);
export const PROMPTS = toggle(
  "--prompts",
  "with --dry-run: print every prompt too; brackets stand for turns that are not yet spoken",
);
export const ALLOW_BASE_URL = repeated(
  "--allow-base-url <host>",
  "a host, named in a record or a file, that may receive API keys of the environment, such as 127.0.0.1:8080",
  (text, name) => {
    if (hostOf(text) !== undefined) return text;
    throw refused(name, text, "Write HOST or HOST:PORT, such as 127.0.0.1:8080.");
  },
);
export const ADVOCATE_MODEL: Flag<string[]> = {
  ...repeated(
    "--advocate-model <name>",
    "the model of all advocates, or one for each in their order",
  ),
  names: "advocateModels",
};
export const JUDGE_MODEL: Flag<string[]> = {
  ...repeated("--judge-model <name>", "a judge's model; give it once for each judge"),
  names: "judgeModels",
};
export const PERSONA = repeated(
  "--persona <[name=]id|file>",
  "the persona of a speaker, by its name or YAML file; for the speakers in their order, or for the one named",
  readPersona,
);
export const GUARD = {
  ...repeated(
    "--guard <name=mode>",
    "repetition, coherence, refused-terms, length or persona: off, warn or reject",
    readGuard,
  ),
  names: "guards",
};
export const TOPIC_FROM = flag(
  "--topic-from <subject>",
  "propose topics on a subject, and debate one of them",
);
export const PICK = flag(
  "--pick <n>",
  "the number of the proposed topic to debate (default: 1)",
  readWhole,
);
export const AS = flag(
  "--as <participant>",
  "the name or id of the speaker (default: the participant whose turn waits)",
);
export const SAY_FILE = flag(
  "--file <file>",
  "the text, if [text] is left out; - is standard input (default: -)",
);
export const INTERJECT = toggle("--interject", "say it as the audience, outside of the turns");

// Flags of the commands that serve an archive.
export const HOST = flag(
  "--host <address>",
  "the address to listen on; one that other machines can reach needs a token (default: 127.0.0.1)",
);
export const PORT = flag("--port <n>", "the port; 0 for any free port (default: 4000)", readPort);
export const READ_ONLY = toggle(
  "--read-only",
  "clients can only read: nothing is run or written, and no model is asked",
);

function readPort(text: string, flag: string): number {
  const port = readWhole(text, flag);
  if (port <= 65_535) return port;
  throw refused(flag, text, "Write a number from 0 to 65535, such as 4000.");
}

type FlagList = readonly Flag<unknown>[];

/** Headings in the help of a kind's command, in order. */
const GROUPS = [SHAPE, "Judging:", "Who speaks:", "What is said:", "Limits:", "Files:"] as const;

/** Flags that set no single key, with heading and kinds. */
const OTHERS: readonly (readonly [(typeof GROUPS)[number], readonly Kind[], FlagList])[] = [
  [SHAPE, ["debate"], [TOPIC_FROM, PICK]],
  ["Judging:", ["debate", "paper-debate"], [JUDGE_MODEL]],
  ["Who speaks:", KINDS, [ALLOW_BASE_URL]],
  ["Who speaks:", ["debate"], [ADVOCATE_MODEL]],
  ["Who speaks:", KINDS, [PERSONA]],
  ["What is said:", KINDS, [GUARD]],
  ["Files:", KINDS, [CONFIG, DRY_RUN, PROMPTS]],
];

export function kindFlags(kind: Kind, settings: Settings = SETTINGS): FlagList {
  const rows = rowsOf(settings).filter(([, { kinds = KINDS, flag }]) =>
    flag !== undefined && kinds.includes(kind) && (flag.kinds ?? KINDS).includes(kind)
  );
  return GROUPS.flatMap((group) =>
    grouped(group === SHAPE ? TITLES[kind] : group, [
      ...rows.filter(([, { flag }]) => (flag?.group ?? SHAPE) === group)
        .map((row) => flagOfRow(row, kind)),
      ...OTHERS.filter(([of, kinds]) => of === group && kinds.includes(kind))
        .flatMap(([, , flags]) => flags),
    ])
  );
}

export const MAX_WAIT = settingFlag("retry.maxRetryAfter");

export const QUESTIONS_FLAGS: FlagList = [
  ...["title", "model", "baseUrl", "temperature", "seed"].map((key) => settingFlag(key)),
  ALLOW_BASE_URL,
  MAX_WAIT,
  CONFIG,
];

/** Flags of the settings that may change at a resume. */
const CHANGED: FlagList = GROUPS.filter((group) => group !== SHAPE).flatMap((group) =>
  grouped(group, [
    ...[...ROWS].filter(([, { resume, flag }]) => resume === true && flag?.group === group)
      .map((row) => flagOfRow(row)),
    ...group === "Who speaks:" ? [ALLOW_BASE_URL, ADVOCATE_MODEL, JUDGE_MODEL] : [],
  ])
);

export const RESUME_FLAGS: FlagList = [
  ...CHANGED,
  ...grouped("A paper debate without its question yet:", [
    reworded(QUESTION, "what is debated"),
    reworded(PAPER_PICK, "the number of the question to debate, of those proposed for the papers"),
  ]),
  ...grouped("A paper debate:", [settingFlag("retrieval"), EMBEDDING_MODEL]),
];

export const SAY_FLAGS: FlagList = [AS, SAY_FILE, INTERJECT, ...CHANGED];

export const QUICK = toggle("--quick", "ask only a third of the questions");

export const JUDGE_CHECK_FLAGS: FlagList = grouped("judge check:", [QUICK, DRY_RUN, OUT]);

export const JUDGE_FLAGS: FlagList = [
  ...grouped("The panel:", [
    reworded(
      RUBRIC,
      "the rubric to score by: a built-in one or a YAML file (default: debate; for papers: conceptual)",
    ),
    reworded(MODEL, "the judge's model (default: the convening's)"),
    reworded(
      JUDGE_MODEL,
      "a judge's model, instead of --model; give it once for each judge (repeatable)",
    ),
    JUDGE_TEMPERATURE,
    VERDICT_REPEATS,
    BASE_URL,
    ALLOW_BASE_URL,
  ]),
  ...grouped(
    "Limits:",
    ["limits.maxTokens", "limits.maxCost", "limits.maxDuration", "retry.maxRetryAfter"]
      .map((key) => settingFlag(key)),
  ),
  ...JUDGE_CHECK_FLAGS,
];

/** The flags of `topics`, without the number of topics. */
export const TOPIC_FLAGS: FlagList = [
  reworded(MODEL, "the model that proposes (default: gpt-4o-mini with a key, else offline)"),
  BASE_URL,
  reworded(settingFlag("temperature"), "the model's temperature, 0 to 2"),
  reworded(SEED, "the model's seed; offline, the same seed gives the same topics"),
  MAX_WAIT,
];
