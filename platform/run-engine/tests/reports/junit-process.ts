import { text } from 'node:stream/consumers'

import type { JunitAnswer } from './junit-apart.ts'
import { readJunit } from './junit.ts'
import { capCases } from './report-case.ts'

process.umask(0o077)

/** The process that junit-apart.ts starts: reads XML from stdin and writes its cases to stdout. */
function answer(xml: string): JunitAnswer {
  try {
    return { cases: capCases(readJunit(xml)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

process.stdout.write(JSON.stringify(answer(await text(process.stdin))))
