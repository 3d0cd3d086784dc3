import type { ModelCall } from '#contract/model-calls.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { holdsRun } from '#platform/queue/run-queue/holds-run.ts'
import { toStorableText } from '#platform/queue/run-queue/storable-text.ts'
import { insertModelCalls } from './store.ts'

/**
 * Stores calls of a run attempt. May be repeated with the same calls. Writes nothing if another attempt has the run by
 * now.
 */
export async function recordModelCalls(
  db: Database,
  attempt: { runId: string; attempt: number },
  calls: readonly Omit<ModelCall, 'attempt'>[],
) {
  await db.transaction(async (tx) => {
    if (!(await holdsRun(tx, attempt))) return
    for (let at = 0; at < calls.length; at += rowsPerStatement)
      await insertModelCalls(
        tx,
        calls.slice(at, at + rowsPerStatement).map((call) => ({ ...storable(call), ...attempt })),
      )
  })
}

/** A statement can have 65,535 values. */
const rowsPerStatement = 1000

/** The agent chooses the model, and its provider the other texts. */
const storable = <Call extends Omit<ModelCall, 'attempt'>>(call: Call): Call => ({
  ...call,
  model: storableText(call.model),
  answeredModel: storableText(call.answeredModel),
  error: storableText(call.error),
})

const storableText = (text: string | null) => (text === null ? null : toStorableText(text))
