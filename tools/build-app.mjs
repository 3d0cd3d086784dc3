import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import { node, note, root } from './installed.mjs'
import { filesBelow, fingerprintOfTimes } from './source-files.mjs'

const pages = ['index.html', 'embed.html']
const configs = ['vite.config.ts', 'vite.embed.config.ts']
/** What dist/ is built from, files and folders. */
export const appSources = [
  'src',
  'contract',
  'statistics',
  'public',
  'client/notebooks',
  ...pages,
  ...configs,
  'tools/short-class-names.mjs',
  'examples',
  'docs',
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  'package-lock.json',
]
const dist = join(root, 'dist')
/** The hash of the sources that dist/ was built from, and the sizes and times that they had when it was last compared. */
const [stampName, seenName] = ['.built-from', '.seen-sources']
const compressible = /\.(js|css|svg|json|map|md|webmanifest|wasm)$/
const worthCompressing = 1024

/** Builds the app into dist/, unless dist/ was built from exactly these sources. */
export function ensureBuilt() {
  const seen = fingerprintOfTimes(appSources)
  if (readStamp(seenName) === seen) return
  const wanted = fingerprintOfSources()
  if (readStamp(stampName) === wanted) return writeFileSync(join(dist, seenName), seen)
  note('Building the app…')
  // Builds next to dist/ and then swaps the folders: a running server never serves half a build, and builds do not mix.
  const next = join(root, 'node_modules', `.assay-build-${process.pid}`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  rmSync(next, { recursive: true, force: true })
  for (const config of configs) {
    const flags = ['build', '--logLevel', 'warn', '--config', config, '--outDir', next, '--emptyOutDir', 'false']
    runNode([vite, ...flags])
  }
  // The Python module is a part of the app: it has a method for each endpoint of this version.
  runNode([join(root, 'client/notebooks/python-module.ts'), join(next, 'assay.py')])
  for (const file of filesBelow(next)) compress(file)
  writeFileSync(join(next, stampName), wanted)
  writeFileSync(join(next, seenName), seen)
  rmSync(dist, { recursive: true, force: true })
  renameSync(next, dist)
}

function runNode(words) {
  const { status, stdout, stderr } = spawnSync(node, words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`)
}

function readStamp(name) {
  const stamp = join(dist, name)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

/** Compresses each file once, at the best level; the BFF then only selects the file. */
function compress(file) {
  if (!compressible.test(file)) return
  const content = readFileSync(file)
  if (content.length < worthCompressing) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
}

function fingerprintOfSources() {
  const hash = createHash('sha256')
  for (const file of appSources.flatMap((source) => filesBelow(join(root, source)))) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt()
