import { parseCalloutLine } from '#contract/report-blocks/callouts.ts'

/** The part of mdast used here. */
type Node = { type: string; value?: string; children?: Node[]; data?: { hProperties?: Record<string, unknown> } }

/** A remark plugin: removes the first line `[!NOTE]` of a quote and sets `data-callout` on it. */
export const markCallouts = () => (tree: unknown) => mark(tree as Node)

function mark(node: Node) {
  for (const child of node.children ?? []) mark(child)
  if (node.type !== 'blockquote') return
  const paragraph = node.children?.[0]
  const text = paragraph?.type === 'paragraph' ? paragraph.children?.[0] : undefined
  if (text?.type !== 'text' || text.value === undefined || !paragraph?.children) return
  const [line = '', ...rest] = text.value.split('\n')
  // A first line that continues with a link or a code span is not a callout line.
  if (rest.length === 0 && paragraph.children.length > 1 && paragraph.children[1]?.type !== 'break') return
  const kind = parseCalloutLine(line)
  if (!kind) return
  text.value = rest.join('\n')
  if (text.value === '') paragraph.children.splice(0, paragraph.children[1]?.type === 'break' ? 2 : 1)
  if (paragraph.children.length === 0) node.children?.shift()
  node.data = { ...node.data, hProperties: { ...node.data?.hProperties, 'data-callout': kind } }
}
