import { v7 as newId } from 'uuid'

import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { exhausted } from '#platform/ground/failures/failure.ts'
import {
  countReportPublications,
  findReportPublication,
  insertReportPublication,
  replacePublishedImages,
  updateReportPublication,
} from './report-store.ts'
import { hashToken, tokenOf } from './token.ts'

type Page = {
  reportId: string
  title: string
  description: string | null
  author: string
  version: string
  document: string
  imageIds: readonly string[]
}

/**
 * Replaces the public page of a report, or adds it. The caller has locked the report's row. Its link stays the same
 * until it is revoked. Errors: `resource_exhausted`.
 */
export async function freezeReport(context: Context, tx: Database, { reportId, imageIds, ...page }: Page) {
  const existing = await findReportPublication(tx, reportId)
  const frozen = { ...page, publishedBy: context.caller.recordedUnder, publishedAt: await clockNow(tx) }
  const id = existing?.id ?? newId()
  if (existing) await updateReportPublication(tx, id, frozen)
  else {
    const organizationId = context.organization.id
    if ((await countReportPublications(tx, organizationId)) >= limits.publishedReportsPerOrganization)
      throw exhausted(
        `An organization can publish ${limits.publishedReportsPerOrganization} reports. Revoke the page of another report`,
      )
    const key = context.keys.current('publications')
    const tokenHash = hashToken(tokenOf(id, key))
    await insertReportPublication(tx, { ...frozen, id, reportId, organizationId, tokenHash, keyId: key.id })
  }
  await replacePublishedImages(tx, id, imageIds)
  return { publicationId: id, publishedAt: frozen.publishedAt, isUpdate: existing !== null }
}
