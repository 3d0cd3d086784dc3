import type { z } from 'zod'

import { decodePageToken } from '#contract/wire/page-token.ts'
import { invalid } from '#platform/failure.ts'
import { refuseUnstorableText } from '#platform/refuse-unstorable-text.ts'

/** Where a page begins, from the token the previous page gave; undefined on the first page, `invalid_argument` for anything else. */
export function readPageToken<Position extends z.ZodType>(
  token: string | undefined,
  position: Position,
  name = 'page_token',
): z.output<Position> | undefined {
  if (token === undefined || token === '') return undefined
  const decoded = decodePageToken(token, position)
  refuseUnstorableText(decoded)
  if (decoded === null) throw invalid(`${name} is not one that this list gave`)
  return decoded
}
