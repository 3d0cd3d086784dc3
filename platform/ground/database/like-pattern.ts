/** An (I)LIKE pattern that finds the text anywhere. `%` and `_` in the text are literal. */
export const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
