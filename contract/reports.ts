import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

const encoder = new TextEncoder()
const bytes = (max: number) =>
  z
    .string()
    .refine((text) => encoder.encode(text).length <= max, `must be ${max.toLocaleString('en')} bytes of UTF-8 or less`)

const ReportBody = bytes(limits.reportBytes)

/** What a person writes of a report, for create, update and the forms. `''` means no description or no body. */
export const ReportFields = z.object({
  title: z.string().trim().min(1, 'must not be blank').max(limits.reportTitle),
  description: z.string().trim().max(limits.reportDescription).optional(),
  bodyMarkdown: ReportBody.optional(),
})

/** The block to append. The limit of the whole body applies to it too. */
const ReportBlock = ReportBody.refine((markdown) => markdown.trim() !== '', 'must not be blank')

/** `updatedAt` detects conflicts: it grows with every write, to the microsecond. */
export const Report = z.object({
  id: z.uuid(),
  orgId: z.uuid(),
  title: z.string(),
  description: z.string().optional(),
  createdBy: Actor,
  updatedBy: Actor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Report = z.infer<typeof Report>

/** A report with its whole body in canonical markdown (`canonicalMarkdown`). An empty body is omitted. */
export const ReportWithBody = z.object({ report: Report, bodyMarkdown: z.string().optional() })
export type ReportWithBody = z.infer<typeof ReportWithBody>

export const ReportList = z.object({ reports: z.array(Report), nextCursor: z.string().optional() })
export type ReportList = z.infer<typeof ReportList>

const errors = ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'] as const

export const listReports = endpoint({
  name: 'reports.list',
  method: 'GET',
  path: '/reports',
  summary: 'List the reports of the organization without bodies, most recently changed first',
  query: z.object({ limit: limitParam(limits.reports), cursor: z.string().optional() }),
  queryAliases: { pageSize: 'limit', pageToken: 'cursor' },
  response: ReportList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

export const createReport = endpoint({
  name: 'reports.create',
  method: 'POST',
  path: '/reports',
  summary: 'Create a report',
  body: ReportFields,
  bodyBytes: limits.largeBodyBytes,
  takesIdempotencyKey: true,
  response: ReportWithBody,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

export const getReport = endpoint({
  name: 'reports.get',
  method: 'GET',
  path: '/reports/:reportId',
  summary: 'Get a report with its whole body',
  response: ReportWithBody,
  errors,
})

export const updateReport = endpoint({
  name: 'reports.update',
  method: 'PATCH',
  path: '/reports/:reportId',
  summary: 'Change the given fields of a report, unless it changed since you read it',
  body: z.object({ expectedUpdatedAt: Timestamp, ...ReportFields.partial().shape }),
  bodyBytes: limits.largeBodyBytes,
  response: ReportWithBody,
  errors: [...errors, 'already_exists'],
})

export const appendBlock = endpoint({
  name: 'reports.append',
  method: 'POST',
  path: '/reports/:reportId/blocks',
  summary: 'Append markdown to the end of a report, after a blank line',
  body: z.object({ markdown: ReportBlock, expectedUpdatedAt: Timestamp.optional() }),
  bodyBytes: limits.largeBodyBytes,
  response: ReportWithBody,
  errors: [...errors, 'already_exists'],
})

export const deleteReport = endpoint({
  name: 'reports.delete',
  method: 'DELETE',
  path: '/reports/:reportId',
  summary: 'Delete a report and its body; cited insights are kept',
  response: z.object({
    reportId: z.uuid(),
    /** The number of insights that the report cited; omitted if none. */
    findingLinksRemoved: z.int().min(1).optional(),
  }),
  errors: ['unauthenticated', 'permission_denied', 'not_found'],
})
