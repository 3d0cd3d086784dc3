/** What an error says. Anything can be thrown. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
