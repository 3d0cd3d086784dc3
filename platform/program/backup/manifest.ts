import { z } from 'zod'

/** What a backup says about itself, in `backup.json`. */
export const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The newest migration of its database, as drizzle's journal names it. */
  migration: z.string(),
  /** The bucket that has the packages and transcripts, or null if the backup has them. */
  bucket: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'backup.json'

/** Folders and files of a data folder that are made again, belong to one process, or are copied in another way. */
export const leftOut = /^(analytics|blobs|images|lock|lock-journal|logs|operator\.json|sessions|state|work|backup-.*)$/
