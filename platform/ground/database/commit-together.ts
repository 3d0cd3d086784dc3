import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { pauseAfter } from './give-way.ts'
import { clientOf, type Database, onClient } from './open-database.ts'
import { maxParts, nameOfEnd, nameOfPart } from './unfinished-groups.ts'

/** The group in progress of each database. Two at once would leave others half the time. */
const inProgress = new WeakMap<Database, Promise<unknown>>()

type Group = {
  /**
   * Each is a short transaction of its own, and others use the database between them. No trigger fires in them and no foreign key is
   * checked, so that what is prepared locks no row that anybody waits for: `end` does what the triggers would.
   */
  parts: readonly ((tx: Database) => Promise<void>)[]
  /** The last transaction. Nothing of the group happens unless it returns true. */
  end: (tx: Database) => Promise<boolean>
}

/**
 * Does the work of one long transaction on an embedded database in many short ones that become visible at once, or never. PostgreSQL
 * calls them prepared: nobody sees them until all are committed, and they survive a kill, after which `finishGroups`
 * commits or removes them.
 */
export function commitTogether(db: Database, group: Group): Promise<void> {
  const earlier = inProgress.get(db) ?? Promise.resolve()
  const done = earlier.then(() => doGroup(db, group))
  inProgress.set(
    db,
    done.catch(() => {}),
  )
  return done
}

async function doGroup(db: Database, { parts, end }: Group) {
  if (parts.length > maxParts) throw new Error(`A group has at most ${maxParts} parts, not ${parts.length}`)
  const client = clientOf(db)
  const id = randomUUID()
  const prepared: string[] = []
  let isDecided = false
  try {
    for (const [index, part] of parts.entries()) {
      const name = nameOfPart(id, index)
      let startedAt = 0
      await client.transaction(async (tx) => {
        startedAt = performance.now()
        await tx.once('set local session_replication_role = replica')
        await part(onClient(tx))
        await tx.once(prepare(name))
      })
      prepared.push(name)
      await delay(pauseAfter(startedAt))
    }
    await client.transaction(async (tx) => {
      if (!(await end(onClient(tx)))) return
      await tx.once(prepare(nameOfEnd(id)))
      isDecided = true
      // Nobody else has a turn before the end of this callback, so nobody sees a part of the group.
      for (const name of [...prepared, nameOfEnd(id)]) await tx.once(`commit prepared '${name}'`)
    })
  } finally {
    if (!isDecided) for (const name of prepared) await client.once(`rollback prepared '${name}'`)
  }
}

/** Ends the transaction of the callback: the commit that follows it finds none. */
const prepare = (name: string) => `prepare transaction '${name}'`
