import { readdir, readFile } from 'node:fs/promises'

/** A process that has ended runs nothing, even if nobody has asked for its exit code. */
export async function hasEnded(pid: number, proc = '/proc') {
  const state = (await readStat(pid, proc))?.state
  return state === undefined || state === 'Z' || state === 'X'
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
