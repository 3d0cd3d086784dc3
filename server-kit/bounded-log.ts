type Write = (this: unknown, ...line: unknown[]) => void
type Count = { written: number; skipped: number }

const warning = 40
const windowMs = 60_000
/** Kinds of lines are few; this bounds them all the same. */
const maxKinds = 200

/**
 * A hook for pino that writes at most `perMinute` warnings and errors of one kind a minute, so that a flood of refused
 * requests cannot fill the disk. The number of skipped lines follows when the minute has ended.
 */
export function boundedLog(perMinute = 60) {
  const counts = new Map<string, Count>()

  function startCount(logger: unknown, message: string, kind: string, write: Write) {
    const count: Count = { written: 0, skipped: 0 }
    counts.set(kind, count)
    const timer = setTimeout(() => {
      counts.delete(kind)
      if (count.skipped > 0) write.call(logger, { skipped: count.skipped }, `${message} (lines skipped in one minute)`)
    }, windowMs)
    timer.unref()
    return count
  }

  return function logMethod(this: unknown, line: unknown[], write: Write, level: number) {
    if (level < warning) return write.apply(this, line)
    const message = line.find((part) => typeof part === 'string') ?? ''
    const named = `${message} ${codeOf(line[0])}`
    const kind = counts.has(named) || counts.size < maxKinds ? named : ''
    const count = counts.get(kind) ?? startCount(this, message, kind, write)
    if (count.written < perMinute) {
      count.written += 1
      return write.apply(this, line)
    }
    count.skipped += 1
  }
}

/** Keeps a flood of refusals from hiding faults of another kind. */
function codeOf(bindings: unknown): string {
  if (typeof bindings !== 'object' || bindings === null) return ''
  const error = 'err' in bindings ? bindings.err : bindings
  return error instanceof Error ? `${error.name} ${'code' in error ? String(error.code) : ''}` : ''
}
