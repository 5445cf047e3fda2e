/** Questions by angle; `{s}` names the subject, singular or plural, so that only modal verbs follow it. */
export const ANGLES: readonly (readonly string[])[] = [
  ["Should there be stricter rules for {s}", "Should the rules for {s} be the same everywhere"],
  [
    "Should public money be spent on {s}",
    "Should those who profit from {s} pay for what it costs others",
  ],
  [
    "Should children learn about {s} at school",
    "Is it too early to speak of {s} with young children",
  ],
  ["Would the world be poorer without {s}", "Would most people miss {s} if it all ended tomorrow"],
  ["Should experts have the last word on {s}", "Should citizens decide about {s} by a vote"],
  [
    "Will {s} matter more in twenty years than today",
    "Is the future of {s} brighter than its past",
  ],
  [
    "Is it fair how the benefits of {s} are shared",
    "Does the burden of {s} fall on the wrong people",
  ],
  [
    "Is there a moral duty to take {s} seriously",
    "Can one be indifferent to {s} and still act rightly",
  ],
  ["Do the media give {s} too much attention", "Is most of what is said about {s} exaggerated"],
  ["Should companies be kept out of {s}", "Is the market the right place to decide about {s}"],
  [
    "Does nature pay too high a price for {s}",
    "Should {s} be judged first by the effect on the environment",
  ],
  [
    "Should it be everyone's own choice how to deal with {s}",
    "May the state tell people how to deal with {s}",
  ],
  ["Should research on {s} come before other research", "Do we know enough about {s} to act on it"],
  ["Does the history of {s} give reasons for hope", "Should museums show the darker sides of {s}"],
  ["Can art say more about {s} than science can", "Is it acceptable to make jokes about {s}"],
  [
    "Should older people have more to say about {s} than the young",
    "Do the young understand {s} better than their parents",
  ],
  ["Should every country go its own way on {s}", "Is {s} a matter for international treaties"],
  [
    "Is it too late to change course on {s}",
    "Has the debate about {s} become too heated to be useful",
  ],
  ["Should there be a right to a life without {s}", "Should access to {s} be a right for all"],
  ["Should machines take over decisions about {s}", "Would more technology make {s} better"],
];

/** What narrows a question down, where more are wanted than there are angles. */
export const SCOPES: readonly string[] = [
  "at least in large cities",
  "even in times of crisis",
  "also in poorer countries",
  "whatever it costs",
  "for the next ten years",
  "even against the will of a majority",
  "at least where children are concerned",
  "even if only a few gain by it",
  "as a matter of principle",
  "at least at the workplace",
  "also in small towns",
  "even where habits speak against it",
];
