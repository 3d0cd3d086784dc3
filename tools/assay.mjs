// `npm run -s assay -- …`: the command line, run by the project's own Node.
import { spawn } from 'node:child_process'

import { ensureInstalled, node, root } from './installed.mjs'

ensureInstalled()
// Who may sign in is kept by the BFF; everything else is the platform's.
const given = process.argv.slice(2)
const [program, ...rest] =
  given[0] === 'person' ? ['BFF/oidc/people-command.ts', ...given.slice(1)] : ['platform/cli/main.ts', ...given]
const preloaded = ['--import', new URL('./resolve-once.mjs', import.meta.url).href]
const child = spawn(node, [...preloaded, `${root}${program}`, ...rest], { stdio: 'inherit' })

// A terminal's Ctrl-C reaches the child by itself; a signal sent to us alone has to be passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
