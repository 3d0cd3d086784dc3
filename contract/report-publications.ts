import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import type { ErrorBody } from './errors.ts'
import { Actor } from './identity.ts'
import { PublishedDocument } from './published-document.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The path of a published report on the platform and on the dashboard: outside `/api/v1`, without a key. */
export const publishedReportPath = (token: string) => `/embed/reports/${token}`

/** The public page of a report. `version` is the `updatedAt` of the text that it shows. */
export const ReportPublication = z.object({
  url: z.string(),
  version: Timestamp,
  publishedAt: Timestamp,
  publishedBy: Actor.pick({ id: true, name: true }),
  isCurrent: z.boolean(),
})
export type ReportPublication = z.infer<typeof ReportPublication>

/** `publication` is omitted if the report is not published. */
const Answer = z.object({ publication: ReportPublication.optional(), canPublish: z.boolean() })

const path = '/reports/:reportId/publication'
const errors = ['unauthenticated', 'permission_denied', 'not_found'] as const

export const getReportPublication = endpoint({
  name: 'reportPublications.get',
  method: 'GET',
  path,
  summary: 'Get the public page of a report',
  response: Answer,
  errors,
})

export const publishReport = endpoint({
  name: 'reportPublications.publish',
  method: 'PUT',
  path,
  summary: 'Publish a report as a page for everyone who has its link, or update that page',
  body: z.object({
    /** The version that the document shows. */
    expectedUpdatedAt: Timestamp,
    /** A `PublishedDocument` as text, so that its names stay as they are. */
    documentJson: z.string().min(1).max(limits.publishedReportBytes),
  }),
  // JSON within JSON: each quote is escaped.
  bodyBytes: 2 * limits.publishedReportBytes + 100_000,
  response: Answer,
  errors: ['invalid_argument', ...errors, 'already_exists', 'failed_precondition', 'resource_exhausted'],
})

export const revokeReport = endpoint({
  name: 'reportPublications.revoke',
  method: 'DELETE',
  path,
  summary: 'Revoke the public page of a report at once',
  response: z.undefined(),
  status: 204,
  errors,
})

/** A published report as the public sees it. It names its organization and its author, and nobody else. */
export const PublishedReport = z.object({
  title: z.string(),
  description: z.string().optional(),
  organization: z.object({ name: z.string() }),
  author: z.string(),
  version: Timestamp,
  publishedAt: Timestamp,
  document: PublishedDocument,
})
export type PublishedReport = z.infer<typeof PublishedReport>

/** Identical for unknown, revoked and malformed tokens, so that nobody can tell them apart. */
export const noSuchPublishedReport: ErrorBody = { error: 'not_found', message: 'This report is not published' }
