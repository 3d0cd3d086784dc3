import { rm } from 'node:fs/promises'

import { ensureBuilt } from '#tools/build-app.mjs'
import { keepDemo } from './keep-demo.ts'

/** Once, before the workers start their programs. The returned function runs after the last story. */
export default async function prepare() {
  ensureBuilt()
  if (process.env.ASSAY_URL) return
  const demoFolder = await keepDemo()
  process.env.ASSAY_DEMO_FOLDER = demoFolder
  return () => rm(demoFolder, { recursive: true, force: true })
}
