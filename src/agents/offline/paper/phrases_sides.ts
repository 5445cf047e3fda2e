import type { Voice } from "./voice.ts";

/** What a rival would say, and what is held against it, by voice. */
export const COUNTERPOINTS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "a sceptic will [say|object] that what is reported on {k} may have other causes; to that I [reply|answer] that a cause has to be named before it can [weigh|count]",
    "it may be [held|said] against me that the cases are few; few cases that [point|lead] the same way are still more than [none|a guess]",
    "[opponents|critics] will [ask|call] for more certainty about {m}; they should say how much would be enough for them",
    "the [objection|reply] that circumstances differ is [fair|right], and it [asks|calls] for trying the result elsewhere and not for dropping it",
    "someone will [remark|note] that the authors may be partial; their [sentences|statements] on {k} can be [judged|checked] without knowing who wrote them",
    "it can be [argued|said] that what was found on {m} might not last; that would be a further finding and no [refutation|reason against this one]",
    "a rival will call this reading of {k} too [generous|trusting]; I [call|find] it the one that [adds|supplies] least",
  ],
  cautious: [
    "supporters will [say|object] that conditions can be attached to anything; those I [name|mean] belong to the observations on {k} themselves",
    "a sceptic will [find|call] this too friendly to the paper; but to [keep|retain] what was seen of {k} is no favour to anyone",
    "it may be [held|said] against me that I [decide|settle] nothing; I decide what may be [relied|counted] on in the matter of {m} and where",
    "[both|the other] sides will [complain|object] that a conditional answer is hard to [use|apply]; a wrong one is [harder|worse]",
    "someone will [ask|want to know] which condition matters most for {m}; that is [exactly|just] what should be looked into next",
    "it can be [argued|said] that care about {m} costs time; it costs less than [undoing|repairing] what was done in haste",
    "a bolder debater will [trust|take] {k} further than I do, and may [prove|turn out] right; today nobody can [tell|know]",
  ],
  critical: [
    "a defender will [say|reply] that no study of {m} can exclude everything; it could exclude the [nearest|likeliest] rival, and that I [miss|do not find]",
    "it may be [held|said] against me that doubt is [cheap|easy]; here it is [directed|aimed] at one step about {k} and can be [removed|answered] by one good reason",
    "supporters will [point|refer] to how well the results on {m} fit together; results of one [source|setting] usually do",
    "the [reply|objection] that something must be decided about {m} is [true|right], and deciding does not [turn|make] a conjecture into knowledge",
    "someone will [call|find] my standard too high for {m}; it is the one that is [applied|used] wherever an error would be [costly|expensive]",
    "it can be [argued|said] that the plain reading of {k} is the likeliest; likely is what we call a claim before it has been [tested|tried]",
    "a friend of the paper will [remind|tell] me that it is careful elsewhere; I [judge|weigh] what it says about {k} here",
  ],
};

/** What a rival would say with a sentence of the paper, and what is held against it, by voice. */
export const QUOTED_COUNTERPOINTS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "an opponent will [point|turn] to the sentence {q}; it [sets|draws] a limit and leaves what lies within it [untouched|as it was]",
    "against me [stands|speaks] {q}; I [grant|admit] it and hold that it [narrows|bounds] the result without [reversing|overturning] it",
    "the [strongest|best] reply is in the paper itself, {q}; it asks for [further|more] work and not for [disbelief|rejection]",
    "a critic can [quote|cite] {q}, and is right to; the main [point|claim] survives it",
    "it will be [said|objected] that the paper itself [hesitates|is reserved] here, {q}; that is care, and no [withdrawal|surrender]",
  ],
  cautious: [
    "[one|a bolder] side may [quote|cite] {q} as if it settled the matter; it settles [one|a] part of it",
    "against my middle course somebody could [set|hold] the sentence {q}; I [read|take] it as a reason for care and no more",
    "the paper says {q}, which a rival may [stretch|press] further than I do; nothing in the wording [asks|calls] for that",
    "it may be [asked|objected] whether {q} leaves room for a qualified answer at all; I [think|hold] it does, once its setting is [added|named]",
    "some will [rest|build] their whole case on {q}; it is [worth|deserving of] attention and not of [obedience|surrender]",
  ],
  critical: [
    "a defender will [answer|reply] with {q}; the sentence [reports|states] what was seen and leaves the [reason|cause] for it open",
    "against me [stands|speaks] {q}; I [grant|admit] the observation and [dispute|contest] what is made of it",
    "the [strongest|best] reply is the paper’s own, {q}; it would [convince|persuade] me if the rival reading had been [tested|tried] as well",
    "supporters can [quote|cite] {q}, and rightly; what it [shows|proves] is [smaller|less] than what they [need|want]",
    "it will be [said|objected] that the paper is clear enough here, {q}; clear it is, and still not [sufficient|enough]",
  ],
};

