import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { getReportVersion as getEndpoint, listReportVersions as endpoint } from '#contract/report-versions.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { requireReportId } from './require-report.ts'
import { findVersion, findVersions } from './version-store.ts'

/** GET /reports/{reportId}/versions. Errors: `not_found`. */
export async function listVersions(
  { db, organization }: Context,
  { reportId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const id = await requireReportId(db, { organizationId: organization.id, reportId })
  return { versions: await findVersions(db, id) }
}

/** GET /reports/{reportId}/versions/{versionId}. Errors: `not_found`. */
export async function getVersion(
  { db, organization }: Context,
  { reportId, versionId }: VerbInput<typeof getEndpoint>,
): Promise<ResponseOf<typeof getEndpoint>> {
  const id = await requireReportId(db, { organizationId: organization.id, reportId })
  const { version, description, bodyMarkdown } = await requireVersion(db, id, versionId)
  return { version, ...(description && { description }), ...(bodyMarkdown && { bodyMarkdown }) }
}

/** Errors: `not_found`. */
export async function requireVersion(db: Database, reportId: string, versionId: string) {
  const found = await findVersion(db, reportId, versionId)
  if (!found) throw notFound(`Version "${versionId}" does not exist. Old versions are deleted when there are many`)
  return found
}
