import { PublishedDocument, type PublishedNode } from '#contract/published-document.ts'
import { sentencesOf } from '#contract/plain-messages.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { cleanImage } from '#platform/ground/image-formats/clean-image.ts'

/** Without metadata, and within the limits of images. */
function cleanPng(base64: string) {
  const { type, bytes } = cleanImage(Buffer.from(base64, 'base64'))
  if (type !== 'image/png') throw invalid('`documentJson` has a picture that is no PNG')
  return bytes.toString('base64')
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Reads the page that an author sends. In the result the images are named by their place in `imageIds`, so that it has
 * no ids. Errors: `invalid_argument`.
 */
export function readDocument(documentJson: string): { document: string; imageIds: string[] } {
  if (Buffer.byteLength(documentJson) > limits.publishedReportBytes)
    throw invalid(
      `The page would have more than ${limits.publishedReportBytes.toLocaleString('en')} bytes. Remove or shrink figures`,
    )
  const parsed = PublishedDocument.safeParse(toJson(documentJson))
  if (!parsed.success) throw invalid(`\`documentJson\` is not a page: ${sentencesOf(parsed.error)}`)
  const places = new Map<string, number>()
  const nodes = parsed.data.nodes.map((node) => nameImage(node, places))
  return { document: JSON.stringify({ ...parsed.data, nodes }), imageIds: [...places.keys()] }
}

function nameImage(node: PublishedNode, places: Map<string, number>): PublishedNode {
  if (!('tag' in node)) return node
  if (node.png !== undefined) return { ...node, png: cleanPng(node.png) }
  if (node.image === undefined) return node
  if (node.tag !== 'img' || !uuid.test(node.image)) throw invalid('`documentJson` has an image without an id')
  const place = places.get(node.image) ?? places.size
  if (place >= limits.imagesPerPublishedReport)
    throw invalid(`The page would have more than ${limits.imagesPerPublishedReport} images. Remove some`)
  places.set(node.image, place)
  return { ...node, image: String(place) }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('`documentJson` must be JSON')
  }
}
