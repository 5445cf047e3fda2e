/** What was filled into a form, by the fields' names. */
export type Fields = Readonly<Record<string, string>>;
