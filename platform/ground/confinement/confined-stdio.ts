import { openSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/** Files, pipes and sockets that this process inherited and would pass on. Node passes on none of its own. */
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
 * `stdio` for a confined program. Every other inherited descriptor becomes /dev/null: Node closes inherited descriptors
 * only up to the first gap in their numbers, so a socket or log file could stay open inside.
 */
export function confinedStdio(stdio: readonly (number | 'pipe' | 'ipc' | 'ignore')[]) {
  const entries: (number | 'pipe' | 'ipc' | 'ignore')[] = [...stdio]
  for (const fd of inheritedDescriptors().filter((fd) => fd >= stdio.length)) {
    nothing ??= openSync('/dev/null', 'r+')
    // The descriptors in between are our own; `ignore` leaves them unchanged.
    entries.push(...Array.from({ length: fd - entries.length }, () => 'ignore' as const), nothing)
  }
  return entries
}
