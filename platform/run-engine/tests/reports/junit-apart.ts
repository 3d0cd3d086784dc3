import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readJunit } from './junit.ts'
import { capReading, type ReportReading } from './report-case.ts'

export type JunitResult = { reading: ReportReading } | { problem: string }

/** Smaller documents are parsed faster than a process starts. */
const worthAProcess = 512 * 1024
const maxAnswerCharacters = 256 * 1024 * 1024

const program = fileURLToPath(new URL('./junit-process.ts', import.meta.url))

/**
 * Parses JUnit XML, large documents in a separate process. Megabytes of small elements take many seconds, during which
 * this process could renew no leases, and enough memory to end this process (a worker thread that runs out of memory
 * ends it too). Throws an Error with a reason.
 */
export async function readJunitApart(
  xml: string,
  { timeoutMs = 30_000, memoryMb = 1024 } = {},
): Promise<ReportReading> {
  if (xml.length < worthAProcess) return capReading(readJunit(xml))
  const reading = promisify(execFile)(process.execPath, [`--max-old-space-size=${memoryMb}`, program], {
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxAnswerCharacters,
  })
  reading.child.stdin?.on('error', () => {}).end(xml)
  const { stdout } = await reading.catch((cause: unknown) => {
    throw new Error('reading it takes too long or too much memory', { cause })
  })
  const result = JSON.parse(stdout) as JunitResult
  if ('problem' in result) throw new Error(result.problem)
  return result.reading
}
