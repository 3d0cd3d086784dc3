import { z } from 'zod'

import { inOrderOf } from '#contract/context-kinds.ts'
import type {
  ContextVersionList,
  getContextVersion as getEndpoint,
  listContextVersions as listEndpoint,
} from '#contract/context-records.ts'
import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { maxPosition } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { readKey } from './get-record.ts'
import { requireRecord } from './require-record.ts'
import type { RecordKey } from './store.ts'
import { toVersion } from './to-record.ts'
import { findVersion, findVersions } from './version-store.ts'

const Position = z.tuple([z.int().min(1).max(maxPosition)])

/**
 * GET /context/records/{kind}/{targetId}/versions: newest first. Errors: `not_found`, and `invalid_argument` for
 * another list's page token.
 */
export async function listVersions(
  { db, organization }: Context,
  input: VerbInput<typeof listEndpoint>,
): Promise<ContextVersionList> {
  const key = readKey(organization.id, input)
  const limit = input.pageSize ?? limits.contextVersions.default
  const listKey = ['context-versions', key] as const
  const [before] = readPageToken(input.pageToken, Position, listKey) ?? []
  await requireRecord(db, key)
  const rows = await findVersions(db, key, { ...(before !== undefined && { before }), limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ version }) => [version.revision])
  return { versions: shown.map(toVersion), ...next }
}

/** GET /context/records/{kind}/{targetId}/versions/{revision}. Errors: `not_found`. */
export async function getVersion(
  { db, organization }: Context,
  { revision, ...path }: VerbInput<typeof getEndpoint>,
): Promise<ResponseOf<typeof getEndpoint>> {
  const row = await requireVersion(db, readKey(organization.id, path), revision)
  return { version: toVersion(row), fields: inOrderOf(row.version.kind, row.version.fields) }
}

export async function requireVersion(db: Database, key: RecordKey, revision: string) {
  const row = /^[1-9]\d{0,8}$/.test(revision) ? await findVersion(db, key, Number(revision)) : null
  if (!row) throw notFound(`The ${key.kind} "${key.targetId}" has no version ${revision}`)
  return row
}
