import {
  messages,
  type PGlite,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
  types,
} from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'

import { takeTurns } from './take-turns.ts'

const { serialize } = protocol

/** A statement that is kept takes up to 50 kB of the database's memory. */
const maxKept = 300

/** Longer texts are inserts of many rows, and their text differs with the number of rows. */
const maxKeptLength = 10_000

type Statement = { name: string; parameterTypes: number[]; fields: { name: string; dataTypeID: number }[] }

/** `once` runs a statement without values that never comes again, such as one that names a transaction. It is not kept. */
type Once = { once: (text: string) => Promise<void> }

export type EmbeddedClient = Pick<PGlite, 'query'> &
  Once & { transaction: <Result>(work: (tx: Transaction & Once) => Promise<Result>) => Promise<Result> }

/**
 * PostgreSQL's own check of a foreign key is a statement for each row, and planning it takes ten times as long as the rest
 * of the insert. Outside transactions, lists of few and of many rows need different plans.
 */
const planOnce = 'set local plan_cache_mode = auto'

/**
 * The same database, which parses each statement only once. PGlite's own `query` parses it each time, in six messages,
 * and merges the parsers of every type that there is: it needs five times as long for a row by its key.
 * Expects the same `options` with every query but for `rowMode`, as Drizzle gives them.
 */
export function prepareStatements(client: PGlite): EmbeddedClient {
  const evicted: string[] = []
  const kept = new LRUCache<string, Statement>({ max: maxKept, dispose: ({ name }) => evicted.push(name) })
  let parsers: PGlite['parsers'] | undefined
  let prepared = 0
  const turn = takeTurns()

  async function run(text: string, values: unknown[] = [], options: QueryOptions = {}): Promise<Results<never>> {
    await turn()
    parsers ??= { ...client.parsers, ...options.parsers }
    const statement = kept.get(text) ?? (await prepare(text, { keep: text.length <= maxKeptLength }))
    return execute(statement, values, options.rowMode)
  }

  async function runOnce(text: string) {
    await turn()
    await execute(await prepare(text, { keep: false }), [], undefined)
  }

  async function execute(statement: Statement, values: readonly unknown[], rowMode: QueryOptions['rowMode']) {
    const parameters = values.map((value, at) => {
      if (value === null || value === undefined) return null
      return (client.serializers[statement.parameterTypes[at] ?? 0] ?? String)(value)
    })
    const answer = await send([
      ...evicted.splice(0).map((name) => serialize.close({ type: 'S', name })),
      serialize.bind({ statement: statement.name, values: parameters }),
      serialize.execute({}),
      serialize.sync(),
    ])
    return readResults(answer, { statement, parsers: parsers ?? client.parsers, rowMode })
  }

  async function prepare(text: string, { keep }: { keep: boolean }): Promise<Statement> {
    const name = keep ? `kept_${(prepared += 1)}` : ''
    const answer = await send([
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    const statement: Statement = { name, parameterTypes: [], fields: [] }
    for (const message of answer)
      if (message instanceof messages.ParameterDescriptionMessage) statement.parameterTypes = message.dataTypeIDs
      else if (message instanceof messages.RowDescriptionMessage) statement.fields = message.fields
    if (keep) kept.set(text, statement)
    return statement
  }

  const send = async (parts: Uint8Array[]) =>
    (await client.execProtocol(Buffer.concat(parts), { syncToFs: false })).messages

  /** What is outside a transaction waits for the end of one, as with PGlite's own. */
  const alone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await client._checkReady()
    return client._runExclusiveTransaction(async () => {
      const result = await client.runExclusive(work)
      await client.syncToFs()
      return result
    })
  }

  return {
    query: <T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>> =>
      alone(() => run(text, values, options)),
    once: (text) => alone(() => runOnce(text)),
    transaction: (work) =>
      client.transaction(async (tx) => {
        await client.runExclusive(() => run(planOnce))
        return work({
          ...tx,
          get closed() {
            return tx.closed
          },
          async query<T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>> {
            if (tx.closed) throw new Error('Transaction is closed')
            return client.runExclusive(() => run(text, values, options))
          },
          once: (text) => client.runExclusive(() => runOnce(text)),
        })
      }),
  }
}

type Reading = { statement: Statement; parsers: PGlite['parsers']; rowMode: QueryOptions['rowMode'] }

function readResults(answer: readonly unknown[], { statement, parsers, rowMode }: Reading): Results<never> {
  const { fields } = statement
  const rows: unknown[] = []
  for (const message of answer) {
    if (!(message instanceof messages.DataRowMessage)) continue
    const values = message.fields.map((text, at) => types.parseType(text, fields[at]?.dataTypeID ?? 0, parsers))
    rows.push(rowMode === 'array' ? values : Object.fromEntries(fields.map(({ name }, at) => [name, values[at]])))
  }
  return { rows: rows as never[], fields }
}