/** What a debater's argument comes to: first sentences by voice; `{m}` is the question's matter. */
export const POSITIONS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "taken together, the topics [bear|carry] a clear answer: what the paper says about {m} should be [accepted|relied on]",
    "my [position|conclusion] is that the case made for {m} [holds|stands], and that it is [time|right] to build on it",
    "over all topics the [weight|balance] is on the side of the paper, and what it says about {m} is the best [answer|guide] we have",
  ],
  cautious: [
    "taken together, the topics [bear|carry] a qualified answer: what the paper says about {m} holds [within|inside] limits that can be named",
    "my [position|conclusion] is that {m} should be judged case by case, with the paper as a [guide|help] and not as a [rule|law]",
    "over all topics the paper [deserves|earns] agreement with conditions: on {m} it shows a direction and not yet a [distance|measure]",
  ],
  critical: [
    "taken together, the topics leave the decisive question open: on {m} the paper [claims|asserts] more than it [shows|proves]",
    "my [position|conclusion] is that what is said about {m} should not be [relied on|built on] until its gaps are closed",
    "over all topics the same [gap|weakness] returns: what was seen about {m} would [fit|allow] another reading as well",
  ],
};

/** Where an argument was strongest; `{a}` and `{b}` are topics that follow “on”. */
export const STRONGEST: readonly string[] = [
  "the argument [rests|leans] most on {a}, and on {b} it has to [grant|leave] the most to the other sides",
  "it is [clearest|easiest to see] on {a}; on {b} I would [listen|go on listening] to the others",
  "[most|the greater part] of its weight lies on {a}, while on {b} the [record|material] is thinner",
  "if I had to [choose|name] one ground it would be what I said on {a}; the least [certain|settled] is what I said on {b}",
  "it stands or falls with what was said on {a}, [more|rather] than with what was said on {b}",
];

/** Last sentences of an argument, by voice. */
export const ENDINGS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "I would [change|revise] this view if a [test|study] that could have confirmed it went the other way",
    "those who [disagree|differ] should say which of the sentences quoted they [reject|dispute]",
    "[acting|building] on it now, and correcting it as we learn, is the [responsible|sensible] course",
  ],
  cautious: [
    "I would [go|move] further than this in either direction once the open conditions are [known|tested]",
    "those who want a [simpler|shorter] answer should say which condition they [drop|give up]",
    "[using|applying] it with care, and watching what happens, is the [responsible|sensible] course",
  ],
  critical: [
    "I would [abandon|drop] this doubt if the rival reading were [tested|tried] and failed",
    "those who [disagree|differ] should say which sentence of the paper [closes|fills] the gap",
    "[waiting|holding back] until that is done, and saying so, is the [responsible|sensible] course",
  ],
};

/** Said where pages of the web are cited beside the paper. */
export const WEB_NOTES: readonly string[] = [
  "a search of the web brought further [material|reading] on this, which I cite beside the paper without [resting|leaning] on it",
  "[besides|in addition], pages that a web search [found|returned] are cited below; my case does not [hang|depend] on them",
  "for [comparison|further reading] I cite what a web search [returned|brought], unweighed, beside the paper",
];
