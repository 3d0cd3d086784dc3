/** The pattern of (I)LIKE that finds the text anywhere, its own `%` and `_` taken literally. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
