/** The part of mdast used here. */
type Node = { type: string; value?: string; children?: Node[]; data?: { hProperties?: Record<string, unknown> } }

/** A remark plugin: marks code between dollar signs, $`like this`$, as a formula, and removes the signs. */
export const markFormulas = () => (tree: unknown) => mark(tree as Node)

function mark({ children = [] }: Node) {
  for (const [place, node] of children.entries()) {
    mark(node)
    const [before, after] = [children[place - 1], children[place + 1]]
    if (node.type !== 'inlineCode' || before?.type !== 'text' || after?.type !== 'text') continue
    if (!before.value?.endsWith('$') || !after.value?.startsWith('$')) continue
    before.value = before.value.slice(0, -1)
    after.value = after.value.slice(1)
    node.data = { ...node.data, hProperties: { 'data-formula': '' } }
  }
}
