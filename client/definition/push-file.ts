import { relative } from 'node:path'

import { pushExperiment, type PushReceipt, type VersionFile } from '#contract/experiments.ts'
import { findMissingFiles, stageFile } from '#contract/package-files.ts'
import { counted } from '#contract/wire/counted.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError, exitCodes } from '#client/exit-codes.ts'
import type { Verb, Work } from '#client/work.ts'
import { findPackageFiles, packFile, toVersionFile } from './package-files.ts'
import { faultsOf, problemLines, readDefinition } from './read-definition.ts'

/** Stores a definition with its package as a version. */
export const pushFile =
  (file: string | undefined, { message }: { message?: string } = {}): Verb =>
  async (work) => {
    const receipt = await pushDefinition(work, file, message)
    if (!receipt) return exitCodes.no
    const { experimentId, ordinal, created } = receipt
    work.show(
      receipt,
      created
        ? `Saved as v${ordinal} of ${experimentId}`
        : `v${ordinal} of ${experimentId} has the same definition${message === undefined ? '' : '. It has the message now'}`,
    )
    // What comes next is for people; scripts know.
    if (work.io.isTerminal && !work.isJson)
      work.note(`Run it with: assay submit ${file === undefined ? '' : `${experimentId} `}--watch`)
    return exitCodes.done
  }

/** Null if the definition is invalid, which it says. */
export async function pushDefinition(
  work: Work,
  file: string | undefined,
  message?: string,
): Promise<PushReceipt | null> {
  const { path, text, definition, ...found } = await readDefinition(work.io, file)
  if (!definition) {
    const name = relative(work.io.folder, path)
    work.note(problemLines(name, found.problems))
    if (work.isJson) work.show({ isValid: false, ...faultsOf(name, found) }, '')
    return null
  }
  const caller = await work.api()
  const files = await findPackageFiles(definition, path)
  const versionFiles: VersionFile[] = []
  for (const each of files) versionFiles.push(toVersionFile(each, await packFile(each)))
  await stageMissing(caller, work, { files, versionFiles })
  return caller.call(pushExperiment, { experimentYaml: text, replaceVersionFiles: true, versionFiles, message })
}

type Package = { files: Awaited<ReturnType<typeof findPackageFiles>>; versionFiles: VersionFile[] }

/** Sends only the files that the organization lacks, one at a time, so that no two are in memory. */
async function stageMissing(caller: ApiCaller, { note }: Work, { files, versionFiles }: Package) {
  if (files.length === 0) return
  const tarSha256s = versionFiles.map(({ tarSha256 }) => tarSha256)
  const missing = new Set((await caller.call(findMissingFiles, { tarSha256s })).missing)
  const toStage = missing.size
  for (const [place, file] of files.entries()) {
    const expected = tarSha256s[place]
    if (expected === undefined || !missing.delete(expected)) continue
    const tar = await packFile(file)
    const staged = await caller.call(stageFile, { content: Buffer.from(tar).toString('base64') })
    if (staged.tarSha256 !== expected) throw new CommandError(`${file.source} changed while it was pushed. Push again`)
    note(`Staged ${file.source}`)
  }
  const known = files.length - toStage
  note(
    `Staged ${counted(toStage, 'file')}; ${counted(known, 'file')} of the package ${known === 1 ? 'was' : 'were'} there already`,
  )
}
