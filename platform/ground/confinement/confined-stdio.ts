import { openSync, readdirSync, readFileSync } from 'node:fs'
import type { Stream } from 'node:stream'

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

type Entry = number | 'pipe' | 'ipc' | 'ignore' | Stream

let inherited: number[] | undefined
let nothing: number | undefined

/**
 * `stdio` for a confined program. Every other inherited descriptor becomes /dev/null: Node closes inherited descriptors
 * only up to the first gap in their numbers, so a socket or log file could stay open inside.
 */
export function confinedStdio(stdio: readonly Entry[]) {
  const entries: Entry[] = [...stdio]
  inherited ??= inheritedDescriptors()
  for (const fd of inherited.filter((fd) => fd >= stdio.length)) {
    nothing ??= openSync('/dev/null', 'r+')
    // The descriptors in between are our own; `ignore` leaves them unchanged.
    entries.push(...Array.from({ length: fd - entries.length }, () => 'ignore' as const), nothing)
  }
  return entries
}
