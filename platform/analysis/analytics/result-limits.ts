const mebibyte = 1024 ** 2

/**
 * The maximum size of a result of a user's statement, as text. 10,000 rows of 20 short columns are about 4 MB. Clients
 * already struggle with a value of a million characters or a table of a thousand columns.
 */
export const resultLimits = { bytes: 16 * mebibyte, valueCharacters: mebibyte, columns: 1000 }

/** The maximum size of one answer to the platform's own statement. Fifty thousand cells of a heatmap are 7 MB. */
export const maxResponseBytes = 64 * mebibyte

/** The maximum length of an engine's error message, which can quote a value of any size. */
export const maxErrorCharacters = 32 * 1024

/** An answer above its limit. The message is written for the caller. */
export class ResponseTooLarge extends Error {}

export const resultTooLarge = () =>
  new ResponseTooLarge(`The result is larger than ${resultLimits.bytes / mebibyte} MB: select fewer columns or rows`)

export const responseTooLarge = () =>
  new ResponseTooLarge(
    `The chart has more than ${maxResponseBytes / mebibyte} MB of data. Filter its tests, or choose a dimension with fewer groups`,
  )

export const tooManyColumns = () =>
  new ResponseTooLarge(`The result has more than ${resultLimits.columns.toLocaleString('en')} columns: select fewer`)

export const valueTooLarge = (column: string) =>
  new ResponseTooLarge(
    `Column "${column.slice(0, 100)}" has a value of more than ${resultLimits.valueCharacters / mebibyte} MB. Shorten it, for example with substring() or arraySlice()`,
  )
