import { expect, test } from 'vitest'

import type { Download } from './read-changes.ts'
import { writePatch } from './write-patch.ts'

const lines = (count: number, name: string) => Array.from({ length: count }, (_, line) => `${name} ${line}\n`).join('')

test('a patch of very many different files is whole, compares only so much, and says so', async () => {
  const [before, after] = [Buffer.from(lines(800, 'before')), Buffer.from(lines(800, 'after'))]
  const side = { kind: 'file' as const, sizeBytes: before.byteLength, isExecutable: false, hasContent: true }
  const file = (index: number): Download['files'][number] => ({
    path: `file-${index}`,
    change: 'changed',
    isArtifact: false,
    isBinary: false,
    isRefused: false,
    before: side,
    after: side,
    addedLines: 800,
    removedLines: 800,
    places: {
      before: { pack: 0, start: 0, length: before.byteLength },
      after: { pack: 1, start: 0, length: after.byteLength },
    },
  })
  const changes = {
    files: Array.from({ length: 200 }, (_, index) => file(index)),
    read: async ({ pack }: { pack: number }) => (pack === 0 ? before : after),
  }
  let turns = 0
  const steps = 2_000_000
  const counting = setInterval(() => (turns += 1), 1)
  const parts: Uint8Array[] = []
  for await (const part of writePatch('', changes, steps)) parts.push(part)
  clearInterval(counting)
  const patch = Buffer.concat(parts).toString()
  expect(patch.match(/^diff --git /gm)).toHaveLength(200)
  expect(patch.match(/^\+after 799$/gm)).toHaveLength(200)
  expect(patch).toMatch(/\nNot compared line by line, because the patch is large: \d+ files\n$/)
  // None, if this thread compared the files itself.
  expect(turns).toBeGreaterThan(0)
})
