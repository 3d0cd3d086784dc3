/** The parts of an HTML tree that are used here. */
type Node = {
  type: string
  tagName?: string
  properties?: Record<string, unknown>
  position?: unknown
  children?: Node[]
}

/** Puts each block of a text, such as a paragraph or a list, into a frame that has its place in the markdown. */
export const frameBlocks = () => (tree: Node) => {
  tree.children = tree.children?.map((node) =>
    node.type === 'element' && node.position
      ? { type: 'element', tagName: 'div', properties: {}, position: node.position, children: [node] }
      : node,
  )
}
