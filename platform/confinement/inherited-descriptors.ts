import { openSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/** Files, pipes and sockets that this process was started with and would pass on. Node passes on none of its own. */
function inheritedDescriptors() {
  const passedOn = (fd: number) => {
    try {
      const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
      return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
    } catch {
      return false
    }
  }
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter(passedOn)
      .sort((a, b) => a - b)
  } catch {
    return []
  }
}

let nothing: number | undefined

/**
 * `stdio` for a confined program. What else it would inherit becomes /dev/null: Node hides what it was started with only
 * up to the first gap in its descriptors, and someone's socket or log file would stand open inside.
 */
export function withoutInherited(stdio: readonly ('pipe' | 'ipc' | 'ignore')[]) {
  const entries: (number | 'pipe' | 'ipc' | 'ignore')[] = [...stdio]
  for (const fd of inheritedDescriptors().filter((fd) => fd >= stdio.length)) {
    nothing ??= openSync('/dev/null', 'r+')
    // In between are descriptors of our own; `ignore` leaves them alone.
    entries.push(...Array.from({ length: fd - entries.length }, () => 'ignore' as const), nothing)
  }
  return entries
}
