const mebibyte = 1024 ** 2

/**
 * What one result of a user's statement may hold, as text. 10,000 rows of 20 short columns are about 4 MB. A client reads
 * a value of a million characters, and a table of a thousand columns, with difficulty already.
 */
export const limitsOfResult = { bytes: 16 * mebibyte, valueCharacters: mebibyte, columns: 1000 }

/** What one answer to a statement of the platform's own may hold: fifty thousand cells of a heatmap are 7 MB. */
export const answerBytes = 64 * mebibyte

/** The length of an engine's error message, which can quote a value of any size. */
export const errorCharacters = 32 * 1024

/** An answer beyond its limit; the message is a sentence for the caller. */
export class AnswerTooLarge extends Error {}

export const resultTooLarge = () =>
  new AnswerTooLarge(`The result is larger than ${limitsOfResult.bytes / mebibyte} MB: select fewer columns or rows`)

export const answerTooLarge = () =>
  new AnswerTooLarge(
    `The chart has more than ${answerBytes / mebibyte} MB of data: filter its tests, or choose a dimension with fewer groups`,
  )

export const tooManyColumns = () =>
  new AnswerTooLarge(`The result has more than ${limitsOfResult.columns.toLocaleString('en')} columns: select fewer`)

export const valueTooLarge = (column: string) =>
  new AnswerTooLarge(
    `Column "${column.slice(0, 100)}" holds a value of more than ${limitsOfResult.valueCharacters / mebibyte} MB: shorten it, for example with substring() or arraySlice()`,
  )
