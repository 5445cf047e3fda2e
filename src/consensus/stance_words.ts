const LINE = /^(agree|disagree|abstain)\b[\s,;:]*(\d+(?:\.\d+)?)?[\s,;:]*(?:if\b\s*([\s\S]*))?$/iu;

/**
 * What a person answers in lines, `p1: agree`, `p2: disagree 0.8`, `p3: agree if the shops are asked`, in the shape that a
 * model answers in. Without a number one agrees or disagrees firmly. Anything else is given back as it is.
 */
export function stancesInWords(value: unknown, ids: readonly string[]): unknown {
  if (value === null || typeof value !== "object" || "stances" in value) return value;
  const lines = new Map(Object.entries(value).filter(([id]) => ids.includes(id)));
  if (lines.size === 0) return value;
  const stances = [...lines].flatMap(([on, text]) => {
    const [, stance, strength, condition = ""] = LINE.exec(String(text).trim()) ?? [];
    if (stance === undefined) return [];
    const firm = stance.toLowerCase() === "abstain" ? 0 : 1;
    return [{
      on,
      stance: stance.toLowerCase(),
      strength: strength === undefined ? firm : Number(strength),
      condition: condition.trim(),
    }];
  });
  return { ...value, stances };
}
