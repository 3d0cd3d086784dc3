import { limits } from '#contract/wire/limit.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { exhausted } from '#platform/ground/failures/failure.ts'
import { countUnusedFigures, sumFiles } from './file-store.ts'

const advice = 'Delete reports that have images or pinned figures'

/** Refuses a file that does not fit the space of the organization. The caller holds the reports clock. */
export async function requireRoom(tx: Database, organizationId: string, bytes: number) {
  const least = limits.reportFileLeastBytes
  const used = await sumFiles(tx, organizationId, least)
  if (used.files >= limits.reportFilesPerOrganization)
    throw exhausted(
      `This organization already has ${limits.reportFilesPerOrganization.toLocaleString('en')} images and pinned figures. ${advice}`,
    )
  if (used.bytes + Math.max(bytes, least) > limits.reportFileBytesOfOrganization)
    throw exhausted(`This organization has no space left for images and pinned figures. ${advice}`)
}

/** Refuses a figure of a person who pins without showing. The caller holds the reports clock. */
export async function requireRoomForFigure(tx: Database, organizationId: string, userId: string) {
  if ((await countUnusedFigures(tx, organizationId, userId)) < limits.unusedFiguresPerPerson) return
  throw exhausted(
    `You pinned ${limits.unusedFiguresPerPerson} figures that no report shows. Show them in a report, or try again tomorrow: figures that no report shows are deleted after a day`,
  )
}
