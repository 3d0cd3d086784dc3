// `npm run -s assay -- …`: the command line, run with the project's own Node.
import { spawn } from 'node:child_process'

import { serverFile } from './build-servers.mjs'
import { compileCache, ensureInstalled, node } from './installed.mjs'

ensureInstalled()
// The BFF keeps the list of people who may sign in; all other commands are the platform's.
const given = process.argv.slice(2)
const [program, ...rest] = given[0] === 'person' ? ['people', ...given.slice(1)] : ['assay', ...given]
const preloaded = ['resolve-once', 'tracing'].flatMap((name) => [
  '--import',
  new URL(`./${name}.mjs`, import.meta.url).href,
])
const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ASSAY_PROGRAM: 'CLI' }
const child = spawn(node, [...preloaded, await serverFile(program), ...rest], { stdio: 'inherit', env })

// Ctrl-C in a terminal also reaches the child, but a signal sent only to this process must be passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
