// Contradictory settings are rejected.
import { type Kind, person, type Settings } from "./support/holding.ts";
import { type Refusal, refusalOf, testRefusals } from "./support/refusals.ts";
import { RUBRIC } from "./support/whole.ts";

const TWO = [person("Ada"), person("Ben")];
const CHAIR = { id: "mo", name: "Mo", role: "moderator" };
const CHECKER = { id: "vera", name: "Vera", role: "fact_checker" };
/** The hint of a setting that contradicts others. */
const LEFT_OUT = /Leave it out, or change what it contradicts/;
const NOBODY = { participants: undefined };

/** Returns a role that has a template in a kind. */
function roleOf(kind: Kind): string {
  return kind === "paper-debate" ? "debater" : "moderator";
}

const [dialogue, consensus, debate] = [
  refusalOf("dialogue"),
  refusalOf("consensus"),
  refusalOf("debate"),
];

/** Contradictions among participants. */
const CAST: readonly Refusal[] = [
  ...(["debate", "paper-debate"] as const).flatMap((kind) => {
    const refused = refusalOf(kind);
    return [
      refused("two participants of one name", {
        participants: [person("Ada"), { ...person("Ben"), name: "ada" }],
      }, { field: "participants", says: /two have the name "ada"/, allows: /name of its own/ }),
      refused("two participants of one id", {
        participants: [person("Ada"), { ...person("Ben"), id: "ada" }],
      }, { field: "participants", says: /two have the id "ada"/, allows: /id of its own/ }),
      refused("a shortest wait over the longest one", { retry: { minWait: 2000, maxWait: 1000 } }, {
        field: "retry.minWait",
        says: /retry\.minWait 2000: it is over retry\.maxWait, which is 1000/,
        allows: /at most 1000/,
      }),
      ...(["extractionModel", "verificationModel", "searchUrl"] as const).filter((key) =>
        // Debaters of a paper debate search the web with or without fact checks.
        key !== "searchUrl" || kind !== "paper-debate"
      ).map((key) => {
        const value = key === "searchUrl" ? "http://127.0.0.1:9/" : "ollama:other";
        return refused(
          `${key} and no fact checking`,
          { factCheck: { mode: "off", [key]: value } },
          {
            field: `factCheck.${key}`,
            says: new RegExp(`factCheck\\.${key} "${value}" with factCheck\\.mode "off"`),
            allows: /"standard" or "strict"/,
          },
        );
      }),
      refused("two fact checkers", {
        participants: [...TWO, CHECKER, { ...CHECKER, id: "will", name: "Will" }],
      }, { field: "participants", says: /2 fact checkers/, allows: /one participant at most/ }),
      refused("a fact checker with the id of a speaker", {
        participants: [...TWO, { ...CHECKER, id: TWO[0]!.id }],
      }, { field: "participants", says: /two have the id "ada"/, allows: /an id of its own/ }),
      refused("a fact checker and no fact checking", {
        participants: [...TWO, CHECKER],
        factCheck: { mode: "off" },
      }, {
        field: "factCheck.mode",
        says: /factCheck\.mode "off": "Vera"/,
        allows: /"standard" or "strict"/,
      }),
      refused("a name of more than 1,000 characters", {
        participants: [...TWO, person("x".repeat(1001), { id: "x" })],
      }, {
        field: "participants.2.name",
        says: /^Cannot use participants\.2\.name: it has 1,001 characters, 1 to 1,000/,
        allows: /1 to 1,000/,
      }),
      ...kind === "paper-debate" ? [] : [
        refused("a position with a control character", {
          participants: [...TWO, person("Cleo", { position: "a\u0007b" })],
        }, {
          field: "participants.2.position",
          says: /^Cannot use participants\.2\.position: .*control characters/,
          allows: /Line breaks are allowed/,
        }),
      ],
      refused("a model of a provider that there is none of", { model: "nowhere:small" }, {
        field: "model",
        says: /"nowhere:small".*no provider "nowhere"/,
        allows: /\w/,
        held: { byName: "all" },
      }),
      refused("a hosted model without its key", { model: "openrouter:vendor/model" }, {
        field: "model",
        says: /OPENROUTER_API_KEY is not set/,
        allows: /Set OPENROUTER_API_KEY/,
        held: { byName: "all" },
      }),
      refused("maxCost with a model of unknown price", { limits: { maxCost: 1 } }, {
        field: "limits.maxCost",
        says: /model "mystery" has no price/,
        allows: /prices\.models\."mystery"/,
        held: { model: "mystery" },
      }),
      refused("a template that there is none of", { prompts: { anthem: "Sing." } }, {
        field: "prompts.anthem",
        says: /"anthem"/,
        allows: kind === "paper-debate" ? /Templates: .*debater/ : /Templates: .*moderator/,
      }),
      refused("a template with an unknown placeholder", {
        prompts: { [roleOf(kind)]: "You are {who}." },
      }, {
        field: `prompts.${roleOf(kind)}`,
        says: new RegExp(`"${roleOf(kind)}": unknown placeholder \\{who\\}`),
        allows: /\{topic\} \{position\} \{name\}/,
      }),
    ];
  }),
  dialogue("a moderator's model without a moderator", { moderatorModel: "offline" }, {
    field: "moderatorModel",
    says: /there is no moderator/,
    allows: LEFT_OUT,
  }),
  dialogue("two moderators that select", {
    select: "moderator",
    participants: [...TWO, CHAIR, { ...CHAIR, id: "mi", name: "Mi" }],
  }, {
    field: "select",
    says: /2 moderators and 2 others/,
    allows: /one participant the role moderator/,
  }),
  dialogue("a moderator that selects among one", {
    select: "moderator",
    participants: [person("Ada"), CHAIR],
  }, {
    field: "select",
    says: /1 moderator and 1 other$/,
    allows: /two or more others/,
  }),
  consensus(
    "two moderators",
    { participants: [...TWO, CHAIR, { ...CHAIR, id: "mi", name: "Mi" }] },
    { field: "participants", says: /2 moderators and 2 other/, allows: /at most one/ },
  ),
  consensus("one participant besides the moderator", { participants: [person("Ada"), CHAIR] }, {
    field: "participants",
    says: /1 moderator and 1 other participant$/,
    allows: /two or more/,
  }),
];

