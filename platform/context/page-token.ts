import { createHash } from 'node:crypto'
import { z } from 'zod'

import { decodePageToken, encodePageToken } from '#contract/wire/page-token.ts'
import { invalid } from '#platform/failures/failure.ts'
import { refuseUnstorableText } from '#platform/failures/refuse-unstorable-text.ts'

/**
 * What the pages of one walk have in common: the list's name and all that decides which rows it has and in which order
 * (the organization, the filters). How many rows a page holds is not part of it.
 */
export type Walk = readonly [list: string, ...filters: unknown[]]

type Position = readonly (string | number)[]

const Token = z.tuple([z.string()], z.union([z.string(), z.number()]))

/**
 * Where a page begins, from the token the page before it gave; undefined on the first page. A position means nothing in
 * another list: continuing there would answer rows of neither. Errors: `invalid_argument` for a token that another walk
 * gave, or nobody.
 */
export function readPageToken<Schema extends z.ZodType<Position>>(
  token: string | undefined,
  position: Schema,
  walk: Walk,
  name = 'page_token',
): z.output<Schema> | undefined {
  if (token === undefined || token === '') return undefined
  const decoded = decodePageToken(token, Token)
  if (!decoded) throw invalid(`\`${name}\` is not one that this list gave`)
  refuseUnstorableText(decoded)
  const [given, ...rest] = decoded
  if (given !== fingerprintOf(walk)) throw invalid(`\`${name}\` was given for another list or other filters`)
  const read = position.safeParse(rest)
  if (!read.success) throw invalid(`\`${name}\` is not one that this list gave`)
  return read.data
}

/** The token of the page after the row at `position`: what the list sorts by, for the last row shown. */
export const writePageToken = (position: Position, walk: Walk) => encodePageToken([fingerprintOf(walk), ...position])

/** The same for questions of one list, one organization and the same filters. */
export const fingerprintOf = (walk: Walk) =>
  createHash('sha256').update(JSON.stringify(walk)).digest('base64url').slice(0, 22)
