import type { BySide } from "./phrases.ts";

/** What can be proposed to all, by the side of whoever proposes. */
export const PROPOSALS: BySide = {
  for: [
    "{it} is [tried|introduced] in one place first, for [a year|two years], and goes on only if {who} are [better off|no worse off] by then",
    "a start is made where {who} have the [most|least doubtful] gain, and {body} [decides|reviews] every further step",
    "whoever [loses|pays] by {it} is [compensated|helped over the change], and the means are [set aside|named] before it begins",
    "{body} [publishes|lays open] every [half year|year] what {it} has changed for {who}, good and bad alike",
    "exceptions are [written down|agreed] from the start for {who}, and are looked at again after a year",
    "the first [step|stage] is the one that [protects|serves] {stake} at the least cost, and the rest waits until it has been judged",
    "{who} have a [seat|vote] wherever the details of {it} are [settled|drawn up]",
    "there is a date on which {it} [ends|lapses] unless {body} decides anew, with {stake} as the test",
  ],
  against: [
    "{it} is put off until {who} have been asked, and the answer is [published|taken down] in full",
    "before anything else is [done|decided], {body} tries the [mildest|least costly] means of protecting {stake}",
    "what there is today stays, with one [repair|improvement]: {who} get a [place|person] to turn to, and an answer within a month",
    "no step is taken that cannot be [undone|taken back] within a year, for the sake of {stake}",
    "{body} sets out in plain words what the present rules already [allow|demand], and sees that {who} can use them",
    "those who [want|ask for] a change show first, in one place, that {who} do not [lose|pay] by it",
    "the money {it} would take goes to {who} directly, for three years, and the two are then [compared|weighed]",
    "{who} can [refuse|opt out] without giving reasons, whatever is decided in the end",
  ],
  thesis: [
    "all agree to judge the answer by one [measure|question] first: what it [does|means] for {who}",
    "it is [said|recorded] in common where the view that {own} holds, and for which of {who} it does not",
    "{stake} is [named|recognised] by all as the thing that must not be [given up|lost], whichever view is right",
    "the sides [name|write down] together what would [change|decide] their minds, and {body} [looks|asks] for it",
    "nobody is [made|asked] to act on one view alone until {who} have had a [say|hearing]",
    "the part of the question that concerns {who} is [settled|answered] first, and the rest is left [open|for later]",
    "both views are [tried|followed] side by side in two places for a year, and {who} [say|judge] which served {stake} better",
    "{body} gives {who} the grounds of both views in plain words and leaves the choice to them",
  ],
};

/** What a manner of thinking proposes, whatever the side. */
export const LENS_PROPOSALS: Readonly<Record<string, readonly string[]>> = {
  scientist: [
    "two like places are compared for a year, one with a change and one without, and the result for {who} is [published|made known] whatever it is",
    "before any decision it is written down which [observation|measurement] on {stake} would count against it",
    "{body} begins to [record|measure] what happens to {who} now, so that there is something to compare with",
    "whatever is decided is [repeated|tested] in a second place before it becomes the rule for {who}",
  ],
  philosopher: [
    "one principle is adopted by all: nothing is done to {who} that could not be justified to each of them",
    "the words of the question are [fixed|defined] first, {stake} above all, so that nobody agrees to two different things",
    "a duty towards {who} is [acknowledged|stated] in common, apart from what is useful to the rest",
    "each side [writes|puts] down the strongest form of the other view, and nothing is decided before the other accepts it",
  ],
  economist: [
    "whoever causes a cost to {who} bears it, by a [price|charge] that is raised in small steps",
    "the means are compared with their best other use for {stake}, and the comparison is [published|laid open] before the decision",
    "{who} are given a [sum|budget] of their own and choose for themselves, and what they choose decides what goes on",
    "any gain is [shared out|divided] by a rule agreed in advance, with {who} first",
  ],
  engineer: [
    "the requirements of {who} are written down first, and a small [pilot|prototype] is judged against nothing else",
    "a second way is kept [open|working] for {who} until the new one has run for a year without failing",
    "someone is named and paid to [maintain|repair] what is decided, before it is started",
    "limits are set at which the whole is [stopped|taken back], and {body} [checks|reads] them every month for the sake of {stake}",
  ],
  lawyer: [
    "{who} get a right of appeal to {body}, free of charge and with a time limit for the answer",
    "the burden of proof is fixed: whoever would restrict {who} has to show that nothing milder protects {stake}",
    "the exceptions are written into the rule itself, in words that {who} can read, and not left to {body}",
    "the rule ends by itself after three years unless it is shown to have served {stake}",
  ],
  historian: [
    "an account is kept from the first day of who decided what and why, so that {who} can [read|judge] it later",
    "an earlier case is looked at in common, with what set it apart, before anything is decided about {stake}",
    "the change is made slowly enough that {who} can [recognise|call off] what they did not intend",
    "{who} who remember how it was before are heard first, and their words are kept",
  ],
};

/** Why something is proposed. */
export const PROPOSAL_REASONS: readonly string[] = [
  "I [looked|asked] for what {who} could [accept|live with] even if the larger question stays open",
  "what I propose is [small|limited] enough to be tried, and it keeps {stake} [safe|in view]",
  "whoever [holds|takes] the other view can [join|agree to] this without giving theirs up, and {who} would gain by it",
  "I began with {stake} and [asked|worked out] what the next [step|thing to do] would be for {who}",
];
