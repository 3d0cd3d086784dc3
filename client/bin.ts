import './older-node.ts'
import { ioOfProcess } from './io.ts'
import { runClient } from './run-client.ts'

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', () => process.exit(0))
process.exitCode = await runClient(process.argv.slice(2), ioOfProcess())