/** Contradictions among the participants of a debate. */
const SIDES: readonly Refusal[] = [
  debate("two names that differ in their accent's form", {
    participants: [person("Ada", { name: "\u00c9va" }), person("Ben", { name: "E\u0301va" })],
  }, { field: "participants", says: /two have the name/, allows: /name of its own/ }),
  debate("positions beside participants", { positions: ["Yes", "No"] }, {
    field: "positions",
    says: /positions with participants/,
    allows: LEFT_OUT,
  }),
  debate("positions beside participants with a preset", {
    preset: "pro-con",
    positions: ["Yes", "No"],
  }, { field: "positions", says: /positions with participants/, allows: LEFT_OUT }),
  debate("two equal positions", { ...NOBODY, positions: ["Yes", "yes "] }, {
    field: "positions",
    says: /same position/,
    allows: /position of its own/,
  }),
  debate("a position of 1,001 characters", { ...NOBODY, positions: ["x".repeat(1001), "y"] }, {
    field: "positions.0",
    says: /1,001 characters/,
    allows: /1 to 1,000/,
  }),
  debate("a preset's position of 1,001 characters", {
    ...NOBODY,
    preset: "alternating",
    positions: ["x", "y".repeat(1001)],
  }, { field: "positions.1", says: /1,001 characters/, allows: /1 to 1,000/ }),
  debate("three advocates, one without a position", { participants: [...TWO, { name: "Cleo" }] }, {
    field: "participants.2.position",
    says: /"Cleo": it has no position/,
    allows: /stands for/,
  }),
  debate("a part it has not", { participants: [...TWO, person("Cleo", { role: "jester" })] }, {
    field: "participants",
    says: /"Cleo".*jester/,
    allows: /position_advocate/,
  }),
  debate("two moderators", { participants: [...TWO, CHAIR, { ...CHAIR, id: "mi", name: "Mi" }] }, {
    field: "participants",
    says: /2 moderators and 2 advocates/,
    allows: /at most one moderator/,
  }),
  debate("one advocate", { participants: [person("Ada"), CHAIR] }, {
    field: "participants",
    says: /1 moderator and 1 advocate$/,
    allows: /two or more/,
  }),
  debate("a moderator that moderates nothing", {
    moderation: "none",
    participants: [...TWO, CHAIR],
  }, { field: "moderation", says: /moderation "none"/, allows: LEFT_OUT }),
  debate("self-play with two models", {
    preset: "self-play",
    participants: [person("Ada", { model: "one" }), person("Ben", { model: "other" })],
  }, {
    field: "participants",
    says: /"Ada" has model "one", "Ben" has model "other"/,
    allows: /one model/,
    held: { byName: "all" },
  }),
  debate("three sides of a preset of two", {
    ...NOBODY,
    preset: "alternating",
    positions: ["A", "B", "C"],
  }, { field: "participants", says: /3 sides with preset "alternating"/, allows: /2 advocates/ }),
];

