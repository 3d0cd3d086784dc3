import { logFault } from '#server-kit/log-fault.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import { requireWriter } from '#platform/ground/context/require-role.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { starterContext } from '#platform/people/identity/starter-context.ts'
import { type HeldImport, LeaseLost, whileHeld } from './held-import.ts'
import { readForPreview } from './read-import.ts'
import { runImport } from './run-import.ts'
import { claimImport, type ImportRow, type ImportWork, releaseLease, updateHeld } from './store.ts'
import { undoRuns } from './undo-import.ts'

/** Does some work of an import whose turn it is, with its lease. Returns false when there is nothing to do. */
export async function performImport(services: Services, work: ImportWork, stopping: AbortSignal): Promise<boolean> {
  const row = await claimImport(services.db, work)
  if (!row) return false
  await whileHeld(services.db, row, stopping, (held) => performHeld(services, held))
  return true
}

async function performHeld(services: Services, held: HeldImport) {
  const { row, signal } = held
  try {
    if (row.state === 'undoing') await undoRuns(services, held)
    else {
      const context = await contextOf(services, row)
      await (row.state === 'reading' ? readForPreview(context, held) : runImport(context, held))
    }
  } catch (error) {
    if (!(error instanceof LeaseLost) && !signal.aborted) await noteFailure(services, row, error)
  } finally {
    await releaseLease(services.db, row)
  }
}

async function noteFailure({ db }: Services, row: ImportRow, error: unknown) {
  const isKnown = error instanceof Failure && error.code !== 'internal'
  if (!isKnown) logFault(`An import failed while it was ${row.state}`, error)
  await updateHeld(db, row, {
    state: 'failed',
    stateReason: isKnown ? error.message.slice(0, 2000) : 'The platform failed; its log says why. Try it again',
    endedAt: await clockNow(db),
  })
}

/** What an import stores needs no more rights than those of a member. */
async function contextOf(services: Services, row: ImportRow): Promise<Context> {
  const starter = await starterContext(services, row)
  if (!starter) throw new Failure('permission_denied', 'The person who started it is no longer a member')
  requireWriter(starter.now)
  return starter.context
}
