import { z } from 'zod'

import type { ErrorBody } from './errors.ts'
import { Presentation, Provenance } from './insight-fields.ts'
import { ResultTable } from './queries.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The path of a published insight on the platform and on the dashboard: outside `/api/v1`, without a key. */
export const publicationPath = (token: string) => `/embed/insights/${token}`

/** The format of every token: 256 bits as base64url. */
export const publicationToken = /^[\w-]{43}$/

/**
 * A published insight as the public sees it: the version of the first share, with live rows. It names its organization and
 * the experiment it is about, and no person.
 */
export const PublishedInsight = ResultTable.omit({ statistics: true }).extend({
  heading: z.string(),
  description: z.string().optional(),
  presentation: Presentation.optional(),
  organization: z.object({ name: z.string() }),
  /** The runs that the rows cover. `experiment` is the name of the experiment, absent for the whole organization. */
  about: z.object({ kind: Provenance.shape.kind, experiment: z.string().optional() }),
  publishedAt: Timestamp,
  asOf: Timestamp,
})
export type PublishedInsight = z.infer<typeof PublishedInsight>

/** Identical for unknown, deleted and malformed tokens, so that nobody can tell them apart. */
export const noSuchPublication: ErrorBody = { error: 'not_found', message: 'This insight is not published' }
