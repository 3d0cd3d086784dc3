import { z } from 'zod'

import type { ErrorBody } from './errors.ts'
import { Presentation } from './insight-fields.ts'
import { ResultTable } from './queries.ts'
import { Timestamp } from './wire/query-values.ts'

/** Where the platform, and the dashboard in front of it, answer strangers: outside `/api/v1`, without a key. */
export const publicationPath = (token: string) => `/embed/insights/${token}`

/** Of every token: 256 bits as base64url. */
export const publicationToken = /^[\w-]{43}$/

/** A published insight as strangers see it: what was frozen on the first share, with live rows. Nobody is named. */
export const PublishedInsight = ResultTable.omit({ statistics: true }).extend({
  heading: z.string(),
  description: z.string().optional(),
  presentation: Presentation.optional(),
  asOf: Timestamp,
})
export type PublishedInsight = z.infer<typeof PublishedInsight>

/** The same for a token that is unknown, deleted or none, so that nobody learns which. */
export const noSuchPublication: ErrorBody = { error: 'not_found', message: 'There is no published insight here' }
