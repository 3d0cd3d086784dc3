import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readJunit } from './junit.ts'
import { capped, type ReportCase } from './report-case.ts'

export type JunitAnswer = { cases: ReportCase[] } | { problem: string }

/** Less is read before a process has started. */
const worthAProcess = 512 * 1024
const maxAnswerCharacters = 256 * 1024 * 1024

const program = fileURLToPath(new URL('./junit-process.ts', import.meta.url))

/**
 * Reads JUnit's XML, much of it in a process of its own: megabytes of small elements take many seconds, in which nobody's
 * lease would be renewed, and memory that would end this process (a thread out of memory takes it along). Throws with a reason.
 */
export async function readJunitApart(xml: string, { timeoutMs = 30_000, memoryMb = 1024 } = {}): Promise<ReportCase[]> {
  if (xml.length < worthAProcess) return capped(readJunit(xml))
  const reading = promisify(execFile)(process.execPath, [`--max-old-space-size=${memoryMb}`, program], {
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxAnswerCharacters,
  })
  reading.child.stdin?.on('error', () => {}).end(xml)
  const { stdout } = await reading.catch((cause: unknown) => {
    throw new Error('it takes too long, or too much memory, to be read', { cause })
  })
  const answer = JSON.parse(stdout) as JunitAnswer
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.cases
}
