import { inOrderOf } from '#contract/context-kinds.ts'
import type { ContextRecord, ContextRecordSummary, ContextVersion } from '#contract/context-records.ts'
import { excerptOf } from './excerpt.ts'
import type { RecordRow } from './search-store.ts'
import type { VersionRow } from './version-store.ts'

const factsOf = ({ record, changer, pending }: RecordRow) => ({
  kind: record.kind,
  targetId: record.id,
  name: record.fields['name'] ?? record.id,
  revision: record.revision,
  createdAt: record.createdAt,
  changedAt: record.updatedAt,
  ...(changer && { changedBy: changer }),
  pendingSuggestions: pending,
})

export const toRecord = (row: RecordRow): ContextRecord => ({
  ...factsOf(row),
  fields: inOrderOf(row.record.kind, row.record.fields),
})

export const toSummary = (row: RecordRow, words: readonly string[]): ContextRecordSummary => ({
  ...factsOf(row),
  excerpt: excerptOf(inOrderOf(row.record.kind, row.record.fields), words),
})

export const toVersion = ({ version, changer, author }: VersionRow): ContextVersion => ({
  revision: version.revision,
  cause: version.cause,
  changedAt: version.changedAt,
  ...(changer && { changedBy: changer }),
  changedFields: version.changedFields,
  ...(version.suggestionId !== null && author && { suggestion: { suggestionId: version.suggestionId, author } }),
  ...(version.restoredRevision !== null && { restoredRevision: version.restoredRevision }),
})
