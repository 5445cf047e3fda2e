/** How a debater speaks of a paper. */
export type Voice = "supportive" | "cautious" | "critical";

const SIGNS: readonly (readonly [Voice, RegExp])[] = [
  [
    "cautious",
    /\b(?:condition\w*|cautio\w*|careful\w*|moderate\w*|balanced|partly|partial\w*|nuanced|depends?|mixed|limited|middle|neutral|different question|with care|only (?:if|where|when))\b/giu,
  ],
  [
    "critical",
    /\b(?:scept\w*|skept\w*|doubt\w*|critic\w*|reject\w*|oppos\w*|against|overstat\w*|unproven|weak|disagree\w*|den(?:y|ies)|alternative\w*|rival|refut\w*|better measurement|not (?:yet|supported|convincing)|fails?|insufficient|too little|hardly)\b/giu,
  ],
  [
    "supportive",
    /\b(?:strong\w*|support\w*|agree\w*|sound|endors\w*|favou?r\w*|optimis\w*|affirm\w*|advocat\w*|convinc\w*|practice first|confident\w*|promising|yes)\b/giu,
  ],
];

const IN_TURN: readonly Voice[] = ["supportive", "critical", "cautious"];

/** The voice that fits a posture: by its first words, then by all of them, else by its place among the postures. */
export function voiceOf(posture: string, postures: readonly string[]): Voice {
  const head = posture.split(/[:.–—]/u)[0]!;
  for (const text of [head, posture]) {
    const counts = SIGNS.map(([voice, pattern]) => ({
      voice,
      count: text.match(pattern)?.length ?? 0,
    })).sort((a, b) => b.count - a.count);
    if (counts[0]!.count > counts[1]!.count) return counts[0]!.voice;
  }
  return IN_TURN[Math.max(0, postures.indexOf(posture)) % IN_TURN.length]!;
}
