import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { type FoundTurns, type PageRequest, pageFinder } from './find-page-turns.ts'

/** Finds the turns of a page in one segment, in a content process. */
export const open: OpenJob<null, PageRequest, FoundTurns> = () => pageFinder()
