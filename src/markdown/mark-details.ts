/** The part of mdast used here. */
type Node = {
  type: string
  value?: string
  children?: Node[]
  data?: { hName?: string; hProperties?: Record<string, unknown> }
}

const opening = /^\[!DETAILS\][ \t]*/i

/**
 * A remark plugin: a quote whose first line is `[!DETAILS] Title` becomes a section that the reader opens. It is a quote
 * where Markdown does not know it, and it needs no HTML.
 */
export const markDetails = () => (tree: unknown) => mark(tree as Node)

function mark(node: Node) {
  for (const child of node.children ?? []) mark(child)
  if (node.type !== 'blockquote') return
  const [first, ...rest] = node.children ?? []
  const start = first?.type === 'paragraph' ? first.children?.[0] : undefined
  if (!first || start?.type !== 'text' || start.value === undefined || !opening.test(start.value)) return
  start.value = start.value.replace(opening, '')
  const { title, text } = splitAtLineEnd(first.children ?? [])
  const summary = { type: 'summary', data: { hName: 'summary' }, children: hasText(title) ? title : [details] }
  node.data = { hName: 'details' }
  node.children = [summary, ...(text.length > 0 ? [{ ...first, children: text }] : []), ...rest]
}

const details: Node = { type: 'text', value: 'Details' }

const hasText = (nodes: readonly Node[]) => nodes.some(({ type, value }) => type !== 'text' || value?.trim())

/** The first line of a paragraph, and the rest of it. */
function splitAtLineEnd(nodes: readonly Node[]): { title: Node[]; text: Node[] } {
  const place = nodes.findIndex(({ type, value }) => type === 'break' || (type === 'text' && value?.includes('\n')))
  const node = nodes[place]
  if (!node) return { title: [...nodes], text: [] }
  const [before, after] = [nodes.slice(0, place), nodes.slice(place + 1)]
  if (node.type === 'break' || node.value === undefined) return { title: before, text: after }
  const end = node.value.indexOf('\n')
  const left = { ...node, value: node.value.slice(0, end) }
  return { title: [...before, left], text: [{ ...node, value: node.value.slice(end + 1) }, ...after] }
}
