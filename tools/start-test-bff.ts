import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { readBffConfig } from '#bff/bff-config.ts'
import { buildBff } from '#bff/build-bff.ts'

/** The real BFF in front of a test platform. It serves the files of `folder`. */
export async function startTestBff(folder: string, platformUrl: string) {
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Assay</title>')
  const settings = { PLATFORM_URL: platformUrl, STATIC_DIR: folder, SESSIONS_DIR: join(folder, 'sessions') }
  const log = new Writable({ write: (_chunk, _encoding, done) => done() })
  const bff = await buildBff(readBffConfig({ ...settings, LOG_LEVEL: 'silent' }), log)
  await bff.listen({ host: '127.0.0.1', port: 0 })
  return bff
}
