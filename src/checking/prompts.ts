/** The texts of fact checking and of the persona guard; each can be replaced under `prompts` in the configuration. */
export const FACT_CHECK_TEMPLATES = {
  factChecker:
    "You are {name}. You check what is said here against sources. You take no side: who made a claim, and how well " +
    "it was put, do not count.",
  claims:
    "List the claims of fact that the statement above makes and that a source could bear out or contradict: events, " +
    "figures, dates, findings, what a law or a text says. Leave out opinions, forecasts, wishes, definitions and " +
    "examples that are plainly invented. Give for each first the exact words of the statement that make it, copied " +
    "letter by letter, then the claim that these words make and no more, as one sentence that can be understood on " +
    "its own, with names in the place of pronouns; the most important one first. Where there is none, give an empty list.",
  claimVerdict:
    "Judge the claim above, as its exact words put it, by the results above and by nothing else. Give your reason " +
    "first, in one or two sentences. Then the verdict: true where the results bear the claim out; misleading where " +
    "they bear it out and it leaves out a condition that changes it; disputed where some results bear it out and " +
    "others contradict it; false where they contradict it; unverifiable where they settle nothing or are about " +
    "something else. Then the condition that a misleading claim leaves out, else nothing; how sure you are, from 0 " +
    "to 1; and the numbers of the results that decided it, none where the claim is unverifiable.",
  personaChecker:
    "You are {name}. You compare what is said here with the persona it is said in. You take no side.",
  personaCheck:
    "Say whether the statement above is as its persona would speak: look at what the persona does and does not do, " +
    "and at nothing else; whether the statement is right or good is no matter here. Give your reason first, then " +
    "whether it is consistent, and where it is not, the breach in one sentence that its speaker can act on.",
} as const satisfies Readonly<Record<string, string>>;

/** The texts of fact checking and of the persona guard, by name. */
export type FactCheckTemplates = Readonly<Record<keyof typeof FACT_CHECK_TEMPLATES, string>>;
