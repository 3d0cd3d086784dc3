import { killGroup } from './kill-group.ts'
import { processStarter } from './process-starter.ts'
import { untilClosed } from './started-process.ts'

const longestMessage = 300

type Options = { cwd?: string; signal?: AbortSignal | undefined; timeoutMs?: number }

/**
 * Runs a tool of the system, such as `cp`, to its end. The starter starts it, because that takes a large process up to
 * 70 ms. Throws an Error with the first line that the tool complained with if it fails, cannot be started or takes
 * longer than `timeoutMs`, and the signal's reason if it was aborted.
 */
export async function runToEnd(tool: string, args: readonly string[], { cwd, signal, timeoutMs }: Options = {}) {
  signal?.throwIfAborted()
  const { PATH } = process.env
  const starter = await processStarter()
  const running = await starter.start({ command: tool, args, cwd, env: { PATH } })
  const late = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]
  const ending = AbortSignal.any([...(signal ? [signal] : []), ...late])
  const kill = () => killGroup(running.pid)
  ending.addEventListener('abort', kill)
  if (ending.aborted) kill()
  let complaint = ''
  running.stdin.end()
  running.stdout.resume()
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < longestMessage) complaint += text
  })
  try {
    await untilClosed(running)
  } finally {
    ending.removeEventListener('abort', kill)
  }
  signal?.throwIfAborted()
  if (ending.aborted) throw new Error(`${tool} did not end within ${(timeoutMs ?? 0) / 1000} s`)
  const exitCode = await running.exit
  if (exitCode === 0) return
  const [line = ''] = complaint.trim().split('\n')
  throw new Error(`${tool} failed with exit code ${exitCode}${line && `: ${line.slice(0, longestMessage)}`}`)
}
