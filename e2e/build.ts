import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureBuilt } from '#tools/build-app.mjs'
import { keepDemo } from './keep-demo.ts'

/** Once, before the workers start their programs. The returned function runs after the last story. */
export default async function prepare() {
  ensureBuilt()
  if (process.env.ASSAY_URL || process.env.ASSAY_DEMO_FOLDER) return
  const demoFolder = await mkdtemp(join(tmpdir(), 'assay-demo-'))
  await keepDemo(demoFolder)
  process.env.ASSAY_DEMO_FOLDER = demoFolder
  return () => rm(demoFolder, { recursive: true, force: true })
}