/** Settings of which the first contradicts the others. */
const LEFT_OUT_ALONE: readonly (readonly [given: Settings, says: RegExp])[] = [
  [{ interruptions: "rules", moderation: "none" }, /interruptions "rules": there is no moderator/],
  [{ interruptions: "facts", moderation: "none" }, /interruptions "facts": there is no moderator/],
  [{ interruptions: "format", moderation: "none" }, /"format": there is no moderator/],
  [{ interruptions: "facts" }, /interruptions "facts": claims are not checked/],
  [{ interruptions: "both" }, /interruptions "both": claims are not checked/],
  [{ adaptive: true, moderation: "none" }, /adaptive true/],
  [{ summaryBy: "moderator", moderation: "none" }, /summaryBy "moderator"/],
  [{ summaryBy: "judge", scoringEnabled: false }, /summaryBy "judge" with scoringEnabled false/],
  [{ scoreBy: "round", scoringEnabled: false }, /scoreBy "round" with scoringEnabled false/],
  [{ baseline: true, scoringEnabled: false }, /baseline true with scoringEnabled false/],
  [{ verdictRepeats: 1, scoringEnabled: false }, /verdictRepeats 1 with scoringEnabled false/],
  [{ tiebreakModel: "offline", decision: "audience" }, /decision "audience"/],
  [
    { judges: [{ id: "jo" }], scoringEnabled: false },
    /Cannot use judges with scoringEnabled false/,
  ],
  [{ rubric: "academic", scoringEnabled: false }, /rubric "academic" with scoringEnabled false/],
  [{ rubric: RUBRIC, scoringEnabled: false }, /rubric "plain" with .* false: there is no judge/],
  [{ judgeTemperature: 0.5, scoringEnabled: false }, /judgeTemperature 0\.5 with .* no judge/],
  [{ tiebreakModel: "offline", scoringEnabled: false }, /tiebreakModel "offline" with .* no judge/],
  [{ moderatorModel: "offline", moderation: "none" }, /"offline": there is no moderator/],
  [{ moderatorModel: "offline", preset: "alternating" }, /"offline": there is no moderator/],
  [{ noteModel: "offline" }, /noteModel "offline": no notes are taken/],
  [
    { pacing: "simultaneous", exchange: "alternating" },
    /"simultaneous" with exchange "alternating"/,
  ],
  [
    { roundCount: 0, openings: false, closings: false },
    /roundCount 0 without openings and closings/,
  ],
];

/** Contradictions among rules. */
const RULES: readonly Refusal[] = [
  ...([
    ["alternating", "exchange", "rebuttals"],
    ["alternating", "openings", true],
    ["alternating", "moderation", "model"],
    ["pro-con", "exchange", "alternating"],
    ["pro-con", "closings", true],
    ["oxford", "decision", "judges"],
  ] as const).map(([preset, key, value]) =>
    debate(`${key} ${value} with preset ${preset}`, { preset, [key]: value }, {
      field: key,
      says: new RegExp(`${key} ${JSON.stringify(value)} with preset "${preset}"`),
      allows: /leave the preset out/,
    })
  ),
  ...LEFT_OUT_ALONE.map(([given, says]) =>
    debate(JSON.stringify(given), given, {
      field: Object.keys(given)[0]!,
      says,
      allows: LEFT_OUT,
    })
  ),
  ...([
    ["of one id", [{ id: "jo" }, { id: "jo" }], "jo"],
    ["with a participant's id", [{ id: "ada" }], "ada"],
  ] as const).map(([what, judges, id]) =>
    debate(`judges ${what}`, { judges }, {
      field: "judges",
      says: new RegExp(`judge id "${id}": it is taken`),
      allows: /Give each judge an id of its own/,
    })
  ),
];

const [FIRST, SECOND] = RUBRIC.criteria;

/** Contradictions in custom rubrics. */
const RUBRICS: readonly Refusal[] = [
  ...["rubric", "judges"].flatMap((key) => {
    const given = (rubric: unknown) => key === "rubric" ? { rubric } : { judges: [{ rubric }] };
    const refused = (what: string, rubric: unknown, says: RegExp, allows = /weights sum to 1/) =>
      debate(`${what} in ${key}`, given(rubric), { field: "rubric", says, allows });
    return [
      refused(
        "weights that sum to 0.9",
        { ...RUBRIC, criteria: [FIRST, { ...SECOND, weight: 0.4 }] },
        /"plain": its weights sum to 0\.9, not to 1/,
      ),
      refused("a scale that falls", { ...RUBRIC, scale: [10, 0] }, /scale 10 to 0 does not rise/),
      refused("two equal criteria", { ...RUBRIC, criteria: [FIRST, FIRST] }, /the same id/),
      refused(
        "a criterion that is no name",
        { ...RUBRIC, criteria: [{ ...FIRST, weight: 1, id: "Plain!" }] },
        /"Plain!" is not in snake_case/,
      ),
      refused(
        "an anchor outside the scale",
        { ...RUBRIC, anchors: [{ from: 11, means: "Much." }] },
        /from 11, which is outside the scale of 0 to 10/,
        /within the scale/,
      ),
      refused(
        "an anchor twice",
        { ...RUBRIC, anchors: [5, 7, 5].map((from) => ({ from, means: "So." })) },
        /from 5, which is in anchors twice/,
        /number of its own/,
      ),
      refused("a built-in rubric's id", { ...RUBRIC, id: "academic" }, /"academic"/, /of its own/),
      refused("an unknown rubric", "splendid", /"splendid"/, /Built in: debate, academic/),
    ];
  }),
  debate("two rubrics of one id", {
    judges: [{ rubric: RUBRIC }, { rubric: { ...RUBRIC, scale: [0, 5] } }],
  }, { field: "rubric", says: /two judges have different rubrics/, allows: /id of its own/ }),
];

testRefusals([...CAST, ...SIDES, ...RULES, ...RUBRICS]);
