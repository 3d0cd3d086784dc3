/** Quotes any text as one shell word. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A program and its arguments as a line for a shell. Words that a shell leaves as they are have no quotes. */
export const commandLine = (argv: readonly string[]) =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
