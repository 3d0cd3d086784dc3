import type { Services } from '#platform/ground/context/context.ts'
import { removeAllOldPresence } from './store.ts'

/** A row has the start of a text that may never be saved. */
const keptSeconds = 60

/** Deletes where people were in reports that nobody has opened since. */
export async function deleteOldPresence({ db }: Pick<Services, 'db'>) {
  await removeAllOldPresence(db, keptSeconds)
}
