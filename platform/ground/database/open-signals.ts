import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { sql } from 'drizzle-orm'
import { Client } from 'pg'

import type { Database } from './open-database.ts'

/** `queued`: runs may be queued or canceled. `ended`: runs may have ended, so analytics may be behind. */
export type Signal = 'queued' | 'ended'

export type Signals = {
  /** Wakes the other processes. Returns at once and never fails, because they also poll. */
  send: (signal: Signal) => void
  /** Starts to receive signals. Resolves after the first attempt to connect. */
  listen: () => Promise<void>
  close: () => Promise<void>
}

type Options = {
  /** Called when another process sent the signal, or may have sent it while this one was not connected. */
  onSignal: (signal: Signal) => void
  /** Signals of the same kind within this time are sent as one. */
  gatherMs?: number
  reconnectMs?: number
}

const channel = 'assay'
const endMs = 1000
const signals: readonly Signal[] = ['queued', 'ended']

/** An embedded database has no other processes. */
export const noSignals: Signals = { send: () => {}, listen: async () => {}, close: async () => {} }

/**
 * Wakes the processes on one PostgreSQL database with NOTIFY. It is sent outside of transactions, because PostgreSQL lets
 * transactions that notify commit only one after the other. A signal that is lost costs the time until the next poll.
 */
export function openSignals(
  db: Database,
  url: string,
  { onSignal, gatherMs = 100, reconnectMs = 1000 }: Options,
): Signals {
  const self = randomUUID()
  const closing = new AbortController()
  /** The kinds sent a moment ago, and whether they are to be sent again after it. */
  const recent = new Map<Signal, boolean>()
  let session: Client | null = null
  let listening: Promise<void> | null = null

  const send = (signal: Signal) => {
    if (closing.signal.aborted) return
    if (recent.has(signal)) return void recent.set(signal, true)
    recent.set(signal, false)
    db.execute(sql`select pg_notify(${channel}, ${`${signal} ${self}`})`).catch(() => {})
    setTimeout(() => {
      const isDue = recent.get(signal)
      recent.delete(signal)
      if (isDue) send(signal)
    }, gatherMs).unref()
  }

  const connect = async () => {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    })
    // A lost connection also emits `end`. An unhandled `error` event would end the process.
    client.on('error', () => {})
    client.once('end', () => {
      if (session === client) void reconnect()
    })
    client.on('notification', ({ payload = '' }) => {
      const [kind, sender] = payload.split(' ')
      const signal = signals.find((each) => each === kind)
      if (signal && sender !== self) onSignal(signal)
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      session = client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    if (closing.signal.aborted) await client.end()
  }

  const reconnect = async () => {
    session = null
    while (!closing.signal.aborted) {
      // Many processes lose their connections at the same moment.
      await delay(reconnectMs * (0.5 + Math.random()), undefined, { signal: closing.signal, ref: false }).catch(
        () => {},
      )
      if (closing.signal.aborted) return
      try {
        await connect()
        for (const signal of signals) onSignal(signal)
        return
      } catch {
        // PostgreSQL is down or starting. The polls log that.
      }
    }
  }

  return {
    send,
    listen: () => (listening ??= connect().catch(() => void reconnect())),
    async close() {
      closing.abort()
      const open = session
      session = null
      // A server that does not answer is not waited for. A connection in progress ends itself.
      await Promise.race([open?.end(), delay(endMs, undefined, { ref: false })])
    },
  }
}
