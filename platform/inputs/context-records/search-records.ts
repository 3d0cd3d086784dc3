import { z } from 'zod'

import {
  type ContextRecordList,
  type contextRecordSorts,
  type listContextRecords as endpoint,
} from '#contract/context-records.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { readSorted } from '#contract/wire/sort-param.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { searchWords } from '#platform/ground/database/search-words.ts'
import { searchRecordRows } from './search-store.ts'
import { toSummary } from './to-record.ts'

type Sort = (typeof contextRecordSorts)[number]

const positions = {
  name: z.tuple([z.string(), z.string(), z.string()]),
  changed: z.tuple([Timestamp, z.string(), z.string()]),
} satisfies Record<Sort, z.ZodType>

/**
 * GET /context/records: the organization's records, by name. A record has every word of the search, in its id or its
 * fields. With the order `changed`, a record that changes during a walk may be missing from its later pages. Errors:
 * `invalid_argument` for a page token of another list.
 */
export async function searchRecords(
  { db, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<ContextRecordList> {
  const limit = input.pageSize ?? limits.contextRecords.default
  const sort = readSorted<Sort>(input.sort ?? 'name')
  const words = searchWords(input.search)
  const filter = { organizationId: organization.id, words, kinds: input.kind, pending: input.pending, sort }
  const listKey = ['context-records', filter] as const
  const position = readPageToken(input.pageToken, positions[sort.field], listKey)
  const after = position && { place: position[0], kind: position[1], id: position[2] }
  const rows = await searchRecordRows(db, { ...filter, after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ place, record }) => [place, record.kind, record.id])
  return { records: shown.map((row) => toSummary(row, words)), ...next }
}
