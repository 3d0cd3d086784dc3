import { expect, test } from 'vitest'

import { toCsvCell } from '#contract/csv-cell.ts'
import { countRows, endsLikeParquet } from './rows-of-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('rows of a CSV are counted without its line of names and without line breaks in cells, in parts of any size', () => {
  const cells = ['plain', 'a "quoted"\r\nline', '=1+1\n', 'comma, here', '']
  const csv = `name,n\r\n${cells.map((cell) => `${toCsvCell(cell)},1\r\n`).join('')}`
  for (const size of [1, 2, 7, 1000]) {
    const counter = countRows('text/csv; charset=utf-8')
    const all = bytes(csv)
    for (let at = 0; at < all.length; at += size) counter?.push(all.slice(at, at + size))
    expect([size, counter?.rows()]).toEqual([size, cells.length])
  }
})

test('a file cut in the middle of a row has fewer rows than announced', () => {
  const counter = countRows('application/x-ndjson')
  counter?.push(bytes('{"a":"\\n"}\n{"a":"x'))
  expect(counter?.rows()).toBe(1)
})

test('a Parquet file is whole only with its last four letters, wherever its parts end', () => {
  expect(endsLikeParquet([bytes('PAR1 rows '), bytes('PA'), bytes('R'), bytes('1')])).toBe(true)
  for (const cut of [[], [bytes('PAR1 rows')], [bytes('PAR1'), bytes('rows'), bytes('PAR')]])
    expect(endsLikeParquet(cut)).toBe(false)
})
