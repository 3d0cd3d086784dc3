import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'

import { prepareStatements } from './prepared-statements.ts'

test('a loop of statements on the embedded database gives others a turn, also in a transaction', async () => {
  const client = await PGlite.create()
  const db = prepareStatements(client)
  const statement = 'select sum(n) from generate_series(1, 20000) n'
  await db.query(statement)
  const turnsDuring = async (work: () => Promise<unknown>) => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await work()
    isDone = true
    return turns
  }
  const loop = async (query: (text: string) => Promise<unknown>) => {
    for (let done = 0; done < 60; done += 1) await query(statement)
  }
  expect(await turnsDuring(() => loop((text) => db.query(text)))).toBeGreaterThan(3)
  expect(await turnsDuring(() => db.transaction((tx) => loop((text) => tx.query(text))))).toBeGreaterThan(3)
  await client.close()
})
