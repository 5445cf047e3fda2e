import { wordsOf } from "./domains.ts";

/** How a persona looks at a question: sentences in its own manner. */
interface Lens {
  readonly words: readonly string[];
  readonly says: readonly string[];
}

const LENSES: readonly Lens[] = [
  {
    words: ["scientist", "science", "empirical", "hypothesis", "researcher"],
    says: [
      "[treat|take] {it} as a hypothesis: it [predicts|implies] something that {who} could [observe|measure], and a [prediction|claim] that can fail is worth [more|far more] than one that cannot",
      "I would [want|need] to see [one variable|a single condition] changed at a time before I [drew|trusted] any conclusion about {stake}, and {who} would make a [fair|natural] control",
      "[correlation|mere coincidence] is not [cause|mechanism], and with {stake} it is the [mechanism|causal step] that has to be [shown|named] to {who}",
      "the [evidence|observation] that would [change|overturn] my mind about {it} is easy to [state|describe]: {who} would [report|show] no difference after a [fair|proper] trial",
    ],
  },
  {
    words: ["philosopher", "philosophy", "philosophical", "ethics", "ethical", "ethicist", "moral"],
    says: [
      "[beneath|behind] the practical question lies a [moral|prior] one: what do we [owe|mean to] {who}, and could we [justify|defend] {it} to each of them [in turn|face to face]",
      "[consider|try] a thought experiment: if you did not know whether you would be among {who}, which [rule|answer] about {stake} would you [choose|will]",
      "we should [examine|question] the assumption that what is [useful|customary] is also [right|good], for {stake} may [ask|require] more of us than {who} would [demand|claim]",
      "to [treat|use] {who} merely as a [means|number] in someone's [sum|plan] would be a [wrong|mistake] that no [outcome|benefit] for {stake} [undoes|excuses]",
    ],
  },
  {
    words: ["economist", "economics", "economic", "incentives", "markets"],
    says: [
      "[think|ask] at the margin: what would one [more|further] step towards {it} cost {who}, and what would it [yield|return] in {stake}",
      "every choice about {it} has an opportunity cost, and {who} [pay|meet] it in [time|money] that could have gone [elsewhere|to other ends]",
      "incentives [do|perform] the [quiet|steady] work here: [change|alter] what {who} [gain|pay] and their conduct [shifts|moves], whatever they [profess|intend] about {stake}",
      "a price that does not [include|cover] {stake} is a wrong price, and {who} [settle|pay] the [difference|remainder]",
    ],
  },
  {
    words: ["engineer", "engineering", "technician", "systems"],
    says: [
      "as a matter of design, {it} should be [judged|tested] by how it [fails|degrades]: a [good|robust] system [warns|protects] {who} before it breaks",
      "I would [ask|look] first for the [bottleneck|weakest part], and where {stake} is concerned it is [where|the place where] {who} [wait|improvise]",
      "[specify|state] the requirement before [choosing|praising] the solution: {who} need {stake} under [load|real conditions], not on a [good|quiet] day",
      "a [prototype|pilot] of {it}, [tested|run] with {who} and [measured|logged] against a [baseline|clear requirement], would [tell|teach] us more than [another|one more] argument",
    ],
  },
  {
    words: ["lawyer", "legal", "attorney", "jurist", "advocate's", "barrister"],
    says: [
      "the [burden|standard] of proof should be [stated|fixed] first, and where the rights of {who} are [touched|engaged] by {it}, the [standard|burden] is [high|not light]",
      "a rule must be [general|public] and [clear|knowable] enough for {who} to [obey|rely on] it, and I [read|test] {it} with that [requirement|principle] in mind",
      "I would [ask|want to know] how {it} reads in the [hardest|least friendly] case, because {who} will be [governed|bound] by its [wording|text] and not by its [spirit|preamble]",
      "[proportionality|due process] is the [test|word] here: is there a [lesser|milder] means to protect {stake}, and were {who} [heard|given notice]",
    ],
  },
  {
    words: ["historian", "history", "historical", "archivist"],
    says: [
      "the longer past [suggests|teaches] [caution|care] about anything called inevitable: {who} have [seen|outlived] many certainties about {stake}",
      "[arrangements|institutions] have [origins|beginnings], and to [ask|know] who [wanted|made] this one, and what {who} [lost|gained] by it, is to see {it} [differently|in its time]",
      "what [looks|appears] [new|unheard-of] in {it} is [usually|often] an old [quarrel|question] about {stake} in [modern|fresh] dress, and {who} would [know|recognise] it",
      "[continuity|slow change] is [easily|often] missed because it makes no [noise|headlines], yet {stake} has been [shaped|carried] by it, and so have {who}",
    ],
  },
];

const OWN: readonly string[] = [
  "speaking as {persona}, I [notice|look] first [for|at] what {it} [means|would mean] to {who}",
  "[I come|coming] to this as {persona}, and [from there|so] {stake} is not a [side issue|detail]",
  "as {persona} I have [learnt|come] to [distrust|be wary of] any answer about {stake} that {who} would not [understand|recognise]",
  "someone who [thinks|sees things] as {persona} does will [ask|want to know] what {it} [does|would do] to {who} before [asking|hearing] anything else",
];

/** The sentences a persona adds, and the noun phrase it is introduced by; none without a persona. */
export function lensOf(
  persona: string | undefined,
): { readonly says: readonly string[]; readonly name: string } {
  if (persona === undefined || persona.trim() === "") return { says: [], name: "" };
  const words = wordsOf(persona);
  const counts = LENSES.map((lens) =>
    words.filter((word) => lens.words.includes(word)).length +
    (words.includes(lens.words[0]!) ? 3 : 0)
  );
  const most = Math.max(...counts);
  const name = nameOf(persona);
  if (most > 0) {
    const says = LENSES[counts.indexOf(most)]!.says;
    return { says: name === "" ? says : [...says, OWN[0]!], name };
  }
  return { says: name === "" ? [] : OWN, name };
}

/** The first “a …” or “an …” of a persona's text: “a retired nurse from a mining town”. */
function nameOf(persona: string): string {
  const match = /\b(an?) ((?:[\p{L}'’-]+ ?){1,8})/iu.exec(persona);
  if (match === null) return "";
  const kept = match[2]!.trim().split(" ");
  const stop = kept.findIndex((word) => /^(who|that|which|and|whose|with|you|your)$/iu.test(word));
  const words = stop === -1 ? kept : kept.slice(0, stop);
  return words.length === 0 ? "" : `${match[1]!.toLowerCase()} ${words.join(" ")}`;
}
