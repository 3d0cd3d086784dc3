import { randomBytes } from 'node:crypto'

import { seal, unseal } from '#bff/seal-session.ts'
import type { SessionDatabase } from '#bff/session-database.ts'
import { keyOf, sessionName } from '#bff/session-keys.ts'
import { type Attempt, maxAttempts } from './attempts.ts'

const isOver = `started_at < now() - interval '10 minutes'`

/** Sign-ins in progress that any of several BFFs can finish, sealed like sessions. */
export function sharedAttempts(database: SessionDatabase) {
  return {
    async start(attempt: Attempt) {
      const id = randomBytes(32).toString('base64url')
      const name = sessionName(id)
      const sealed = seal(keyOf(id), name, JSON.stringify(attempt))
      await database.query(
        `delete from bff.sign_ins where ${isOver} or started_at <
          (select started_at from bff.sign_ins order by started_at desc offset $1 limit 1)`,
        [maxAttempts],
      )
      await database.query('insert into bff.sign_ins (name, sealed) values ($1, $2)', [name, sealed])
      return id
    },

    async consume(id: string | undefined): Promise<Attempt | null> {
      if (!id) return null
      const name = sessionName(id)
      const [row] = await database.query<{ sealed: Buffer; isOver: boolean }>(
        `delete from bff.sign_ins where name = $1 returning sealed, ${isOver} as "isOver"`,
        [name],
      )
      const text = row && !row.isOver && unseal(keyOf(id), name, row.sealed)
      return text ? (JSON.parse(text) as Attempt) : null
    },
  }
}
