import { exhausted, type Failure, unavailable } from './failure.ts'

/** Connections that could not be made or were lost, as Node names them. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** pg gives the end of its own connections no code, only these words. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/

/** Classes and codes of PostgreSQL that pass without a change to the statement. */
const downStates = /^(08...|57P0[1235]|53[234]00|25P0[34]|25006|58030)$/
const busyStates = /^(55P03|40001|40P01)$/
const slowState = '57014'
const fullState = '53100'

const fullDisk = () =>
  exhausted(
    'The disk of this installation is full, so nothing was saved. Ask the operator to free some space, then try again',
  )
const down = () => unavailable('The database does not answer right now. Try again in a moment')
const busy = () => unavailable('Somebody else is changing the same data right now. Try again in a moment')
const slow = () => unavailable('The database took too long to answer. Try again in a moment')

/**
 * The refusal that stands for an error which passes by itself, of the database or the disk: it is down, unreachable, busy
 * or full. Null for any other error. Drivers wrap what they throw, so causes are searched too.
 */
export function readOutage(error: unknown): Failure | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const outage = readOne(at)
    if (outage) return outage
  }
  return null
}

function readOne(error: Error): Failure | null {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === fullState) return fullDisk()
  if (busyStates.test(code)) return busy()
  if (code === slowState) return slow()
  if (networkCodes.has(code) || downStates.test(code) || lostConnection.test(error.message)) return down()
  return null
}
