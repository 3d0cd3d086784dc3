import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** A process that has ended runs nothing, even if nobody has asked for its exit code. */
export async function hasEnded(pid: number, proc = '/proc') {
  const state = (await readStat(pid, proc))?.state
  return state === undefined || state === 'Z' || state === 'X'
}

/** Resolves when a process has ended, or after five seconds. */
export async function untilProcessGone(pid: number) {
  for (let waitedMs = 0; waitedMs < 5000 && !(await hasEnded(pid)); waitedMs += 5) await delay(5)
}

/** The processes that a /proc shows: those of this machine, or those of a namespace. */
export const listProcesses = async (proc = '/proc') =>
  (await readdir(proc)).filter((name) => /^\d+$/.test(name)).map(Number)

/** The state, parent and session of a process, or null if there is none. */
export async function readStat(pid: number, proc = '/proc') {
  const text = await readFile(`${proc}/${pid}/stat`, 'latin1').catch(() => '')
  // The name of its program, in parentheses, may contain anything.
  const [state, parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state === undefined || state === '' ? null : { state, parent: Number(parent), session: Number(session) }
}
