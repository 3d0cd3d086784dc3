import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { buildCopyingImage, copiesAsExpected } from '#platform/program/testing/build-copying-image.ts'
import { openTestImages, whyNoImages } from '#platform/program/testing/test-images.ts'

const run = promisify(execFile)

/** An id that no distribution gives to a user. */
const ordinaryUser = 61_234
const program = fileURLToPath(new URL('../../program/testing/image-build-process.ts', import.meta.url))

/** A user who is not root can run the program only where it may read it. */
const isReadable = await run(process.execPath, ['-e', 'fs.readFileSync(process.argv[1])', program], {
  uid: ordinaryUser,
  gid: ordinaryUser,
}).then(
  () => true,
  () => false,
)

describe.skipIf(whyNoImages !== null)(`images of a program with the umask 077 (${whyNoImages ?? 'available'})`, () => {
  test('COPY and ADD give files and folders their usual modes', async () => {
    const before = process.umask(0o077)
    const bench = await openTestImages()
    try {
      const end = await buildCopyingImage(bench)
      expect(end).toMatchObject({ stdout: copiesAsExpected, stderr: '', exitCode: 0 })
    } finally {
      process.umask(before)
      bench.release()
      await bench.close()
    }
  })

  test.skipIf(process.getuid?.() !== 0 || !isReadable)(
    'COPY and ADD do the same for a program of an ordinary user',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-ordinary-'))
      chownSync(folder, ordinaryUser, ordinaryUser)
      try {
        const user = { uid: ordinaryUser, gid: ordinaryUser, cwd: folder }
        const env = { PATH: process.env['PATH'], TMPDIR: folder, HOME: folder }
        const { stdout } = await run(process.execPath, [program], { ...user, env, timeout: 120_000 })
        expect(stdout).toBe(copiesAsExpected)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
