import { lowerFirst } from "../topic_grammar.ts";
import { isEnglishText } from "./key_terms.ts";
import { quotableIn } from "./quotable.ts";
import { kindOf, type SentenceKind } from "./signals.ts";

/** What a paper says, as a clause that can follow “that”. */
export interface Statement {
  /** Without a capital of the sentence's and without its full stop. */
  readonly text: string;
  readonly kind: SentenceKind;
}

/** The most of a paper that is read for statements, from its beginning and from its end. */
const READ = 60_000;

/** What an English text states in sentences that can stand as clauses, in its order; nothing in other languages. */
export function statementsIn(text: string): Statement[] {
  const parts = text.length > 2 * READ ? [text.slice(0, READ), text.slice(-READ)] : [text];
  if (!isEnglishText(text)) return [];
  const small = new Set(
    parts.flatMap((part) => part.match(/(?<![\p{L}-])\p{Ll}[\p{L}-]*/gu) ?? []),
  );
  return parts.flatMap((part, i) => quotableIn(part, i === 0)).filter(({ sure }) => sure)
    .flatMap(({ text: sentence }) => {
      const clause = clauseOf(sentence, small);
      return clause === undefined ? [] : [{ text: clause, kind: kindOf(sentence) }];
    });
}

/** Words after which a sentence needs what stood before it. */
const LEANS =
  /^(?:this|these|those|that|it|its|they|their|such|he|she|his|her|here|both|each|others?|another|also|the (?:first|second|third|former|latter|other|same|reason|authors?|following)|one|in (?:this|addition|contrast|our|section)|for (?:this|example|instance)|further(?:more)?|moreover|thus|therefore|hence|then|finally|yet|but|and|so|still|instead|similarly|consequently|half|table|figure|what|which|who|how|why|when|where|if|as)\b/iu;

function clauseOf(sentence: string, small: ReadonlySet<string>): string | undefined {
  const told =
    /^(?:(?:overall|taken together|in sum|in short), )?(?:we|the (?:results|findings|data|study|analysis|experiments?)|our (?:results|findings|data|analysis)|results) (?:also )?(?:found|find|show|showed|shows|suggest|suggests|indicate|conclude|argue|demonstrate|observed|report|estimate) that (.+)$/iu
      .exec(sentence)?.[1];
  const whole = (told ?? sentence.replace(/^(?:however|overall|in sum|in short|notably), /iu, ""))
    .replace(/[.\s]+$/u, "");
  const words = whole.split(" ");
  if (words.length < 5 || words.length > 24 || LEANS.test(whole)) return undefined;
  if (
    /[:;()?!…\[\]]|\b(?:we|our|us|I|my|this (?:paper|study|article)|et al|percent more)\b/iu.test(
      whole,
    )
  ) {
    return undefined;
  }
  const first = words[0]!;
  const plain = small.has(first.toLowerCase());
  if (
    told === undefined && !plain &&
    !/^(?:the|an?|in|on|at|no|most|all|some|many|few)$/iu.test(first)
  ) {
    return undefined;
  }
  return /^\p{Lu}[\p{Lu}\p{N}]/u.test(first) ? whole : lowerFirst(whole);
}
