import { text } from 'node:stream/consumers'

import type { JunitResult } from './junit-apart.ts'
import { readJunit } from './junit.ts'
import { capReading } from './report-case.ts'

process.umask(0o077)

/** The process that junit-apart.ts starts: reads XML from stdin and writes what it says to stdout. */
function result(xml: string): JunitResult {
  try {
    return { reading: capReading(readJunit(xml)) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

process.stdout.write(JSON.stringify(result(await text(process.stdin))))
