// Effects of keys about guards and fact checks.
import type { FactCheck } from "../../../protocol.ts";
import { finding, startSearchServer } from "../../support/search_server.ts";
import assert from "node:assert/strict";
import { differs, type KeyCase, shows, withValue } from "../support/key_case.ts";
import {
  hold,
  type HoldOptions,
  type Kind,
  person,
  type Seen,
  type Settings,
  settingsOf,
} from "../support/holding.ts";
import type { ModelServerOptions } from "../../support/model_server.ts";
import { bodyOf } from "../../support/talkers.ts";
import { rejectedBy, wordy } from "./turn_cases.ts";

/** Returns a guard's effect: rejected, marked, or none. */
function done(guard: string, mark: string): (seen: Seen) => string {
  return (seen) => {
    if (rejectedBy(seen, guard).length > 0) return "rejected";
    return seen.messages.some(({ marks }) => marks.some((each) => each === mark))
      ? "marked"
      : "nothing";
  };
}

/** Repeated speech; in a paper debate so long that the rest of an argument does not matter. */
const SAME = (kind: Kind): HoldOptions => ({
  speech: () =>
    "Private cars take the room that people need in a centre. "
      .repeat(kind === "paper-debate" ? 40 : 1),
});
const SOMEWHAT: HoldOptions = {
  speech: ({ context: { key, attempt } }) =>
    `Private cars take the room that people need. ${`${key} ${attempt} `.repeat(6)}`,
};
/** Incoherent speech; a paper debate's argument has the topics as headings and is therefore always coherent. */
const ASTRAY = (kind: Kind): HoldOptions => ({
  speech: ({ context: { key, participant, ...context } }) =>
    participant === "ada" && (kind !== "paper-debate" || context.kind === "cross_examination")
      ? "Marmalade sings to violet oceans while the lemons dream of chess and of porcelain spoons."
      : `Private cars take the room that the people in our cities need (${key}).`,
});
const FRUIT: HoldOptions = { speech: ({ context: { key } }) => `${key}: bananas for the cities.` };

const repeats = done("repetition", "repeated");
const strays = done("coherence", "off_topic");
const saysIt = done("refused_terms", "refused_term");

/** Keys of guards. */
const GUARD_CASES: readonly KeyCase[] = [
  differs({
    key: "guards/repetition",
    changes: "what is done about turns that say the same again",
    base: { guards: { coherence: "off" } },
    value: "off",
    held: SAME,
    of: repeats,
    is: ["rejected", "nothing"],
  }),
  differs({
    key: "guards/repetition/mode",
    changes: "whether such turns are turned down or only marked",
    base: { guards: { repetition: {}, coherence: "off" } },
    value: "warn",
    held: SAME,
    of: repeats,
    is: ["rejected", "marked"],
  }),
  differs({
    key: "guards/repetition/threshold",
    changes: "how alike two turns may be",
    base: { guards: { repetition: {}, coherence: "off" } },
    value: 0.2,
    held: SOMEWHAT,
    of: repeats,
    is: ["nothing", "rejected"],
  }),
  differs({
    key: "guards/coherence",
    changes: "what is done about turns off the topic",
    base: { guards: { repetition: "off" } },
    value: "reject",
    held: ASTRAY,
    of: strays,
    is: ["nothing", "rejected"],
  }),
  differs({
    key: "guards/coherence/mode",
    changes: "whether such turns are turned down",
    base: { guards: { repetition: "off", coherence: { mode: "reject" } } },
    value: "off",
    held: ASTRAY,
    of: strays,
    is: ["rejected", "nothing"],
  }),
  differs({
    key: "guards/coherence/threshold",
    changes: "how far from the topic a turn may be",
    base: { guards: { repetition: "off", coherence: {} } },
    value: 0,
    held: ASTRAY,
    of: strays,
    is: ["marked", "nothing"],
  }),
  differs({
    key: "guards/refusedTerms",
    changes: "whether refused terms may be said",
    base: { refusedTerms: ["bananas"], guards: { repetition: "off", coherence: "off" } },
    value: "off",
    held: FRUIT,
    of: saysIt,
    is: ["rejected", "nothing"],
  }),
  differs({
    key: "guards/refusedTerms/mode",
    changes: "whether a turn with a refused term is only marked",
    base: { guards: { repetition: "off", refusedTerms: { terms: ["bananas"] } } },
    value: "warn",
    held: FRUIT,
    of: saysIt,
    is: ["rejected", "marked"],
  }),
  differs({
    key: "guards/refusedTerms/terms",
    changes: "which terms may not be said",
    base: { guards: { repetition: "off", refusedTerms: {} } },
    value: ["bananas"],
    held: FRUIT,
    of: saysIt,
    is: ["nothing", "rejected"],
  }),
  differs({
    key: "guards/length",
    changes: "what is done about turns of too few words",
    base: { words: { min: 200, max: 400 } },
    value: "warn",
    held: wordy(50),
    of: done("length", "too_short"),
    is: ["rejected", "marked"],
  }),
  differs({
    key: "guards/persona",
    changes: "whether turns are compared with their speaker's persona",
    base: {
      // This cast's agents are handed in: a fact checker without a judge or a moderator needs a model.
      model: "offline",
      participants: [person("Ada", { persona: "Speaks like a nurse." }), person("Ben")],
    },
    value: "warn",
    of: ({ facts }) =>
      facts.some((fact) => fact.type === "choice" && fact.kind === "persona_check"),
    is: [false, true],
  }),
];

