import { wordsOf } from "./domains.ts";

/** How a persona looks at a question: sentences in its own manner. */
interface Lens {
  /** The words by which it is told, its name first. */
  readonly words: readonly string[];
  /** Words that it uses and others seldom do. */
  readonly terms: readonly string[];
  readonly says: readonly string[];
  /** Further sentences; none is like one of the others. */
  readonly adds: readonly string[];
}

const LENSES: readonly Lens[] = [
  {
    words: ["scientist", "science", "empirical", "hypothesis", "researcher"],
    terms:
      "hypothesis evidence sample control effect confounder replication uncertainty measure measured observe observation mechanism correlation trial predicts variable test tested"
        .split(" "),
    says: [
      "[treat|take] {it} as a hypothesis: it [predicts|implies] something that {who} could [observe|measure], and a [prediction|claim] that can fail is worth [more|far more] than one that cannot",
      "I would [want|need] to see [one variable|a single condition] changed at a time before I [drew|trusted] any conclusion about {stake}, and {who} would make a [fair|natural] control",
      "[correlation|mere coincidence] is not [cause|mechanism], and with {stake} it is the [mechanism|causal step] that has to be [shown|named] to {who}",
      "the [evidence|observation] that would [change|overturn] my mind about {it} is easy to [state|describe]: {who} would [report|show] no difference after a [fair|proper] trial",
    ],
    adds: [
      "what I [lack|miss] so far is a [control group|comparison]: {who} with {it} and {who} without, and the uncertainty [stated|written] next to the [result|difference]",
      "before anyone [credits|blames] {it}, the confounders have to be [named|ruled out], for {stake} [moves|varies] with a dozen other things in the life of {who}",
      "one [vivid|single] case is a sample of one; [replication|a second look at other places] would [show|tell] whether the effect on {who} is [there|real] and how [large|small] it is",
      "I would [put|state] my [confidence|degree of belief] as a range and not as a verdict: the effect on {stake} is [likely|probable], its size for {who} is [uncertain|an open measurement]",
    ],
  },
  {
    words: ["philosopher", "philosophy", "philosophical", "ethics", "ethical", "ethicist", "moral"],
    terms:
      "premise assumption moral principle duty autonomy counterexample distinction justify owe thought experiment means ought concept"
        .split(" "),
    says: [
      "[beneath|behind] the practical question lies a [moral|prior] one: what do we [owe|mean to] {who}, and could we [justify|defend] {it} to each of them [in turn|face to face]?",
      "[consider|try] a thought experiment: if you did not know whether you would be among {who}, which [rule|answer] about {stake} would you [choose|will]?",
      "we should [examine|question] the assumption that what is [useful|customary] is also [right|good], for {stake} may [ask|require] more of us than {who} would [demand|claim]",
      "to [treat|use] {who} merely as a [means|number] in someone's [sum|plan] would be a [wrong|mistake] that no [outcome|benefit] for {stake} [undoes|excuses]",
    ],
    adds: [
      "a [distinction|difference in sense] is [needed|in order] here, since {stake} can [mean|name] a good that {who} happen to [want|enjoy] or one they are [owed|due], and the premise [trades|slides] on both",
      "to the principle [offered|assumed] there I [set|oppose] a counterexample: [imagine|suppose] {who} had [agreed|consented] to everything, and ask whether a duty towards {stake} would [vanish|be discharged]",
      "autonomy is the [value|principle] I would [test|weigh] first, because {who} are [persons|agents] with reasons of their own and not [merely|only] the [place|site] where {stake} is [produced|looked after]",
      "the [conclusion|verdict] may be [welcome|comfortable] and the premise [false|unearned] for all that; what {who} would [prefer|like] is one question, what is [right|owed] is [another|the prior one]",
    ],
  },
  {
    words: ["economist", "economics", "economic", "incentives", "markets"],
    terms:
      "incentives incentive opportunity cost trade-off margin marginal externality demand distribution counterfactual price yield scarce"
        .split(" "),
    says: [
      "[think|ask] at the margin: what would one [more|further] step towards {it} cost {who}, and what would it [yield|return] in {stake}?",
      "every choice about {it} has an opportunity cost, and {who} [pay|meet] it in [time|money] that could have gone [elsewhere|to other ends]",
      "incentives [do|perform] the [quiet|steady] work here: [change|alter] what {who} [gain|pay] and their conduct [shifts|moves], whatever they [profess|intend] about {stake}",
      "a price that does not [include|cover] {stake} is a wrong price, and {who} [settle|pay] the [difference|remainder]",
    ],
    adds: [
      "there is a trade-off here and it should be [named|priced] as one: more of {stake} for some of {who} is [bought|paid for] with [time|means] that [others|the rest] must [forgo|do without]",
      "I would [ask|compare] what happens in the counterfactual, for {who} do not stand [still|idle] without {it}: they [substitute|adjust], and the [net|remaining] gain in {stake} is [smaller|different]",
      "distribution matters [as much as|no less than] the total: a gain in {stake} that [misses|passes by] {who} is no [bargain|return] to them, however the sum [comes out|adds up]",
      "an externality is a cost that someone [shifts|moves] onto {who} without [asking|paying], and {it} has to be [judged|weighed] by whether it [brings|returns] that cost to its [source|author]",
    ],
  },
  {
    words: ["engineer", "engineering", "technician", "systems"],
    terms:
      "requirement constraint tolerance failure redundancy bottleneck prototype maintenance design system pilot load breaks component"
        .split(" "),
    says: [
      "as a matter of design, {it} should be [judged|tested] by how it [fails|degrades]: a [good|robust] system [warns|protects] {who} before it breaks",
      "I would [ask|look] first for the [bottleneck|weakest part], and where {stake} is concerned it is [where|the place where] {who} [wait|improvise]",
      "[specify|state] the requirement before [choosing|praising] the solution: {who} need {stake} under [load|real conditions], not on a [good|quiet] day",
      "a [prototype|pilot] of {it}, [tested|run] with {who} and [measured|logged] against a [baseline|clear requirement], would [tell|teach] us more than [another|one more] argument",
    ],
    adds: [
      "the [maintenance|upkeep] is the [part|stage] nobody [praises|photographs]: who [keeps|repairs] {it} in the [fifth|tenth] year, and what do {who} [do|use] while it is [down|being mended]?",
      "every design [lives|works] within constraints, and I would [list|write] them before the [solution|features]: what {who} can [operate|staff], what {stake} can [bear|tolerate], what can be [undone|taken back]",
      "a single point of failure is what I [look for|fear] here; [give|leave] {who} a second way, some redundancy, before {stake} comes to [depend|hang] on {it}",
      "the failure mode [matters|counts] more than the [average|good] day: when {it} [breaks|jams], do {who} [notice|learn] it at once, and is {stake} [safe|intact] until then?",
    ],
  },
  {
    words: ["lawyer", "legal", "attorney", "jurist", "advocate's", "barrister"],
    terms:
      "burden proof precedent liability due process proportionality statute exception remedy clause rule standard rights lawful wording"
        .split(" "),
    says: [
      "the [burden|standard] of proof should be [stated|fixed] first, and where the rights of {who} are [touched|engaged] by {it}, the [standard|burden] is [high|not light]",
      "a rule must be [general|public] and [clear|knowable] enough for {who} to [obey|rely on] it, and I [read|test] {it} with that [requirement|principle] in mind",
      "I would [ask|want to know] how {it} reads in the [hardest|least friendly] case, because {who} will be [governed|bound] by its [wording|text] and not by its [spirit|preamble]",
      "[proportionality|due process] is the [test|word] here: is there a [lesser|milder] means to protect {stake}, and were {who} [heard|given notice]?",
    ],
    adds: [
      "a right without a remedy is a [courtesy|promise]: if {it} goes [wrong|astray], to whom can {who} [turn|appeal], and who [bears|carries] the liability for {stake}?",
      "I would read the exception before the rule, since {who} will [live|be judged] by the exception, and {stake} is [usually|often] [lost|decided] there",
      "the [facts|circumstances] are one thing and their characterisation [another|a second]: to call {it} [reasonable|necessary] is a [conclusion|finding] that somebody has to [prove|establish] to {who}",
      "whatever we [grant|allow] here becomes a precedent, and the next case will [concern|reach] {who} with [fewer|none] of the [safeguards|good intentions] that [protect|cover] {stake} today",
    ],
  },
  {
    words: ["historian", "history", "historical", "archivist"],
    terms:
      "precedent archive source sources turning point long run unintended consequence contemporaries continuity past origins inevitable record"
        .split(" "),
    says: [
      "the longer past [suggests|teaches] [caution|care] about anything called inevitable: {who} have [seen|outlived] many certainties about {stake}",
      "[arrangements|institutions] have [origins|beginnings], and to [ask|know] who [wanted|made] this one, and what {who} [lost|gained] by it, is to see {it} [differently|in its time]",
      "what [looks|appears] [new|unheard-of] in {it} is [usually|often] an old [quarrel|question] about {stake} in [modern|fresh] dress, and {who} would [know|recognise] it",
      "[continuity|slow change] is [easily|often] missed because it makes no [noise|headlines], yet {stake} has been [shaped|carried] by it, and so have {who}",
    ],
    adds: [
      "[contemporaries|those who lived then] rarely [knew|saw] which choice was the turning point, and {who} are [no better|hardly better] placed to [know|see] it about {stake} [today|now]",
      "I would [ask|look] who [kept|wrote] the record on {stake}, for {who} [seldom|rarely] [left|filed] the papers from which their [story|case] is told",
      "the unintended consequence is the [oldest|steadiest] [companion|follower] of reform, and it [usually|mostly] [found|reached] {who} before it found the [authors|reformers]",
      "in the long run {it} will be [read|remembered] together with what came [after|of it], and {who} will [carry|inherit] a continuity in {stake} that no [speech|announcement] [marked|recorded]",
    ],
  },
];

