import { markedName, plainName } from '#contract/marked-name.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { nameSkeleton } from './name-skeleton.ts'
import { findFellowNames, lockUser, updateUserName } from './person-store.ts'

type Person = { id: string; email: string; name: string }

/**
 * Marks the name of a person with their address if somebody else in one of their organizations already has it, or one that
 * looks the same. Call it after a change of the name or of a membership. Returns the name that others see.
 */
export async function showName(tx: Database, { id, email, name }: Person): Promise<string> {
  // In this order everywhere, so that two changes of one person never wait for each other.
  await lockUser(tx, id)
  await lockNamed(tx, 'names of people')
  const plain = plainName(name, email)
  const skeleton = nameSkeleton(plain)
  const others = await findFellowNames(tx, id)
  const shown = others.some((other) => nameSkeleton(other) === skeleton) ? markedName(plain, email) : plain
  await updateUserName(tx, id, shown)
  return shown
}

/** A name with an address would look like one that we marked. Errors: `invalid_argument`. */
export function requireUnmarked(name: string, email: string) {
  if (plainName(name, email).normalize('NFKC').includes('@')) throw invalid('name: must not contain @')
}
