import { buffer } from 'node:stream/consumers'

import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { writeSection } from './patch-sections.ts'
import type { SectionsRequest, WrittenSections } from './write-sections-apart.ts'

/** Writes some files of a patch, in a content process. */
export const open: OpenJob<null, SectionsRequest, WrittenSections> =
  () =>
  async ({ sections, work }) => {
    const parts: Uint8Array[] = []
    for (const section of sections) parts.push(await buffer(writeSection(section, work)))
    return { patch: Buffer.concat(parts), work }
  }