const OWN: readonly string[] = [
  "speaking as {persona}, I [notice|look] first [for|at] what {it} [means|would mean] to {who}",
  "[I come|coming] to this as {persona}, and [from there|so] {stake} is not a [side issue|detail]",
  "as {persona} I have [learnt|come] to [distrust|be wary of] any answer about {stake} that {who} would not [understand|recognise]",
  "someone who [thinks|sees things] as {persona} does will [ask|want to know] what {it} [does|would do] to {who} before [asking|hearing] anything else",
];

/** What a persona adds to what is said. */
export interface PersonaLens {
  /** The manner of thinking, such as `scientist`; undefined where it is none of those known. */
  readonly id: string | undefined;
  /** Sentences in its manner; none without a persona. */
  readonly says: readonly string[];
  /** Further ones, for the same message. */
  readonly adds: readonly string[];
  /** The noun phrase it is introduced by, such as “a retired nurse”. */
  readonly name: string;
}

/** What a persona adds; nothing without one. */
export function lensOf(persona: string | undefined): PersonaLens {
  if (persona === undefined || persona.trim() === "") {
    return { id: undefined, says: [], adds: [], name: "" };
  }
  const lens = knownLens(persona);
  const name = nameOf(persona);
  if (lens === undefined) {
    return { id: undefined, says: name === "" ? [] : OWN, adds: [], name };
  }
  const says = name === "" ? lens.says : [...lens.says, OWN[0]!];
  return { id: lens.words[0], says, adds: lens.adds, name };
}

/** The manner of thinking that most of a persona's words tell of. */
function knownLens(persona: string): Lens | undefined {
  const words = wordsOf(persona);
  const counts = LENSES.map((lens) =>
    words.filter((word) => lens.words.includes(word)).length +
    (words.includes(lens.words[0]!) ? 3 : 0)
  );
  const most = Math.max(...counts);
  return most > 0 ? LENSES[counts.indexOf(most)] : undefined;
}

/** By manner of thinking, how many of its own words a text uses. */
export function lensTermsIn(text: string): ReadonlyMap<string, number> {
  const said = new Set(wordsOf(text));
  return new Map(LENSES.map(({ words, terms }) => [
    words[0]!,
    terms.filter((term) => said.has(term)).length,
  ]));
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
