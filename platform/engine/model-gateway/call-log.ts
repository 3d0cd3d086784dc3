import type { CallRecord } from './call-record.ts'

const flushAfterMs = 1000
/** A run with more calls than this keeps only the sum of the others. */
const maxRecords = 10_000

/** Writes the records of one run in batches. `write` may be repeated with records that it has already written. */
export function createCallLog(write: (records: readonly CallRecord[]) => Promise<void>) {
  let waiting: CallRecord[] = []
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let failure: unknown = null

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    if (batch.length > 0)
      writing = writing
        .then(() => write(batch))
        .catch((error: unknown) => {
          failure ??= error
        })
    return writing
  }
  return {
    push(record: CallRecord) {
      count += 1
      if (count > maxRecords) return
      waiting.push(record)
      timer ??= setTimeout(() => void flush(), flushAfterMs)
    },
    flush,
    /** Throws what a write threw. */
    async close() {
      await flush()
      if (failure !== null) throw failure
    },
  }
}