function checks({ facts }: Seen): FactCheck[] {
  return facts.filter((fact): fact is FactCheck => fact.type === "fact-check");
}

/** Returns the model that was asked for a reply with a schema's name. */
export function modelOf({ bodies }: Seen, name: string): string | undefined {
  return bodies.find(({ response_format: format }) => format?.json_schema?.name === name)?.model;
}

const CLAIMS = Array.from(
  { length: 5 },
  (_, index) => ({ text: `Trams carry ${index + 2} people.` }),
);
const VERA = {
  participants: [person("Ada"), person("Ben"), { id: "vera", name: "Vera", role: "fact_checker" }],
};
const CLAIMING: HoldOptions = {
  say: ({ context }) =>
    context.kind === "claims"
      ? {
        text: JSON.stringify({
          claims: CLAIMS.map((claim) => ({ quote: bodyOf(context), ...claim })),
        }),
      }
      : undefined,
};

/** Returns replies of a fact checker that refutes every claim. */
export function refuting(confidence: number): HoldOptions["say"] {
  const text = JSON.stringify({
    reason: "So it says.",
    verdict: "false",
    confidence,
    sources: [1],
  });
  return (request) => request.context.kind === "claim_verdict" ? { text } : CLAIMING.say?.(request);
}

/** Keys of fact checks. */
const FACT_CASES: readonly KeyCase[] = [
  differs({
    key: "factCheck/mode",
    changes: "whether and how claims are checked",
    base: VERA,
    value: "strict",
    held: CLAIMING,
    of: (seen) => [...new Set(checks(seen).map(({ mode }) => mode))],
    is: [["standard"], ["strict"]],
  }),
  differs({
    key: "factCheck/maxClaims",
    changes: "how many claims of a turn are checked",
    base: VERA,
    value: 2,
    held: CLAIMING,
    of: (seen) => Math.max(...checks(seen).map(({ claims }) => claims.length)),
    is: [5, 2],
  }),
  shows({
    key: "factCheck/rejectFrom",
    changes: "how sure a check must be for a turn to be said again",
    async check(kind) {
      await using search = await startSearchServer({ otherwise: finding("Trams are slow.") });
      const settings = settingsOf(kind, {
        ...VERA,
        factCheck: { mode: "strict", searchUrl: search.url },
      });
      const say = refuting(0.6);
      assert.equal(rejectedBy(await hold(settings, { say }), "facts").length, 0);
      const sure = await hold(withValue(settings, "factCheck/rejectFrom", 0.5), { say });
      assert.ok(rejectedBy(sure, "facts").length > 0);
    },
  }),
  shows({
    key: "factCap",
    kinds: ["debate", "paper-debate"],
    changes: "whether refuted claims cap the numbers for evidence",
    async check(kind) {
      await using search = await startSearchServer({ otherwise: finding("Trams are slow.") });
      const rubric = kind === "debate" ? "debate" : "academic";
      const settings = settingsOf(kind, { ...VERA, rubric, factCheck: { searchUrl: search.url } });
      const capped = async (given: Settings) => {
        const { facts } = await hold({ ...settings, ...given }, { say: refuting(0.9) });
        return facts.some((fact) => fact.type === "score" && fact.judged !== undefined);
      };
      assert.deepEqual([await capped({}), await capped({ factCap: false })], [true, false]);
    },
  }),
  differs({
    key: "factCheck/extractionModel",
    changes: "the model that finds the claims",
    base: { factCheck: {} },
    value: "finder",
    held: { server: {} },
    of: (seen) => modelOf(seen, "claims"),
    is: ["one", "finder"],
  }),
  shows({
    key: "factCheck/verificationModel",
    changes: "the model that judges the claims",
    async check(kind) {
      await using search = await startSearchServer({ otherwise: finding("Trams are fast.") });
      const settings = settingsOf(kind, { factCheck: { searchUrl: search.url } });
      const respond: ModelServerOptions["respond"] = ({ body }) => {
        const name = body.response_format?.json_schema?.name;
        const last = body.messages.at(-1)?.content ?? "";
        const quote = /<statement>\n([^]*)\n<\/statement>/.exec(last)?.[1];
        return name === "claims" ? { json: { claims: [{ quote, text: "Trams are fast." }] } } : {};
      };
      const sample = (path: string) => path === "sources" ? [1] : undefined;
      const server = { respond, sample };
      const before = await hold(settings, { server });
      assert.equal(modelOf(before, "claim_verdict"), "one");
      const after = await hold(withValue(settings, "factCheck/verificationModel", "judge"), {
        server,
      });
      assert.equal(modelOf(after, "claim_verdict"), "judge");
    },
  }),
  shows({
    key: "factCheck/searchUrl",
    changes: "the server that claims are looked up on",
    async check(kind) {
      await using search = await startSearchServer({ otherwise: finding("Trams are fast.") });
      const settings = settingsOf(kind, { ...VERA, factCheck: {} });
      const before = await hold(settings, CLAIMING);
      const { reason = "" } = checks(before)[0]!;
      // Claims in a paper debate are looked up in the papers too.
      if (kind === "paper-debate") assert.equal(reason, "");
      else assert.match(reason, /\w/, "the record says why nothing was found");
      assert.equal(search.requests.length, 0);
      await hold(withValue(settings, "factCheck/searchUrl", search.url), CLAIMING);
      assert.ok(search.requests.some(({ query }) => query === CLAIMS[0]!.text));
    },
  }),
];

/** Keys of guards and fact checks. */
export const CHECK_CASES: readonly KeyCase[] = [...GUARD_CASES, ...FACT_CASES];
