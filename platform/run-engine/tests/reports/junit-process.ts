import { text } from 'node:stream/consumers'

import type { JunitAnswer } from './junit-apart.ts'
import { readJunit } from './junit.ts'
import { capped } from './report-case.ts'

process.umask(0o077)

/** The process of junit-apart.ts: XML on standard input, what it holds on standard output. */
function answer(xml: string): JunitAnswer {
  try {
    return { cases: capped(readJunit(xml)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

process.stdout.write(JSON.stringify(answer(await text(process.stdin))))
