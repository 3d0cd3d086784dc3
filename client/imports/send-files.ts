import { open } from 'node:fs/promises'

import { addImportFiles, createImport, getImport, type Import, previewImport, startImport } from '#contract/imports.ts'
import { limits } from '#contract/wire/limit.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'
import { isWorking } from '#src/api/import-states.ts'
import { packParts } from '#src/api/pack-parts.ts'
import type { LocalFile } from './find-files.ts'

const pollMs = 500

export type Reading = Pick<Import, 'format' | 'pattern' | 'columns'>

/** Uploads files to a new import, and returns it with its preview. */
export async function uploadFiles(
  { io, caller }: { io: Pick<Io, 'wait'>; caller: ApiCaller },
  files: readonly LocalFile[],
  reading: Reading,
): Promise<Import> {
  if (files.reduce((sum, { size }) => sum + size, 0) > limits.importBytes)
    throw new CommandError('The files have more than 2 GB together. Import them in parts')
  const { id: importId } = await caller.call(createImport, {})
  for (const parts of packParts(files, ({ size }) => size)) {
    const content = Buffer.concat(await Promise.all(parts.map(readPart))).toString('base64')
    const places = parts.map(({ file: { path }, offset, bytes }) => ({ path, offset, bytes }))
    await caller.call(addImportFiles, { importId, parts: places, content })
  }
  await caller.call(previewImport, { importId, ...reading })
  return waitForImport({ io, caller }, importId)
}

async function readPart({ file, offset, bytes }: { file: LocalFile; offset: number; bytes: number }) {
  const handle = await open(file.place)
  try {
    const content = Buffer.alloc(bytes)
    const { bytesRead } = await handle.read(content, 0, bytes, offset)
    if (bytesRead < bytes) throw new CommandError(`${file.path} became shorter while it was uploaded. Try again`)
    return content
  } finally {
    await handle.close()
  }
}

/** Starts an import that was read, and returns it once it ended. */
export async function runImport(
  work: { io: Pick<Io, 'wait'>; caller: ApiCaller },
  importId: string,
  into: { experimentId: string; experimentName?: string },
): Promise<Import> {
  await work.caller.call(startImport, { importId, ...into })
  return waitForImport(work, importId)
}

/** Errors: a failed import, with its reason. */
async function waitForImport(
  { io, caller }: { io: Pick<Io, 'wait'>; caller: ApiCaller },
  importId: string,
): Promise<Import> {
  for (;;) {
    const found = await caller.call(getImport, { importId })
    if (found.state === 'failed') throw new CommandError(found.stateReason ?? 'The import failed')
    if (!isWorking(found)) return found
    await io.wait(pollMs)
  }
}
