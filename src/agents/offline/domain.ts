/** The people, places and things that a field of life is spoken of with. */
export interface Domain {
  readonly name: string;
  /** Whole words (lower case, singular or plural) that tell that a text is about this field. */
  readonly words: ReadonlySet<string>;
  /** Groups of people, plural. */
  readonly who: readonly string[];
  /** One person in a situation, with an article. */
  readonly one: readonly string[];
  /** A scene, with its preposition. */
  readonly where: readonly string[];
  /** What is at stake, singular. */
  readonly stake: readonly string[];
  /** Who decides and carries out, singular, with an article. */
  readonly body: readonly string[];
}
