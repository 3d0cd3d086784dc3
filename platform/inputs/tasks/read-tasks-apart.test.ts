import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { packTar } from '#platform/ground/files/pack-tar.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { readTasksApart } from './read-tasks-apart.ts'

const temporary = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('assay-tasks-'))

test('what a content process leaves of the tasks that it reads is removed, even if it could not remove it itself', async () => {
  const place = await mkdtemp(join(tmpdir(), 'assay-apart-'))
  try {
    await writeFolder(join(place, 'one'), {
      'task.toml': '',
      'instruction.md': 'Do it.',
      'tests/test.sh': '',
      'environment/Dockerfile': 'FROM a\n',
    })
    const tar = await packTar(join(place, 'one'))
    const before = await temporary()
    const made = new Set<string>()
    const read: string[] = []
    await readTasksApart('', [{ name: 'one' }, { name: 'one' }], {
      async fetch() {
        for (const name of await temporary()) {
          if (before.includes(name)) continue
          made.add(name)
          await mkdir(join(tmpdir(), name, 'left'), { recursive: true })
          await writeFile(join(tmpdir(), name, 'left', 'of-a-killed-process'), '')
        }
        return tar
      },
      onTask: async ({ name }) => void read.push(name),
      onRefusal: (_, reason) => read.push(reason),
    })
    expect(read).toEqual(['one', 'one'])
    expect(made.size).toBeGreaterThan(0)
    const after = await temporary()
    expect([...made].filter((name) => after.includes(name))).toEqual([])
  } finally {
    await rm(place, { recursive: true, force: true })
  }
})
