import { createHash } from 'node:crypto'
import { z } from 'zod'

import { decodePageToken, encodePageToken } from '#contract/wire/page-token-encoding.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { refuseUnstorableText } from '#platform/ground/failures/refuse-unstorable-text.ts'

/**
 * The facts shared by the pages of one list: its name, and everything that decides its rows and their order (the
 * organization, the filters). The page size is not part of it.
 */
export type ListKey = readonly [list: string, ...filters: unknown[]]

type Position = readonly (string | number)[]

const Token = z.tuple([z.string()], z.union([z.string(), z.number()]))

/**
 * The start position of a page, from the token of the previous page; undefined on the first page. A position has no
 * meaning in another list. Errors: `invalid_argument` for an invalid token or one of another list.
 */
export function readPageToken<Schema extends z.ZodType<Position>>(
  token: string | undefined,
  position: Schema,
  listKey: ListKey,
  name = 'page_token',
): z.output<Schema> | undefined {
  if (token === undefined || token === '') return undefined
  const decoded = decodePageToken(token, Token)
  if (!decoded) throw invalid(`\`${name}\` is not valid for this list`)
  refuseUnstorableText(decoded)
  const [sent, ...rest] = decoded
  if (sent !== fingerprintOf(listKey)) throw invalid(`\`${name}\` belongs to another list or other filters`)
  const read = position.safeParse(rest)
  if (!read.success) throw invalid(`\`${name}\` is not valid for this list`)
  return read.data
}

/** The token for the page after `position`: the sort values of the last row on this page. */
export const writePageToken = (position: Position, listKey: ListKey) =>
  encodePageToken([fingerprintOf(listKey), ...position])

/**
 * The rows of a page, read with one more than `limit`, and the token of the next page if that one was there. `positionOf` has
 * the sort values of a row.
 */
export function cutPage<Row extends object>(
  rows: readonly Row[],
  limit: number,
  listKey: ListKey,
  positionOf: (last: Row) => Position,
) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, ...(rows.length > limit && last && { nextPageToken: writePageToken(positionOf(last), listKey) }) }
}

/** The same for the same list, organization and filters. */
export const fingerprintOf = (listKey: ListKey) =>
  createHash('sha256').update(JSON.stringify(listKey)).digest('base64url').slice(0, 22)
