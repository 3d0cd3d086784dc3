// `node tools/serve.mjs <platform|BFF|assay> …`: one program in this process, for containers and service managers. A
// child process would need its signals passed on.
import { enableCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'

import { serverFile } from './build-servers.mjs'
import { compileCache } from './installed.mjs'

const names = ['platform', 'BFF', 'assay']
const [name] = process.argv.splice(2, 1)
if (!names.includes(name)) {
  process.stderr.write(`Usage: node tools/serve.mjs <${names.join('|')}> …\n`)
  process.exit(1)
}
enableCompileCache(compileCache)
await import('./resolve-once.mjs')
process.env.ASSAY_PROGRAM = name === 'assay' ? 'CLI' : name
await import('./tracing.mjs')
const file = await serverFile(name)
// What the program starts again later, such as the workers of a fleet, is this file and not that of the bundle.
process.argv[1] = file
await import(pathToFileURL(file).href)
