import { spawn } from 'node:child_process'

import { killGroup } from '#platform/ground/processes/kill-group.ts'

const maxOutputBytes = 64 * 1024 * 1024
const maxMessageCharacters = 300

type Call = { input?: string; env?: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal }

/**
 * Runs a program to its end and returns its output. Throws with the first line that it complained with, even when it
 * hangs. Kills its whole process group then, because a site's own wrapper may be in front of the program.
 */
export async function runProgram(program: string, args: readonly string[], call: Call): Promise<string> {
  const { input = '', env = process.env, timeoutMs, signal } = call
  signal.throwIfAborted()
  const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const [output, complaints] = [collect(child.stdout), collect(child.stderr)]
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid)
    // A process that left the group may keep them open for ever.
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
  deadline.addEventListener('abort', kill)
  // It may end without reading its input.
  child.stdin.on('error', () => {}).end(input)
  try {
    const { code, error } = await new Promise<{ code: number | null; error?: NodeJS.ErrnoException }>((resolve) => {
      child.once('error', (error) => resolve({ code: null, error }))
      child.once('close', (code) => resolve({ code }))
    })
    signal.throwIfAborted()
    if (error?.code === 'ENOENT') throw new Error(`${program} is not installed on this machine, or not in PATH`)
    if (error) throw new Error(`${program} could not be started: ${error.message}`)
    if (deadline.aborted) throw new Error(`${program} did not answer within ${timeoutMs / 1000} s`)
    if (code !== 0) throw new Error(`${program} failed${why(complaints.text() || output.text())}`)
    return output.text()
  } finally {
    deadline.removeEventListener('abort', kill)
  }
}

function collect(stream: NodeJS.ReadableStream) {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < maxOutputBytes) text += chunk
  })
  return { text: () => text }
}

function why(text: string) {
  const line = (text.trim().split('\n')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, maxMessageCharacters)
  return line === '' ? ' without an error message' : `: ${line}`
}
