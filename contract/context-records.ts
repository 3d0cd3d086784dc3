import { z } from 'zod'

import { ContextId, ContextKind } from './context-kinds.ts'
import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { booleanParam, Timestamp } from '#contract/wire/query-values.ts'
import { sortParam } from '#contract/wire/sort-param.ts'

const Person = Actor.pick({ id: true, name: true })

/** How a version came about. `kept`: the record existed before its history was kept, and this is the oldest version. */
export const ContextCause = z.enum(['created', 'written', 'suggestion', 'restored', 'kept'])
export type ContextCause = z.infer<typeof ContextCause>

const RecordFields = z.record(z.string(), z.string())

/** `changedBy` is absent for changes of the operator, and for those from before the history was kept. */
const RecordFacts = z.object({
  kind: ContextKind,
  targetId: z.string(),
  name: z.string(),
  revision: z.int(),
  createdAt: Timestamp,
  changedAt: Timestamp,
  changedBy: Person.optional(),
  pendingSuggestions: z.int(),
})

/** A record without its fields. `excerpt` is the text around what was searched for, or the beginning of the record. */
export const ContextRecordSummary = RecordFacts.extend({ excerpt: z.string() })
export type ContextRecordSummary = z.infer<typeof ContextRecordSummary>

export const ContextRecord = RecordFacts.extend({ fields: RecordFields })
export type ContextRecord = z.infer<typeof ContextRecord>

export const ContextRecordList = z.object({
  records: z.array(ContextRecordSummary),
  nextPageToken: z.string().optional(),
})
export type ContextRecordList = z.infer<typeof ContextRecordList>

/** `suggestion` and `restoredRevision` are present for the causes `suggestion` and `restored`. */
export const ContextVersion = z.object({
  revision: z.int(),
  cause: ContextCause,
  changedAt: Timestamp,
  changedBy: Person.optional(),
  changedFields: z.array(z.string()),
  suggestion: z.object({ suggestionId: z.uuid(), author: Person }).optional(),
  restoredRevision: z.int().optional(),
})
export type ContextVersion = z.infer<typeof ContextVersion>

export const ContextVersionList = z.object({
  versions: z.array(ContextVersion),
  nextPageToken: z.string().optional(),
})
export type ContextVersionList = z.infer<typeof ContextVersionList>

export const contextRecordSorts = ['name', 'changed'] as const

const listErrors = ['invalid_argument', 'unauthenticated', 'permission_denied'] as const
const errors = [...listErrors, 'not_found'] as const

export const listContextRecords = endpoint({
  name: 'contextRecords.list',
  method: 'GET',
  path: '/context/records',
  summary: 'List the Context records of the organization, or search them',
  query: z.object({
    search: z.string().max(limits.contextSearch).optional(),
    kind: listParam(ContextKind),
    pending: booleanParam(),
    sort: sortParam(contextRecordSorts),
    pageSize: limitParam(limits.contextRecords),
    pageToken: z.string().optional(),
  }),
  queryAliases: { limit: 'pageSize', cursor: 'pageToken' },
  response: ContextRecordList,
  errors: listErrors,
})

export const createContextRecord = endpoint({
  name: 'contextRecords.create',
  method: 'POST',
  path: '/context/records',
  summary: 'Create a Context record',
  body: z.object({ kind: ContextKind, targetId: ContextId, fields: RecordFields }),
  bodyBytes: limits.textBodyBytes,
  response: ContextRecord,
  errors: [...listErrors, 'already_exists', 'resource_exhausted'],
})

export const getContextRecord = endpoint({
  name: 'contextRecords.get',
  method: 'GET',
  path: '/context/records/:kind/:targetId',
  summary: 'Get a Context record with its fields',
  response: ContextRecord,
  errors,
})

export const listContextVersions = endpoint({
  name: 'contextVersions.list',
  method: 'GET',
  path: '/context/records/:kind/:targetId/versions',
  summary: 'List the versions of a Context record without fields, newest first',
  query: z.object({ pageSize: limitParam(limits.contextVersions), pageToken: z.string().optional() }),
  queryAliases: { limit: 'pageSize', cursor: 'pageToken' },
  response: ContextVersionList,
  errors,
})

export const getContextVersion = endpoint({
  name: 'contextVersions.get',
  method: 'GET',
  path: '/context/records/:kind/:targetId/versions/:revision',
  summary: 'Get a version of a Context record with its fields',
  response: z.object({ version: ContextVersion, fields: RecordFields }),
  errors,
})

export const restoreContextVersion = endpoint({
  name: 'contextVersions.restore',
  method: 'POST',
  path: '/context/records/:kind/:targetId/versions/:revision/restore',
  summary: 'Write the fields of a version as the next revision, unless the record changed since you read it',
  body: z.object({ expectedRevision: z.int().min(1) }),
  response: ContextRecord,
  errors: [...errors, 'already_exists'],
})
