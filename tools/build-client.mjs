// Builds the command line as one npm package without dependencies: `node tools/build-client.mjs [folder]`.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { rolldown } from 'rolldown'

import { root } from './installed.mjs'

const folder = resolve(process.argv[2] ?? join(root, 'dist-client'))
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({
  cwd: root,
  input: { assay: join(root, 'client/bin.ts') },
  platform: 'node',
  transform: { target: 'node20' },
})
await bundle.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  banner: '#!/usr/bin/env node',
  minify: false,
})
await bundle.close()
chmodSync(join(folder, 'assay.mjs'), 0o755)
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
copyFileSync(join(root, 'docs/cli.md'), join(folder, 'README.md'))
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: 'assay',
      version,
      description: `${description}: the command line`,
      license,
      type: 'module',
      bin: { assay: 'assay.mjs' },
      engines: { node: '>=20' },
    },
    null,
    2,
  )}\n`,
)
