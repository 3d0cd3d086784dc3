import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { ReportWithBody } from './reports.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** A version of a report. Saves of one person within 10 minutes are one version, which has the last of them. */
export const ReportVersion = z.object({
  id: z.uuid(),
  title: z.string(),
  savedBy: Actor.pick({ id: true, name: true }),
  startedAt: Timestamp,
  /** The `updatedAt` of the report at its last save. */
  savedAt: Timestamp,
})
export type ReportVersion = z.infer<typeof ReportVersion>

const errors = ['unauthenticated', 'permission_denied', 'not_found'] as const

export const listReportVersions = endpoint({
  name: 'reportVersions.list',
  method: 'GET',
  path: '/reports/:reportId/versions',
  summary: 'List the versions of a report without bodies, newest first',
  response: z.object({ versions: z.array(ReportVersion) }),
  errors,
})

export const getReportVersion = endpoint({
  name: 'reportVersions.get',
  method: 'GET',
  path: '/reports/:reportId/versions/:versionId',
  summary: 'Get a version of a report with its whole body',
  response: z.object({
    version: ReportVersion,
    description: z.string().optional(),
    bodyMarkdown: z.string().optional(),
  }),
  errors,
})

export const restoreReportVersion = endpoint({
  name: 'reportVersions.restore',
  method: 'POST',
  path: '/reports/:reportId/versions/:versionId/restore',
  summary: 'Restore a version, unless the report changed since you read it',
  body: z.object({ expectedUpdatedAt: Timestamp }),
  response: ReportWithBody,
  errors: ['invalid_argument', ...errors, 'already_exists'],
})
