import { expect, test } from 'vitest'

import { formatImage } from '#contract/report-blocks/images.ts'
import { replaceImage } from './replace-image.ts'

const image = { id: '019a1f2c-8f60-7000-8000-0000000000b1', width: 8, height: 6 }
const other = { ...image, id: '019a1f2c-8f60-7000-8000-0000000000b2' }
const bare = formatImage(image, { alt: '' })
const described = formatImage(image, { alt: 'A [chart] of "x"', caption: 'It says "no" \\' })

const replace = (body: string, from: number) => {
  const hunk = replaceImage(body, { image, place: { from, to: from + 1 } }, { alt: 'New' })
  return hunk && body.slice(0, hunk.from) + hunk.insert + body.slice(hunk.to)
}
const changed = formatImage(image, { alt: 'New' })

test('an image gets other texts, whatever its texts were', () => {
  for (const written of [bare, described])
    expect(replace(`a ${written} b ${formatImage(other, { alt: '' })}`, 2)).toBe(
      `a ${changed} b ${formatImage(other, { alt: '' })}`,
    )
})

test('editing one of two copies of an image changes only that copy, even after text before it has changed', () => {
  const body = `${bare}\n\nlong text\n\n${bare}`
  expect(replace(body, 0)).toBe(`${changed}\n\nlong text\n\n${bare}`)
  expect(replace(`More. ${body}`, body.lastIndexOf('!'))).toBe(`More. ${bare}\n\nlong text\n\n${changed}`)
})

test('an image that is gone changes nothing', () => {
  expect(replace('no image', 0)).toBeUndefined()
})
