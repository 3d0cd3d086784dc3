// `npm run -s assay -- …`: the command line, run by the project's own Node.
import { spawn } from 'node:child_process'

import { ensureInstalled, node, root } from './installed.mjs'

ensureInstalled()
const child = spawn(node, [`${root}platform/cli/main.ts`, ...process.argv.slice(2)], { stdio: 'inherit' })

// A terminal's Ctrl-C reaches the child by itself; a signal sent to us alone has to be passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
