import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

export type AnalyticsClaim = { release: () => Promise<void> }

/** Any fixed number but the migrations' own: every server asks for the same lock. */
const analyticsLock = 4402

/** The session of a server that was just killed may outlive it for a moment. */
const attempts = 10
const retryMilliseconds = 300

const taken = () =>
  new Error(
    'Another server feeds its embedded analytics from the database at DATABASE_URL, and two would each show half of the runs; stop it, or start this one as a worker (npm run -s assay -- run-worker)',
  )

/**
 * Takes the outbox of a PostgreSQL database for the embedded analytics of this process alone, or throws. A lock of a
 * session kept for nothing else: PostgreSQL drops it whenever this process ends, kill -9 included. When the connection
 * breaks, it is taken again; `onLost` tells that another server was faster.
 */
export async function claimEmbeddedAnalytics(
  databaseUrl: string,
  onLost: (error: Error) => void,
): Promise<AnalyticsClaim> {
  const releasing = new AbortController()
  let session = await takeSoon(databaseUrl)
  if (!session) throw taken()
  keep(session)

  function keep(held: Client) {
    held.once('end', () => void takeBack())
  }
  async function takeBack() {
    while (!releasing.signal.aborted) {
      try {
        session = await takeSoon(databaseUrl)
        if (!session) return onLost(taken())
        keep(session)
        if (releasing.signal.aborted) await session.end()
        return
      } catch {
        // PostgreSQL is down or starting: nobody else can take it meanwhile.
        await sleep(1000)
      }
    }
  }
  return {
    async release() {
      releasing.abort()
      await session?.end()
    },
  }
}

async function takeSoon(databaseUrl: string) {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const session = await take(databaseUrl)
    if (session) return session
    if (attempt < attempts) await sleep(retryMilliseconds)
  }
  return null
}

/** A session that holds the lock, or null when another does. */
async function take(databaseUrl: string) {
  const session = new Client({ connectionString: databaseUrl, keepAlive: true })
  // A lost connection also ends the session, which is listened for; unheard, this event would end the process.
  session.on('error', (error) => console.error('The claim on embedded analytics lost its connection:', error.message))
  await session.connect()
  try {
    // A machine that vanished with its lock is noticed within a minute, not within hours.
    await session.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
    const { rows } = await session.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      analyticsLock,
    ])
    if (rows[0]?.isOurs) return session
  } catch (error) {
    await session.end()
    throw error
  }
  await session.end()
  return null
}
