import { expect, test } from 'vitest'

import { ChangedFile } from '#contract/changes.ts'
import { leastThreadMs, measured } from '#tools/processor-time.ts'
import { filesOfDownload, type WantedDownload } from './files-of-download.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { findDownloadApart, findFileApart, listFilesApart } from './read-manifest-apart.ts'

const state = { kind: 'file' as const, sizeBytes: 0, isExecutable: false, hasContent: true }

const manifest: Manifest = {
  files: Array.from({ length: 10_000 }, (_, index) => ({
    path: `${'long/'.repeat(40)}${index} “quoted”`,
    change: 'added',
    isArtifact: false,
    isBinary: false,
    before: null,
    after: state,
    addedLines: 0,
    removedLines: null,
    places: { before: null, after: { pack: 0, start: 0, length: 0 } },
  })),
  leftOut: ['3 more changed files are not listed.'],
}
const bytes = Buffer.from(JSON.stringify(manifest))
const stored = { organizationId: '', bytes }

const listHere = ({ files, leftOut }: Manifest) => ({ files: files.map((file) => ChangedFile.parse(file)), leftOut })
const listApart = async () => Buffer.concat(await listFilesApart(stored)).toString()

test('a long list of changed files has no places of contents, and is otherwise as it was recorded', async () => {
  expect(JSON.parse(`{${await listApart()}}`)).toEqual(listHere(manifest))
})

test('one file of a long list is found by its path', async () => {
  const wanted = manifest.files[9999]
  expect(await findFileApart(stored, wanted?.path ?? '')).toEqual(wanted)
  expect(await findFileApart(stored, 'other')).toBeNull()
})

test('a long list of changed files takes little time of the thread that answers others', measured, async () => {
  const here = await leastThreadMs(() => JSON.stringify(listHere(parseManifest(bytes))), 2)
  expect(await leastThreadMs(() => listFilesApart(stored))).toBeLessThan(here * 0.7)
})

test.each([
  { format: 'patch', path: null },
  { format: 'archive', path: null },
  { format: 'patch', path: manifest.files[7]?.path ?? '' },
  { format: 'archive', path: 'other' },
] satisfies WantedDownload[])(
  'the files of a $format of $path are chosen in the same way from a long list and a short one',
  async (wanted) => {
    expect(await findDownloadApart(stored, wanted)).toEqual(filesOfDownload(manifest.files, wanted))
  },
)

test('the files of a download take little time of the thread that answers others', measured, async () => {
  const wanted = { format: 'archive' as const, path: null }
  const here = await leastThreadMs(() => filesOfDownload(parseManifest(bytes).files, wanted), 2)
  const longestTurns: number[] = []
  for (let time = 0; time < 4; time += 1) longestTurns.push(await longestTurn(() => findDownloadApart(stored, wanted)))
  // A collection of garbage can come at any time.
  expect(Math.min(...longestTurns)).toBeLessThan(here / 2)
})

/** The most milliseconds of processor time that this thread spent in one go until the work had its 10,000 files. */
async function longestTurn(work: () => Promise<readonly unknown[] | null>) {
  let longest = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  })
  expect(await work()).toHaveLength(10_000)
  clearInterval(timer)
  return longest
}
