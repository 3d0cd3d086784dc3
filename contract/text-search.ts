import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { listOutputMatches, OutputMatch } from './output-matches.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const count = z.int().min(0)

export const textSearchLength = { min: 2, max: 200 } as const

/** A run whose transcript, test output or error has the text, with the place that says most about it. */
export const RunWithText = OutputMatch.extend({ experimentId: z.string(), experimentName: z.string() })
export type RunWithText = z.infer<typeof RunWithText>

/** A report whose title or text has it. `before` and `after` are what surrounds its first occurrence. */
export const ReportWithText = z.object({
  id: z.uuid(),
  title: z.string(),
  updatedAt: Timestamp,
  before: z.string(),
  match: z.string(),
  after: z.string(),
})
export type ReportWithText = z.infer<typeof ReportWithText>

/**
 * Each list has the best match first. `searchedRuns` and `searchedReports` count what this and earlier pages have read.
 * With `nextPageToken`, older runs remain.
 */
export const TextSearch = z.object({
  reports: z.array(ReportWithText),
  runs: z.array(RunWithText),
  searchedReports: count,
  totalReports: count,
  searchedRuns: count,
  totalRuns: count,
  stoppedEarly: z.boolean(),
  pendingRuns: count.optional(),
  nextPageToken: z.string().optional(),
})
export type TextSearch = z.infer<typeof TextSearch>

export const searchText = endpoint({
  name: 'textSearch.list',
  method: 'GET',
  path: '/text-search',
  summary: 'Find a text in the transcripts, test output, errors and reports of the organization',
  query: z.object({
    search: z.string().trim().min(textSearchLength.min).max(textSearchLength.max),
    limit: limitParam(limits.textSearch),
    pageToken: z.string().optional(),
  }),
  response: TextSearch,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'resource_exhausted'],
})

/** The searches of text, in one experiment and in all. */
export const textEndpoints = [listOutputMatches, searchText] as const
