import { PGlite } from '@electric-sql/pglite'
import { vi } from 'vitest'

/** Counts the rows that each transaction of embedded databases inserts, until `stop`. Others wait for the longest one. */
export function countInserted() {
  const rows: number[] = []
  const send = PGlite.prototype.execProtocol
  const spy = vi.spyOn(PGlite.prototype, 'execProtocol').mockImplementation(async function (this: PGlite, ...given) {
    const answer = await send.apply(this, given)
    for (const message of answer.messages) {
      const text = 'text' in message ? String(message.text) : ''
      // Every transaction starts with a setting (`prepared-statements.ts`).
      if (text === 'SET') rows.push(0)
      const inserted = /^INSERT 0 (\d+)/.exec(text)?.[1]
      if (inserted !== undefined && rows.length > 0) rows[rows.length - 1] = (rows.at(-1) ?? 0) + Number(inserted)
    }
    return answer
  })
  return { rows, stop: () => spy.mockRestore() }
}
