import { z } from 'zod'

import { Bytes, type ContentJob } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import type { PatchWork, Section } from './patch-sections.ts'

export type SectionsRequest = { sections: readonly Section[]; work: PatchWork }

/** A part of a patch, and the work that is left for the next ones. */
const WrittenSections = z.object({
  patch: Bytes,
  work: z.object({ left: z.number(), uncompared: z.int() }),
})
export type WrittenSections = z.infer<typeof WrittenSections>

const writeSections: ContentJob<null, SectionsRequest, WrittenSections> = {
  module: new URL('./sections-work.ts', import.meta.url),
  answer: WrittenSections,
  processorSeconds: 60,
}

/** Writes some files of a patch in a content process. */
export const writeSectionsApart = (
  organizationId: string,
  sections: readonly Section[],
  work: PatchWork,
): Promise<WrittenSections> => askContent(organizationId, writeSections, null, { sections, work })
