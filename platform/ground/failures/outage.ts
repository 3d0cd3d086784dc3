import { blobsDownCode } from './blobs-down.ts'
import { exhausted, type Failure, unavailable } from './failure.ts'

/** Node's codes for connections that failed or were lost. */
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

/** pg reports the end of its own connections only with this text, without a code. */
const lostConnection =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/

/** PostgreSQL's classes and codes of temporary errors. */
const downStates = /^(08...|57P0[1235]|53[234]00|25P0[34]|25006|58030)$/
const busyStates = /^(55P03|40001|40P01)$/
const slowState = '57014'
const fullState = '53100'
const lostStates = /^(40001|40P01)$/

const fullDisk = () =>
  exhausted(
    'The disk of this installation is full, so nothing was saved. Ask the operator to free some space, then try again',
  )
const down = () => unavailable('The database does not answer right now. Try again in a moment')
const storeDown = () => unavailable('The storage for packages and transcripts is not responding. Try again in a moment')
const busy = () => unavailable('Another request is changing the same data right now. Try again in a moment')
const slow = () => unavailable('The database took too long to answer. Try again in a moment')

/**
 * The failure for a temporary error of the database or the disk: down, unreachable, busy or full. Null for any other
 * error. Drivers wrap errors, so causes are searched too.
 */
export function readOutage(error: unknown): Failure | null {
  for (const cause of causesOf(error)) {
    const outage = readOne(cause)
    if (outage) return outage
  }
  return null
}

/** Whether the database works, but a statement waited for too long or lost a deadlock. */
export const isBusy = (error: unknown) => causesOf(error).some((cause) => isBusyCode(codeOf(cause)))

/** Whether the database rolled a transaction back because another one was in its way. It may be repeated. */
export const isLostToAnother = (error: unknown) => causesOf(error).some((cause) => lostStates.test(codeOf(cause)))

/** The error, its cause, and so on. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  return causes
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '')
const isBusyCode = (code: string) => busyStates.test(code) || code === slowState

function readOne(error: Error): Failure | null {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === fullState) return fullDisk()
  if (busyStates.test(code)) return busy()
  if (code === slowState) return slow()
  if (code === blobsDownCode) return storeDown()
  if (networkCodes.has(code) || downStates.test(code) || lostConnection.test(error.message)) return down()
  return null
}
