import { saveBlob } from '#src/ui/save-blob.ts'
import { drawPicture, type Picture } from './draw-picture.ts'

export type PictureFormat = 'png' | 'svg'

/** Saves what a chart shows as a file. Rejects if the browser cannot draw it. */
export async function savePicture(chart: HTMLElement, { name, format }: { name: string; format: PictureFormat }) {
  const picture = drawPicture(chart)
  const blob = format === 'svg' ? toBlob(picture) : await toPng(picture)
  saveBlob(`${name}.${format}`, blob)
}

const textOf = ({ svg }: Picture) => new XMLSerializer().serializeToString(svg)

const toBlob = (picture: Picture) => new Blob([textOf(picture)], { type: 'image/svg+xml' })

/** Pixels of the file for each of the screen: sharp on paper and on dense screens. */
const scale = 2

/** A drawing that is loaded as an image does not see the fonts of the page, so it gets those that it uses. */
async function toPng(picture: Picture): Promise<Blob> {
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style')
  style.textContent = (await loadedFonts()).join('\n')
  picture.svg.prepend(style)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(picture))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.width * scale
  canvas.height = picture.height * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not draw it'))), 'image/png')
  })
}

/** The fonts of the page that it has loaded, as rules of a style sheet that contain them. */
function loadedFonts(): Promise<string[]> {
  const loaded = new Set([...document.fonts].filter(({ status }) => status === 'loaded').map(keyOf))
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [{ rule, sheet }] : [])),
  )
  return Promise.all(
    rules
      .filter(({ rule: { style } }) =>
        loaded.has(
          keyOf({
            family: style.getPropertyValue('font-family'),
            weight: style.getPropertyValue('font-weight'),
            unicodeRange: style.getPropertyValue('unicode-range'),
          }),
        ),
      )
      .map(({ rule, sheet }) => withContent(rule.cssText, sheet.href ?? document.baseURI)),
  )
}

type Face = { family: string; weight: string; unicodeRange: string }

/** The same face is written a little differently in a rule and in the page's set of fonts. */
const keyOf = ({ family, weight, unicodeRange }: Face) =>
  `${family.replaceAll(/["']/g, '')} ${weight || '400'} ${(unicodeRange || 'U+0-10FFFF').toUpperCase().replaceAll(/\s/g, '')}`

async function withContent(rule: string, base: string) {
  const [whole, address] = /url\("?([^")]+)"?\)/.exec(rule) ?? []
  if (whole === undefined || address === undefined) return ''
  const answer = await fetch(new URL(address, base))
  return rule.replace(whole, `url("${await toDataUrl(await answer.blob())}")`)
}

const toDataUrl = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error('A font of the page could not be read')))
    reader.readAsDataURL(blob)
  })
