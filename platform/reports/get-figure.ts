import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { getFigure as endpoint } from '#contract/report-figures.ts'
import type { Context } from '#platform/context/context.ts'
import { notFound } from '#platform/failures/failure.ts'
import type { StoredFigure } from './add-figure.ts'
import { findFigure } from './file-store.ts'
import { fileKey } from './file-key.ts'

const expand = promisify(gunzip)

/** GET /report-figures/{figureId}: the data of a pinned figure. Errors: `not_found`. */
export async function getFigure(
  { db, blobs, organization }: Context,
  { figureId }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const row = await findFigure(db, organization.id, figureId)
  const bytes = row && (await blobs.get(fileKey(row.id)))
  if (!bytes) throw notFound(`Figure "${figureId}" does not exist`)
  const { resultsJson, ...figure } = JSON.parse(String(await expand(bytes))) as StoredFigure
  return { figure: { ...figure, sizeBytes: row.sizeBytes }, resultsJson }
}
