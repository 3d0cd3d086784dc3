import { inOrderOf } from '#contract/context-kinds.ts'
import type { ContextSnapshot } from '#contract/context-suggestions.ts'
import type { contextRecords } from '#platform/ground/database/tables/context-records.ts'

type Stored = typeof contextRecords.$inferSelect

export const toSnapshot = ({ id: targetId, kind, revision, fields }: Stored): ContextSnapshot => ({
  kind,
  targetId,
  revision,
  fields: inOrderOf(kind, fields),
})
