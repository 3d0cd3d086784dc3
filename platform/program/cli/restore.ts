import { restoreBackup } from '#platform/program/backup/restore-backup.ts'
import type { PlatformConfig } from '#platform/program/server/platform-config.ts'

/** Makes the data folder of a backup and prints what is in it. */
export async function restore({ dataFolder, databaseUrl }: PlatformConfig, file: string) {
  if (databaseUrl !== undefined)
    throw new Error('A backup is restored into a data folder. Run this without DATABASE_URL')
  const { madeAt, bucket } = await restoreBackup(file, dataFolder)
  process.stdout.write(`Restored the backup of ${madeAt} to ${dataFolder}. The first start rebuilds its analytics\n`)
  if (bucket !== null) process.stdout.write(`Start it with BLOBS_URL: its packages and transcripts are in ${bucket}\n`)
}
