import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { create } from 'tar'
import { afterAll, expect, test } from 'vitest'

import { toZip } from '#platform/program/testing/made-zip.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'
import { unpackArchive } from '#platform/program/import-formats/reading/unpack-archives.ts'
import { readSome } from '#platform/program/testing/read-some.ts'

const { folder, write, remove } = await writtenFiles()
afterAll(() => remove())

const table = 'task,passed\na,true\n'
const whatCameIn = async (path: string) => {
  const { runs, leftOut } = await readSome([path])
  return { files: runs.map(({ file }) => file.slice(folder.length + 1)), reasons: leftOut.map(({ reason }) => reason) }
}

test('names in a zip that lead out of it, links and encrypted entries are left out, and the rest comes in', async () => {
  const file = await write(
    'odd.zip',
    toZip([
      { name: 'good/a.csv', content: table },
      { name: '../../escaped.csv', content: table },
      { name: '/absolute.csv', content: table },
      { name: 'c:\\windows.csv', content: table },
      { name: 'link.csv', content: '/etc/passwd', isLink: true },
    ]),
  )
  const { files, reasons } = await whatCameIn(file)
  expect(files).toEqual(['odd.zip/good/a.csv#row 1'])
  expect(reasons).toEqual([
    expect.stringMatching(/lead out of the archive.*escaped\.csv.*absolute\.csv.*windows\.csv.*link\.csv/),
  ])
  expect(await readdir(folder)).not.toContain('escaped.csv')
})

test.each(['tar', 'zip', 'gzip'] as const)(
  'a %s is refused when all archives of an import together unpack to more than 4 GiB or 200,000 files',
  async (kind) => {
    const name = `full.${kind}`
    const content = kind === 'zip' ? toZip([{ name: 'a.csv', content: table }]) : gzipSync(table)
    if (kind === 'tar') await create({ cwd: folder, file: join(folder, name) }, [await plainFile()])
    else await write(name, content)
    const unpack = async (bytes: number, files: number) => {
      const staging = { folder: await mkdtemp(join(folder, 'unpacked-')), count: 0, bytes, files }
      const file = { path: name, root: folder, inside: name, size: 100 }
      return (await unpackArchive(file, kind, { staging, leaveOut: () => {} })).length
    }
    expect(await unpack(4 * 1024 ** 3 - table.length, 199_999)).toBe(1)
    await expect(unpack(4 * 1024 ** 3 - table.length + 1, 0)).rejects.toThrow('its files have more than 4 GiB')
    if (kind !== 'gzip') await expect(unpack(0, 200_000)).rejects.toThrow('it has more than 200000 files')
  },
)

async function plainFile() {
  await write('a.csv', table)
  return 'a.csv'
}

test('a zip that unpacks to more than it says, or that is cut, is refused before its content is used', async () => {
  const bomb = toZip([{ name: 'a.csv', content: table + 'x,true\n'.repeat(1_000_000), size: 20 }])
  expect(await whatCameIn(await write('bomb.zip', bomb))).toEqual({
    files: [],
    reasons: [expect.stringMatching(/larger than|another size/)],
  })
  expect(await whatCameIn(await write('cut.zip', bomb.subarray(0, bomb.length - 40)))).toEqual({
    files: [],
    reasons: [expect.stringMatching(/damaged/)],
  })
})

test('a huge size in the table of a zip is never allocated', async () => {
  const before = process.memoryUsage.rss()
  const { files } = await whatCameIn(
    await write('huge.zip', toZip([{ name: 'a.csv', content: table, size: 4_000_000_000 }])),
  )
  expect(files).toEqual([])
  expect(process.memoryUsage.rss() - before).toBeLessThan(1e9)
})

test('a tar, compressed or not, brings its plain files only', async () => {
  const source = join(folder, 'tree')
  await mkdir(join(source, 'sub'), { recursive: true })
  await writeFile(join(source, 'sub/a.csv'), table)
  await symlink('/etc/passwd', join(source, 'link.csv'))
  for (const [name, options] of [
    ['plain.tar', '-cf'],
    ['packed.tgz', '-czf'],
  ] as const) {
    execFileSync('tar', [options, join(folder, name), '-C', source, '.'])
    const { files, reasons } = await whatCameIn(join(folder, name))
    expect(files).toEqual([`${name}/sub/a.csv#row 1`])
    expect(reasons.join()).toMatch(/link\.csv/)
  }
  execFileSync('tar', ['-cPf', join(folder, 'up.tar'), '-C', join(source, 'sub'), '--transform', 's,^,../,', 'a.csv'])
  expect(await whatCameIn(join(folder, 'up.tar'))).toMatchObject({ files: [] })
})

test('archives in archives are opened to a depth, and one that contains itself ends', async () => {
  let archive = toZip([{ name: 'a.csv', content: table }])
  for (let depth = 0; depth < 2; depth += 1) archive = toZip([{ name: `inner-${depth}.zip`, content: archive }])
  expect((await whatCameIn(await write('nested.zip', archive))).files).toEqual([
    'nested.zip/inner-1.zip/inner-0.zip/a.csv#row 1',
  ])
  for (let depth = 0; depth < 10; depth += 1) archive = toZip([{ name: 'again.zip', content: archive }])
  expect(await whatCameIn(await write('deep.zip', archive))).toEqual({
    files: [],
    reasons: ['no known format of results'],
  })
})

test('a compressed file of zeros and JSON that is nested without end are left out', async () => {
  await write('zeros.gz', gzipSync(Buffer.alloc(50_000_000)))
  await write('deep.json', '['.repeat(2_000_000))
  await write('deep-object.json', '{"a":'.repeat(500_000))
  const { files, reasons } = await whatCameIn(folder)
  expect(files.filter((file) => /zeros|deep-object|deep\.json/.test(file))).toEqual([])
  expect(reasons.length).toBeGreaterThan(0)
})

test('files that people have and no reader reads say what to do with them', async () => {
  await write('advice/book.xlsx', toZip([{ name: 'xl/workbook.xml', content: '<workbook/>' }]))
  await write('advice/book.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  await write('advice/nunit.xml', '<?xml version="1.0"?>\n<!-- made -->\n<test-run id="2"></test-run>')
  await write('advice/promptfoo.db', Buffer.from('SQLite format 3\0'))
  const { reasons } = await whatCameIn(`${folder}/advice`)
  expect(reasons).toEqual([
    'it is a spreadsheet. Save the sheet with the results as CSV',
    'it is a spreadsheet. Save the sheet with the results as CSV',
    'it is a report of NUnit, xUnit.net or Visual Studio. Export it as JUnit',
    'it is an SQLite database. Export its results as JSON or CSV',
  ])
})
