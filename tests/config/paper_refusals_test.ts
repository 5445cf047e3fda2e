// Invalid paper debates are rejected.
import { join } from "@std/path";
import { OTHER_PAPER, PAPER } from "./support/paper_holding.ts";
import { file, FOLDER } from "./support/files.ts";
import { type Refusal, refusalOf, testRefusals } from "./support/refusals.ts";

const FILES = {
  damaged: await file("damaged.pdf", "%PDF-1.7\nnothing else"),
  misnamed: await file("misnamed.pdf", "# Trees\n\nThey cool streets."),
  blank: await file("blank.txt", " \n\n\t\n"),
};

const refused = refusalOf("paper-debate");

/** Returns a case of an unreadable paper. */
function unreadable(what: string, path: string, says: RegExp, allows: RegExp): Refusal {
  const rest = { field: "papers", says, allows, code: "paper_unreadable" };
  return refused(what, { papers: [PAPER, path] }, rest);
}

const one = (name: string, role?: string) => ({
  id: name.toLowerCase(),
  name,
  ...role === undefined ? {} : { role },
});
const cast = (...roles: readonly (string | undefined)[]) => ({
  participants: roles.map((role, index) => one(`Person${index}`, role)),
});

/** Unreadable files. */
const MATERIAL: readonly Refusal[] = [
  unreadable("a paper that is not there", join(FOLDER, "no.md"), /no\.md": there is no/, /PDF/),
  unreadable("a damaged PDF", FILES.damaged, /damaged\.pdf": it is damaged/, /\w/),
  unreadable(
    "a text named as a PDF",
    FILES.misnamed,
    /it is not a PDF, though/,
    /extension of its format/,
  ),
  unreadable("a blank file", FILES.blank, /blank\.txt": its text is empty/, /PDF/),
  refused("one title for two papers", { papers: [PAPER, OTHER_PAPER], title: "Weeks" }, {
    field: "title",
    says: /one title for 2 papers/,
    allows: /Leave the title out, or give one paper/,
  }),
];

/** Invalid questions, postures and topics. */
const MATTER: readonly Refusal[] = [
  refused("a question beside a pick", { pick: 2 }, {
    field: "pick",
    says: /pick 2: the question was given/,
    allows: /Leave question out/,
  }),
  refused("a question that a person is to pick too", { pick: "ask" }, {
    field: "pick",
    says: /pick ask: the question was given/,
    allows: /leave pick out/,
  }),
  ...([["short", "Why so?", /7 characters, 10 to 1,000/], [
    "blank",
    " ".repeat(12),
    /0 characters, 10 to 1,000/,
  ], [
    "of control characters",
    "To what extent\u0007do trees cool streets?",
    /control character/,
  ]] as const).map(([what, question, says]) =>
    refused(`a question that is ${what}`, { question }, { field: "question", says, allows: /\w/ })
  ),
];

/** Invalid participants. */
const CAST: readonly Refusal[] = [
  refused("postures against the number of debaters", { postures: 3 }, {
    field: "postures",
    says: /Cannot take 3 postures: 2 debaters take part/,
    allows: /Leave postures out, or give as many as debaters/,
  }),
  refused("one debater", cast("questioner", undefined), {
    field: "participants",
    says: /of 1 debaters/,
    allows: /2 to 8/,
  }),
  refused("nine debaters", cast(...Array.from({ length: 9 }, () => undefined)), {
    field: "participants",
    says: /of 9 debaters/,
    allows: /2 to 8/,
  }),
  ...["moderator", "position_advocate", "participant", "jester", "judge"].map((role) =>
    refused(`the role ${role}`, cast(undefined, undefined, role), {
      field: "participants",
      says: new RegExp(`"Person2" a part in a paper debate: its role is ${role}`),
      allows: /debater, and at most one questioner, reporter and fact_checker; judges are listed/,
    })
  ),
  ...["questioner", "reporter"].map((role) =>
    refused(`two of the role ${role}`, cast(undefined, undefined, role, role), {
      field: "participants",
      says: new RegExp(`two of the role ${role}`),
      allows: /at most one/,
    })
  ),
  ...["person0", "questioner", "reporter"].map((id) =>
    refused(`a judge of the id ${id}`, { ...cast(undefined, undefined), judges: [{ id }] }, {
      field: "judges",
      says: new RegExp(`judge id "${id}": it is taken`),
      allows: /an id of its own/,
    })
  ),
];

/** Unknown rubrics. */
const RUBRICS = [{ rubric: "splendid" }, { judges: [{ rubric: "splendid" }] }].map((given) =>
  refused(`an unknown rubric in ${Object.keys(given)[0]}`, given, {
    field: "rubric",
    says: /"splendid"/,
    allows: /Built in: debate, academic/,
  })
);

testRefusals([...MATERIAL, ...MATTER, ...CAST, ...RUBRICS]);
